# SPDX-License-Identifier: BSD-2-Clause
"""A machine of another kind, in qemu, with a kernel of Debian's and nothing but the programs of a
test: what a kernel does with caches, signals, /proc/self/mem and uprobes, emulation of a user's
programs alone does not show.

    said = boot(sdt, [program, ...], ["/program jump", "VARIABLE=1 /program trap"])
    said["/program jump"]           the lines that it printed, with "status 0" as the last one

    boot(sdt, [...], ["/program &", ..., "send /rec"])     not waited for; files come back
    receive(said["send /rec"], directory)
    boot(sdt, [...], [...], machine="riscv64", parameters="proc_mem.force_override=always")
    boot(sdt, [...], [...], files={"lib/libc.so.6": path})          with directories
    boot(sdt, [...], ["/usr/bin/gdb ..."], files=unpacked("gdb"))

    said = once(tmp_path_factory, "aarch64", lambda sdt: boot(sdt, ...))
                                    what several tests look at: one boot for all of them

The file `console` in the test's directory grows while the guest runs. The kernel is
build/guest/vmlinuz-arm64 or vmlinuz-riscv64, or what SDT_GUEST_KERNEL or SDT_GUEST_KERNEL_RISCV64
names; fetch_kernel.sh fetches it.
"""
import gzip
import json
import os
import pathlib

import pytest
from elftools.elf.elffile import ELFFile

from conftest import BUILD, ROOT, Toolbox
from cross import alone, need, run_of

QEMU = {"aarch64": ["-M", "virt", "-cpu", "max,pauth-impdef=on"],
        "riscv64": ["-M", "virt", "-cpu", "rv64,v=true,vlen=256"]}
COMMON = ["-smp", "3", "-m", "1024", "-nic", "none", "-display", "none", "-monitor", "none",
          "-no-reboot"]
VARIABLE = {"aarch64": "SDT_GUEST_KERNEL", "riscv64": "SDT_GUEST_KERNEL_RISCV64"}
FETCH = {"aarch64": "arm64 build/guest", "riscv64": "riscv64 build/guest trixie forky"}
CONSOLE = {"aarch64": "ttyAMA0", "riscv64": "ttyS0"}
# On a busy machine a CPU of the guest may stand still for seconds. The kernel's watchdogs would
# print that, in the middle of what a program prints.
PATIENT = "nowatchdog rcupdate.rcu_cpu_stall_suppress=1"


def kernel(machine="aarch64"):
    file = f"vmlinuz-{FETCH[machine].split()[0]}"
    path = pathlib.Path(os.environ.get(VARIABLE[machine], BUILD / "guest" / file))
    if not path.exists():
        pytest.skip(f"no kernel for a guest: tests/guest/fetch_kernel.sh {FETCH[machine]}")
    return path


def archive(files):
    """{name: (mode, bytes)} as an initial file system: cpio, in the form that kernels read."""
    made = bytearray()
    for number, (name, (mode, data)) in enumerate([*files.items(), ("TRAILER!!!", (0, b""))], 1):
        path = name.encode() + b"\0"
        fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(path), 0)
        made += ("070701" + "".join(f"{field:08x}" for field in fields)).encode() + path
        made += b"\0" * (-len(made) % 4) + data
        made += b"\0" * (-len(made) % 4)
    return gzip.compress(bytes(made), 1)


def with_directories(paths):
    """For archive(): {name: path of what it holds}, and the directories that it is in, first."""
    files = {}
    for name, path in paths.items():
        for parent in reversed(pathlib.PurePath(name).parents[:-1]):
            files[str(parent)] = (0o040755, b"")
        files[name] = (0o100755, pathlib.Path(path).read_bytes())
    return files


def needed(path, libraries):
    """What the dynamic linker of that machine has to find for a file."""
    with open(path, "rb") as file:
        elf = ELFFile(file)
        dynamic, interpreter = map(elf.get_section_by_name, (".dynamic", ".interp"))
        tags = dynamic.iter_tags("DT_NEEDED") if dynamic else []
        names = [f"{libraries}/{tag.needed}" for tag in tags]
        return names + ([interpreter.data().strip(b"\0").decode()[1:]] if interpreter else [])


def unpacked(program, machine="aarch64"):
    """/usr/bin/PROGRAM and its libraries as files for boot(): from the packages that
    fetch_packages.sh has unpacked in build/guest, such as gdb-arm64 for gdb."""
    name = f"{program}-{FETCH[machine].split()[0]}"
    root, libraries = BUILD / "guest" / name, f"lib/{machine}-linux-gnu"
    if not root.exists():
        pytest.skip(f"no packages in build/guest/{name}: ./run test --target fetches them")
    files, wanted = {}, [f"usr/bin/{program}"]
    while wanted:
        path = wanted.pop()
        if path not in files:
            places = [root / path, root / "usr" / path]
            files[path] = next(place for place in places if place.exists())
            wanted += needed(files[path], libraries)
    return files


def boot(sdt, programs, commands, timeout=2400, machine="aarch64", parameters="", files=None,
         threads="single"):
    """THREADS: "single", the CPUs of the guest take turns; "multi", each has a thread of qemu.
    There qemu before 8.1 may go on for ever with what it has translated from text that another CPU
    was changing: only for programs that do not wait for hits (docs/stress.md)."""
    qemu, gcc = f"qemu-system-{machine}", f"{machine}-linux-gnu-gcc"
    need(qemu, gcc)
    image = kernel(machine)
    sdt.command(gcc, "-O2", "-static", ROOT / "tests" / "guest" / "init.c", "-o", sdt.path("init"))
    files = with_directories({path.name: path for path in [sdt.path("init"), *programs]} |
                             (files or {}))
    files["dev"] = (0o040755, b"")
    files["list"] = (0o100644, "".join(f"{command}\n" for command in commands).encode())
    sdt.path("initrd").write_bytes(archive(files))
    words = f"console={CONSOLE[machine]} quiet panic=-1 {PATIENT} {parameters}"
    console = sdt.path("console")
    sdt.command(qemu, *QEMU[machine], *COMMON, "-serial", f"file:{console}", "-kernel", image,
                "-initrd", sdt.path("initrd"), "-accel", f"tcg,thread={threads}", "-append", words,
                timeout=timeout)
    printed = console.read_text(errors="replace")
    said, lines = {}, []
    for line in printed.replace("\r", "").splitlines():
        if line.startswith("== "):
            lines = said.setdefault(line[3:], [])
        elif line.startswith("-- "):
            lines.append(line[3:])
        elif not line.startswith("["):
            lines.append(line)
    assert "end" in said, printed
    return said


def once(tmp_path_factory, name, run):
    """What RUN(sdt) returns: whichever process of a run comes first boots, the others read."""
    with alone(run_of(tmp_path_factory), f"guest-{name}") as base:
        answer = base / f"guest-{name}.json"
        if not answer.exists():
            answer.write_text(json.dumps(run(Toolbox(tmp_path_factory.mktemp("guest")))))
    return json.loads(answer.read_text())


def receive(lines, directory):
    """The files that a guest has sent, below DIRECTORY: what was sent is /NAME."""
    for line in lines:
        if line.startswith("@ "):
            path = pathlib.Path(directory, *pathlib.PurePath(line[2:]).parts[2:])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"")
        else:
            with path.open("ab") as file:
                file.write(bytes.fromhex(line))
