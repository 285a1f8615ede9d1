# SPDX-License-Identifier: BSD-2-Clause
"""Where the copies lie that the linker is given: in memory if they are few, else on a disk."""
import os
import pathlib
import shutil
import subprocess

import pytest

from elfview import ElfView
from test_launcher import LIBRARY, WEB, launch  # noqa: F401 (a fixture)

MEMORY = pathlib.Path("/dev/shm")
WANTED = 512 << 20  # bytes that have to be free there for 16 MB of objects


def why_not_in_memory():
    kind = subprocess.run(["stat", "-f", "-c", "%T", MEMORY], text=True, capture_output=True,
                          check=False).stdout.strip()
    if kind != "tmpfs":
        return f"{MEMORY} is no tmpfs"
    room = os.statvfs(MEMORY)
    return "" if room.f_bavail * room.f_bsize >= WANTED else f"{MEMORY} has too little room"


WHY_NOT = why_not_in_memory()
needs_memory = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)


def place_of(launch, *words, **env):
    """The link's directory, as the linker sees it in the first word that names something there."""
    linker = launch.sdt.write("ld.bfd", f'#!/bin/sh\nprintf "%s\\n" "$@" >seen\n'
                              f'exec {shutil.which("ld.bfd")} "$@"\n')
    linker.chmod(0o755)
    launch("gcc", "-fuse-ld=bfd", f"-B{linker.parent}", "-Wl,--unresolved-symbols=ignore-all",
           *words, "-o", "web", env={"TMPDIR": "", **env})
    seen = launch.sdt.path("seen").read_text().splitlines()
    copy = next(pathlib.Path(word.split("=")[-1]) for word in seen if "/sdtlink." in word)
    place = next(part for part in copy.parents if part.name.startswith("sdtlink."))
    assert not place.exists()
    return place.parent


def test_the_objects_that_bound_the_set(launch):  # noqa: F811
    """An empty piece of the set with a symbol, in no group, and nothing that others trip over."""
    linker = launch.sdt.write("ld.bfd", '#!/bin/sh\nfor word; do\n  case $word in\n'
                              '  */sdt_begin.o | */sdt_end.o) cp "$word" . ;;\n  esac\ndone\n'
                              f'exec {shutil.which("ld.bfd")} "$@"\n')
    linker.chmod(0o755)
    launch("gcc", "-fuse-ld=bfd", f"-B{linker.parent}", "-Wl,--gc-sections",
           launch.object("web", WEB), "-o", "web")
    for end in ("begin", "end"):
        view = ElfView(launch.sdt.path(f"sdt_{end}.o"))
        piece = view.section(".sdt_sites")
        assert (piece.type, piece.flags, piece.size, piece.align) == ("SHT_PROGBITS", 2, 0, 4)
        assert view.groups == [] and view.section(".note.GNU-stack").flags == 0
        [symbol] = [symbol for symbol in view.symbols if symbol.name]
        assert (symbol.section, symbol.value, symbol.bind, symbol.visibility) == (
            piece.index, 0, "GLOBAL", "HIDDEN")
        text = launch.sdt.command("readelf", "-aW", view.path)
        assert text.stderr == ""


@needs_memory
def test_few_copies_lie_in_memory(launch):  # noqa: F811
    assert place_of(launch, launch.object("web", WEB)) == MEMORY


def test_the_user_says_where(launch):  # noqa: F811
    obj = launch.object("web", WEB)
    assert place_of(launch, obj, TMPDIR=str(launch.temporary)) == launch.temporary


@pytest.mark.parametrize("megabytes, place", [(15, MEMORY), (17, pathlib.Path("/tmp"))])
@needs_memory
def test_many_copies_do_not(launch, megabytes, place):  # noqa: F811
    """The limit is 16 MB of objects and archives with probes."""
    data = f"char data[{megabytes * 500_000}] = {{1}};\n"
    parts = [launch.object(name, data.replace("data", name) + LIBRARY % {"name": f"f_{name}"})
             for name in ("one", "two")]
    plain = launch.object("plain", data)  # holds no probe, so it is not copied
    assert place_of(launch, *parts, plain) == place


@pytest.mark.parametrize("kind", ["thin archive", "script", "intermediate code"])
def test_nobody_knows_how_many(launch, kind):  # noqa: F811
    """What an input names instead of holding it; what a compiler makes at the link."""
    flags = ["-flto"] if kind == "intermediate code" else []
    obj = launch.object("used", LIBRARY % {"name": "used"}, *flags)
    words = [*flags, obj]
    if kind == "script":
        launch.sdt.write("names", f"INPUT({obj})")
        words = ["names"]
    elif kind == "thin archive":
        launch.sdt.command("ar", "rcsT", "libx.a", obj)
        words = ["-Wl,--whole-archive", "libx.a", "-Wl,--no-whole-archive"]
    assert place_of(launch, *words) == pathlib.Path("/tmp")
