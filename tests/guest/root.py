# SPDX-License-Identifier: BSD-2-Clause
"""Debian for another machine, on this machine's kernel: a root file system made from packages, in
which qemu runs every program in user mode.

    inside = Root(sdt, "aarch64", tools("aarch64"))
    inside.run("/prefix/bin/sdtlink", "gcc", "-O2", "web.c")    in the test's directory, at /work

A program of the other machine that starts others needs a kernel that runs those as well: one on
which binfmt_misc names qemu. The system's own table stays as it is, since Linux 6.7 has one for
each user namespace. In there we are root, of no other namespace.

The file systems are in build/guest; fetch_root.sh fetches them.
"""
import fcntl
import pathlib
import shutil

import pytest

import cross
from conftest import BUILD

FETCH = {"aarch64": "arm64 build/guest", "riscv64": "riscv64 build/guest trixie forky"}
# e_machine and what a table of binfmt_misc compares: an executable or a library of 64 bits.
E_MACHINE = {"aarch64": 183, "riscv64": 243}
HEAD = b"\x7fELF\2\1\1\0" + bytes(8) + b"\2\0"
MASK = b"\xff\xff\xff\xff\xff\xff\xff\0" + b"\xff" * 8 + b"\xfe\xff\xff\xff"
# What precedes the command: $1 is the rule, $2 the root, $3 and $4 are what it has at /work and
# /prefix. The interpreter is opened when the rule is written (F), outside of the root.
ENTER = """
set -e
mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
printf '%s' "$1" >/proc/sys/fs/binfmt_misc/register
mount --rbind /proc "$2/proc"
mount --rbind /dev "$2/dev"
mount --bind "$3" "$2/work"
mount --bind "$4" "$2/prefix"
root=$2
shift 4
exec chroot "$root" /bin/sh -c 'cd /work && exec "$@"' sh "$@"
"""


def root(machine):
    path = BUILD / "guest" / f"root-{FETCH[machine].split()[0]}"
    if not path.exists():
        pytest.skip(f"no root file system: tests/guest/fetch_root.sh {FETCH[machine]}")
    return path


def tools(machine):
    """The prefix with all tools for MACHINE as their host, which the first process of a run brings
    up to date; it stays in the build directory."""
    sysroot = root(machine)
    cross.need(cross.gcc(machine), f"qemu-{machine}")
    place = BUILD / "host" / machine
    place.mkdir(parents=True, exist_ok=True)
    with open(place / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        cross.install(machine, place / "build", place / "prefix",
                      [f"-DCMAKE_SYSROOT={sysroot}", "-DSDT_BUILD_TOOLS=ON"])
    return place / "prefix"


def interpreter(machine):
    """A qemu that needs no library: inside there are none for this machine."""
    for name in (f"qemu-{machine}-static", f"qemu-{machine}"):
        path = shutil.which(name)
        if path and b"ld-linux" not in pathlib.Path(path).read_bytes()[:4096]:
            return path
    return pytest.skip(f"this machine has no static qemu-{machine} (Debian: qemu-user-static)")


def rule(machine):
    """For binfmt_misc, which reads \\xNN."""
    def escaped(data):
        return "".join(f"\\x{byte:02x}" for byte in data)
    head = HEAD + E_MACHINE[machine].to_bytes(2, "little")
    return f":qemu-{machine}:M::{escaped(head)}:{escaped(MASK)}:{interpreter(machine)}:F"


class Root:
    def __init__(self, sdt, machine, prefix):
        self.sdt, self.machine, self.prefix, self.root = sdt, machine, prefix, root(machine)
        cross.need("unshare")
        if self.run("true", status=None).returncode != 0:
            pytest.skip("this kernel has no binfmt_misc for a user namespace (Linux 6.7 has), or "
                        "allows none")

    def run(self, *argv, env=None, **kwargs):
        return self.sdt.command("unshare", "--user", "--map-root-user", "--mount", "--fork", "sh",
                                "-c", ENTER, "sh", rule(self.machine), self.root, self.sdt.dir,
                                self.prefix, *argv,
                                env={"PATH": "/usr/sbin:/usr/bin", "LC_ALL": "C", **(env or {})},
                                **kwargs)
