# SPDX-License-Identifier: BSD-2-Clause
"""Where the copies lie that the linker is given: in memory if they are few, else on a disk."""
import os
import pathlib
import subprocess

import pytest

from test_launcher import LIBRARY, WEB, launch  # noqa: F401 (a fixture)

MEMORY = pathlib.Path("/dev/shm")
WANTED = 512 << 20  # bytes that have to be free there for 16 MB of objects


def why_not_in_memory():
    kind = subprocess.run(["stat", "-f", "-c", "%T", MEMORY], text=True, capture_output=True,
                          check=False).stdout.strip()
    if kind != "tmpfs":
        return f"{MEMORY} is no tmpfs"
    room = os.statvfs(MEMORY)
    return room.f_bavail * room.f_bsize < WANTED and f"{MEMORY} has less than 512 MB of room"


needs_memory = pytest.mark.skipif(bool(why_not_in_memory()), reason=why_not_in_memory() or "")


def place_of(launch, *words, **env):
    """The link's directory, as the linker sees it in the name of its first changed input."""
    linker = launch.sdt.write("ld.show", '#!/bin/sh\nprintf "%s\\n" "$@" >seen\nexec ld "$@"\n')
    linker.chmod(0o755)
    launch("--ld", linker, "-e", "main", *words, "-o", "web", "--unresolved-symbols=ignore-all",
           env={"TMPDIR": "", **env})
    seen = launch.sdt.path("seen").read_text().splitlines()
    copy = next(pathlib.Path(word) for word in seen if "/sdtlink." in word)
    place = next(part for part in copy.parents if part.name.startswith("sdtlink."))
    assert not place.exists()
    return place.parent


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
    plain = launch.object("plain", data)  # holds no probe, so nobody copies it
    assert place_of(launch, *parts, plain) == place


def test_nobody_knows_how_many(launch):  # noqa: F811
    """What a linker makes of intermediate code; what the members of a thin archive are."""
    obj = launch.object("used", LIBRARY % {"name": "used"})
    launch.sdt.command("ar", "rcsT", "libx.a", obj)
    assert place_of(launch, "--whole-archive", "libx.a") == pathlib.Path("/tmp")
