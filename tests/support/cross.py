# SPDX-License-Identifier: BSD-2-Clause
"""Other machines: their compilers, their runtime, and qemu that runs their programs.

    need("qemu-aarch64")               a test ends here if this machine has no such program
    targets("aarch64")                 where headers and libraries for it are installed (a fixture)
    with alone(run_of(tmp_path_factory), "name") as base:
                                       one process of a run at a time, of all that pytest started
    tools("aarch64")                   `sdt` for it, linked statically (a fixture)
    emulated(sdt, "aarch64", program)  run it in user mode

The tests of each machine have compiled() and linked() for objects, and program() and run() for what
needs the runtime, with their machine filled in.
"""
import contextlib
import fcntl
import os
import pathlib
import shutil
import subprocess

import pytest

from conftest import INCLUDE, PROGRAMS, ROOT


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            pytest.skip(f"this machine has no {program}")


def emulated(sdt, target, program, *args, **kwargs):
    need(f"qemu-{target}")
    return sdt.command(f"qemu-{target}", "-L", f"/usr/{target}-linux-gnu", program, *args, **kwargs)


def gcc(target):
    return f"{target}-linux-gnu-gcc"


def clang(target, program="clang"):
    return f"{program} --target={target}-linux-gnu -I /usr/{target}-linux-gnu/include -fPIE"


LOADERS = {"aarch64": "ld-linux-aarch64.so.1", "riscv64": "ld-linux-riscv64-lp64d.so.1"}


def loader(target):
    """The dynamic one of the cross compiler's C library."""
    return pathlib.Path(f"/usr/{target}-linux-gnu/lib") / LOADERS[target]


# ---- objects ----

def compiled(sdt, compiler, *flags, source=PROGRAMS / "machine_forms.c", name="in.o"):
    sdt.command(*compiler.split(), *flags, "-c", source, "-o", sdt.path(name))
    return sdt.path(name)


def linked(sdt, *inputs, target, linker="bfd", name="a.out"):
    """By gcc. Of linkers that it has no option for, it finds one that is called ld."""
    flags = [f"-fuse-ld={linker}"]
    if linker == "gold":
        need(f"{target}-linux-gnu-ld.gold")
    elif linker != "bfd":
        program = "ld.lld-" + linker[4:] if linker.startswith("lld") else "ld.mold"
        need(program)
        home = sdt.path(f"as-{linker}")
        home.mkdir(exist_ok=True)
        if not (home / "ld").exists():
            (home / "ld").symlink_to(shutil.which(program))
        flags = ["-B", home]
    sdt.command(gcc(target), *flags, *inputs, "-o", sdt.path(name))
    return sdt.path(name)


# ---- programs with the runtime ----

FORMS = pytest.mark.parametrize("forms", [[], ["-DSDT_CALL_SITES"]], ids=["inline", "call"])
ARGUMENTS = ["12 1 tea 2.5 3 4 5 6 -7 8 9 ea -11", "12 2 coffee 2.5 3 4 5 6 -7 8 9 offee -11"]


def program(sdt, targets, *flags, target, compiler=None, source="machine_run.c", objects=()):
    need(gcc(target), f"qemu-{target}")
    options = ["-O2", "-Wall", "-Wextra", "-Werror", "-I", INCLUDE, *flags]
    sdt.command(*(compiler or gcc(target)).split(), *options, "-c", PROGRAMS / source, "-o",
                sdt.path("run.o"))
    sdt.command(gcc(target), "-O2", "-c", PROGRAMS / "machine_emulated.c", "-o",
                sdt.path("emulated.o"))
    sdt.command(gcc(target), sdt.process(sdt.path("run.o")), sdt.path("emulated.o"), *objects,
                targets(target) / "lib" / "libsdt.a", "-pthread", "-o", sdt.path("a.out"))
    return sdt.path("a.out")


def run(sdt, exe, *args, target, cpu=None, **kwargs):
    if cpu:
        kwargs["env"] = {**kwargs.get("env", {}), "QEMU_CPU": cpu}
    return emulated(sdt, target, exe, *args, **kwargs).stdout.splitlines()


def hits(word):
    """What the handler of machine_run.c prints between "enabled" and "disabled", of one visit."""
    sale = f"{word} shop:sale in sell: "
    return [sale + ARGUMENTS[0], sale + ARGUMENTS[1], "on: 1 1",
            f"{word} shop:left in leave: 3", f"{word} shop:dear in expensive: 500"]


def run_of(tmp_path_factory):
    """The directory of a whole run; xdist gives each of its processes one below it."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@contextlib.contextmanager
def alone(base, name):
    with open(base / f"{name}.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield base


def once(tmp_path_factory, name, make):
    """The directory NAME/prefix, made by whoever is first of all processes of a run, by
    make(build, directory)."""
    with alone(run_of(tmp_path_factory), name) as base:
        place = base / name
        if not (place / "prefix").exists():
            make(place / "build", place / "new")
            (place / "new").rename(place / "prefix")  # whole, or not there
    return place / "prefix"


@pytest.fixture(scope="session")
def targets(tmp_path_factory):
    """The installed packages, by target: built as docs/portable.md says."""
    def build(target):
        need(f"{target}-linux-gnu-gcc", f"{target}-linux-gnu-g++")
        return once(tmp_path_factory, f"{target}-linux-gnu",
                    lambda build, prefix: install(target, build, prefix))
    return build


@pytest.fixture(scope="session")
def tools(tmp_path_factory):
    def build(target):
        need(f"{target}-linux-gnu-gcc", f"{target}-linux-gnu-g++")
        return once(tmp_path_factory, f"{target}-sdt", lambda *at: make_tool(target, *at)) / "sdt"
    return build


def make_tool(target, build, prefix):
    toolchain = ROOT / "cmake" / "toolchains" / f"{target}-linux-gnu.cmake"
    for argv in (["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DSDT_WERROR=ON",
                  f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", "-DCMAKE_EXE_LINKER_FLAGS=-static"],
                 ["cmake", "--build", build, "--target", "sdt_tool"]):
        subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    prefix.mkdir()
    (build / "sdt" / "sdt").rename(prefix / "sdt")


def install(target, build, prefix, options=("-DSDT_BUILD_SDT=OFF",)):
    toolchain = ROOT / "cmake" / "toolchains" / f"{target}-linux-gnu.cmake"
    for argv in (["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DSDT_WERROR=ON",
                  *options, f"-DCMAKE_TOOLCHAIN_FILE={toolchain}"],
                 ["cmake", "--build", build],
                 ["cmake", "--install", build, "--prefix", prefix]):
        subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
