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


def share(sdt, common, *files):
    """Compact the information in FILES; what they share goes to the file COMMON, if it is named."""
    if not shutil.which("dwz"):
        pytest.skip("dwz is not installed")
    for file in files:
        sdt.command("objcopy", "--decompress-debug-sections", file)
    sdt.command("dwz", *(["-m", common] if common else []), *files)


@contextlib.contextmanager
def installed(sdt, exe, tool=None):
    if not os.access(HOME.parent.parent, os.W_OK):
        pytest.skip("only root may write below /usr/lib/debug")
    for name in ("debug", "debug2"):
        sdt.command("objcopy", "--only-keep-debug", exe, name)
    files = [sdt.path("debug")]
    if tool == "dwz":
        share(sdt, None, "debug")
    elif tool == "dwz -m":
        share(sdt, "common", "debug", "debug2")
        files.append(sdt.path("common"))
    sdt.command("strip", "-s", exe)
    places = [install(file) for file in files]
    try:
        yield
    finally:
        for place in places:
            place.unlink()
