# SPDX-License-Identifier: BSD-2-Clause
"""Stock binaries of other machines: programs with notes of <sys/sdt.h> that are not processed.

    built(sdt, name, source, *flags)       one
    target(sdt, *flags)                    stock_target.c, and its library plugin.so
    watcher(sdt, targets)                  stock_watch.c, to be preloaded
    run(sdt, targets, exe, match, mode)    by qemu in user mode, with the library preloaded: its
                                           output, and what stock_watch.c says

    programs, files = in_guest(sdt, machine)    the same in a guest

    with_note(exe, moved(by))              EXE, in which the first note has another address

The first four want machine="aarch64" or another; the tests of each machine fill that in.
"""
import struct

from elftools.elf.elffile import ELFFile

from conftest import INCLUDE, PROGRAMS
from cross import emulated, gcc, loader
from stapsdt import include

JUMP, TRAP, AUTO = "2", "1", "0"  # SDT_MODE_…


def built(sdt, name, source, *flags, machine):
    sdt.command(gcc(machine), "-O2", "-DSTAP_SDT_ARG_CONSTRAINT=nr", *include(sdt, "original"),
                *flags, *(source if isinstance(source, list) else [source]), "-o", sdt.path(name))
    return sdt.path(name)


def target(sdt, *flags, machine):
    source = PROGRAMS / "stock_target.c"
    built(sdt, "plugin.so", source, "-DPLUGIN", "-fPIC", "-shared", machine=machine)
    return built(sdt, "target", source, "-pthread", "-ldl", *flags, machine=machine)


def watcher(sdt, targets, *, machine):
    sdt.command(gcc(machine), "-O2", "-fPIC", "-shared", "-I", INCLUDE, PROGRAMS / "stock_watch.c",
                "-L", targets(machine) / "lib", "-lsdt", "-o", sdt.path("watch.so"))
    return sdt.path("watch.so")


def run(sdt, targets, exe, match="*", mode=AUTO, shown=0, text="", status=0, *, machine):
    lib = targets(machine) / "lib"
    built(sdt, "emulated.so", PROGRAMS / "machine_emulated.c", "-fPIC", "-shared", "-ldl",
          machine=machine)
    preload = [sdt.path("emulated.so"), watcher(sdt, targets, machine=machine), lib / "libsdt.so.0"]
    settings = {"LD_PRELOAD": ":".join(map(str, preload)), "SDT_STOCK": "1", "MATCH": match,
                "MODE": mode, "SHOWN": str(shown)}
    orders = [sdt.write("orders", text)] if text else []
    result = emulated(sdt, machine, "-E", ",".join(f"{k}={v}" for k, v in settings.items()), exe,
                      *orders, status=status)
    return result.stdout.split("\n")[:-1], result.stderr.split("\n")[:-1]


def in_guest(sdt, machine):
    """For boot(): stock_target.c with its plugin and the files /hits and /churn, which tell it what
    to do; and the C library."""
    programs = [target(sdt, machine=machine), sdt.path("plugin.so")]
    for name, text in {"hits": "hit 50\nthreads 3 1000\nblocked 20\nhandler\nown\nquit\n",
                       "churn": "churn /plugin.so 3 200\nthreads 2 100\nquit\n"}.items():
        programs.append(sdt.write(name, text))
    return programs, {f"lib/{path.name}": path
                      for path in (loader(machine), loader(machine).with_name("libc.so.6"))}


def moved(by):
    """For with_note(): another address."""
    return lambda data, at: struct.pack_into(
        "<Q", data, at + 20, struct.unpack_from("<Q", data, at + 20)[0] + by)


def with_note(exe, change):
    """CHANGE(data, at) to EXE; its first note is AT."""
    data = bytearray(exe.read_bytes())
    with open(exe, "rb") as stream:
        change(data, ELFFile(stream).get_section_by_name(".note.stapsdt")["sh_offset"])
    exe.write_bytes(data)
    return exe
