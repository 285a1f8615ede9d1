# SPDX-License-Identifier: BSD-2-Clause
"""Debug information in a file of its own, where distributions install it: /usr/lib/debug/.build-id.

    with separate.installed(sdt, exe):         EXE is stripped, and its information is there
    with separate.installed(sdt, exe, "dwz"):  what its units have in common is there once
    with separate.installed(sdt, exe, "dwz -m"):  and in a third file
"""
import contextlib
import os
import pathlib
import shutil

import pytest
from elftools.elf.elffile import ELFFile

HOME = pathlib.Path("/usr/lib/debug/.build-id")


def place_of(file):
    with open(file, "rb") as stream:
        notes = ELFFile(stream).get_section_by_name(".note.gnu.build-id").iter_notes()
        build_id = next(notes)["n_desc"]
    return HOME / build_id[:2] / f"{build_id[2:]}.debug"


def install(file):
    place = place_of(file)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, place)
    return place


def shared(sdt, tool):
    """The information in "debug" is compacted, and in "debug2", which may share the third file."""
    files = ["debug", "debug2"][:1 if tool == "dwz" else 2]
    for file in ("debug", "debug2"):
        sdt.command("objcopy", "--decompress-debug-sections", file)
    sdt.command("dwz", *(["-m", "common"] if len(files) > 1 else []), *files)
    return [sdt.path("common")] if len(files) > 1 else []


@contextlib.contextmanager
def installed(sdt, exe, tool=None):
    if not os.access(HOME.parent.parent, os.W_OK):
        pytest.skip("only root may write below /usr/lib/debug")
    if tool and not shutil.which("dwz"):
        pytest.skip("dwz is not installed")
    for name in ("debug", "debug2"):
        sdt.command("objcopy", "--only-keep-debug", exe, name)
    files = [sdt.path("debug"), *(shared(sdt, tool) if tool else [])]
    sdt.command("strip", "-s", exe)
    places = [install(file) for file in files]
    try:
        yield
    finally:
        for place in places:
            place.unlink()
