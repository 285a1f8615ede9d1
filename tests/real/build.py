# SPDX-License-Identifier: BSD-2-Clause
"""Each program in several builds, from Debian's source with Debian's patches:

    stock     SystemTap's `dtrace` and <sys/sdt.h>
    ours      sdt-dtrace under the name `dtrace`, and our <sys/sdt.h>
    sdtlink   the objects of `ours`, linked with `sdtlink` in front of the compiler
    inline    the same, compiled with a <sys/sdt.h> (real/include) that makes SDT_PROBE() of each
    stock-O0, ours-O0   the first two with all that has probes compiled again without optimisation:
              then each use of a probe is one site, in the function that it is written in, while
              with -O2 it depends on what gcc inlines

What a build needs from us comes by three directories: `bin`, first in PATH, with `dtrace` and
`sdtlink`; `include`, by CPPFLAGS; and nothing else. Builds are kept, below the build directory, as
long as neither the program nor what it was built with changes.
"""
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess

import patience
from conftest import BUILD, INCLUDE, ROOT, TOOL_BUILD
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from matrix.build import Cache
from real.debian import Archive, Unavailable
from real.programs import WORKLOADS

COMPAT_HEADER = INCLUDE / "sdt-compat" / "sys" / "sdt.h"
DTRACE = TOOL_BUILD / "sdt-dtrace" / "sdt-dtrace"
DTRACE_SOURCES = sorted((ROOT / "sdt-dtrace").iterdir())  # the program differs in each build
TOOL = TOOL_BUILD / "sdtlink" / "sdtlink"
RUNTIME = BUILD / "runtime"
OWN_HEADER = WORKLOADS.parent / "include" / "sys" / "sdt.h"
TAKES_PART = f"--runtime-directory={RUNTIME}"


def stock_dtrace():
    script = shutil.which("dtrace")
    if script is None or "Systemtap" not in pathlib.Path(script).read_text("utf-8", "replace"):
        raise Unavailable("SystemTap's dtrace is not installed (package systemtap-sdt-dev)")
    return pathlib.Path(script)


def stock_header():
    """As the compiler finds it."""
    text = subprocess.run(["gcc", "-E", "-include", "sys/sdt.h", "-x", "c", "/dev/null"],
                          capture_output=True, text=True, check=False).stdout
    for word in text.split('"')[1::2]:
        if word.endswith("/sys/sdt.h"):
            return pathlib.Path(word)
    raise Unavailable("<sys/sdt.h> is not installed (package systemtap-sdt-dev)")


def digest(*paths):
    state = hashlib.sha256()
    for path in paths:
        state.update(path.read_bytes())
    return state.hexdigest()


class Failed(Exception):
    """A command of a build, and the end of what it said."""


class Tree:
    """A source tree and what it is built with, in DIRECTORY. ALWAYS: sdtlink stands in front of
    the compiler in all commands, and takes part in all links.
    """

    def __init__(self, program, directory, always=False):
        self.program, self.directory, self.always = program, directory, always
        self.source = directory / "source"
        self.place = self.source / program.directory
        for name in ("bin", "include/sys"):
            (directory / name).mkdir(parents=True, exist_ok=True)

    def tool(self, name, path):
        (self.directory / "bin" / name).symlink_to(path)

    def compiler(self):
        """The one word more that a program's developer gives `meson setup`."""
        has_it = (self.directory / "bin" / "sdtlink").exists()
        wants_it = self.always or self.program.configured_with_sdtlink
        return "sdtlink gcc" if has_it and wants_it else "gcc"

    def run(self, *argv, launch=None):
        """Where `sdtlink` stands in front of the compiler already, `--stapsdt=none` is a link as if
        it did not: the probes of these programs are known by their notes.
        """
        launch = launch or (TAKES_PART if self.always else "--stapsdt=none")
        words = [str(word).format(source=self.source, bin=self.directory / "bin",
                                  include=self.directory / "include") for word in argv]
        env = {**os.environ, "PATH": f"{self.directory}/bin:{os.environ['PATH']}",
               "CPPFLAGS": f"-I{self.directory}/include", "CC": self.compiler(),
               "CFLAGS": "-O2", "LC_ALL": "C.UTF-8", "SDTLINK_LAUNCH": launch}
        self.place.mkdir(exist_ok=True)
        with open(self.directory / "log", "a", encoding="utf-8") as log:
            print("$", *words, file=log, flush=True)
            status = patience.run(words, cwd=self.place, env=env, stdin=subprocess.DEVNULL,
                                  stdout=log, stderr=log, processor_time=3600).returncode
        if status:
            end = (self.directory / "log").read_text("utf-8", "replace")[-2000:]
            raise Failed(f"{' '.join(words)}\nexit status {status}\n{end}")

    def make(self):
        for command in self.program.make:
            self.run(*command)

    def keep(self, target):
        """The files with probes."""
        target.mkdir()
        for name in self.program.results + self.program.others:
            shutil.copy(self.place / name, target)

    def objects_with_notes(self):
        for path in self.place.rglob("*.o"):
            try:
                with open(path, "rb") as stream:
                    if ELFFile(stream).get_section_by_name(".note.stapsdt"):
                        yield path
            except ELFError:
                pass

    def forget_results(self):
        for name in self.program.results:
            (self.place / name).resolve().unlink(missing_ok=True)

    def keep_unoptimised(self, target):
        """What has probes, compiled again with -O0; then the objects are as they were."""
        objects = list(self.objects_with_notes())
        for path in objects:
            path.rename(path.with_suffix(".optimised"))
        gcc = self.directory / "bin" / "gcc"
        gcc.write_text(f'#!/bin/sh\nexec {shutil.which("gcc")} "$@" -O0\n', "ascii")
        gcc.chmod(0o755)
        try:
            self.forget_results()
            self.make()
            self.keep(target)
        finally:
            gcc.unlink()
            for path in objects:
                path.unlink(missing_ok=True)
                # Perl's makefile clears a directory of copies, and makes them again.
                if path.with_suffix(".optimised").exists():
                    path.with_suffix(".optimised").rename(path)
                    os.utime(path)


class Builds:
    """The builds of one program; each is made when it is first asked for."""

    def __init__(self, program):
        self.program = program
        self.cache = Cache(BUILD / "real-programs")

    def source(self):
        ours = pathlib.Path(__file__).resolve().parent / self.program.package

        def copy(work):
            shutil.copytree(ours, work / "source")

        def make(work):
            archive = Archive(work)
            archive.update()
            version = archive.unpack(self.program.package, work / "source")
            (work / "version").write_text(version + "\n", "utf-8")

        if ours.is_dir():
            return self.cache.directory(["source", str(ours), digest(*sorted(ours.iterdir()))],
                                        copy)
        return self.cache.directory(["source", self.program.package], make)

    def tree(self, work, always=False):
        tree = Tree(self.program, work, always)
        shutil.copytree(self.source() / "source", tree.source, symlinks=True)
        return tree

    def configured(self, tree):
        for command in self.program.configure:
            tree.run(*command)
        tree.make()

    def key(self, kind, *paths):
        program = self.program
        ours = [pathlib.Path(word) for command in program.make for word in command
                if word.startswith(str(WORKLOADS))]
        return [kind, program.directory, program.configure, program.make, program.results,
                str(self.source().resolve()), digest(*paths, *ours)]

    def original(self):
        def make(work):
            tree = self.tree(work)
            tree.tool("dtrace", stock_dtrace())
            self.configured(tree)
            tree.keep(work / "stock")

        return self.cache.directory(self.key("stock", stock_dtrace(), stock_header()), make)

    def replaced(self):
        def make(work):
            tree = self.tree(work)
            tree.tool("dtrace", DTRACE)
            tree.tool("sdtlink", TOOL)
            shutil.copy(COMPAT_HEADER, work / "include" / "sys")
            self.configured(tree)
            tree.keep(work / "ours")

        key = self.key("ours", *DTRACE_SOURCES, COMPAT_HEADER)
        return self.cache.directory([*key, self.program.configured_with_sdtlink], make)

    def own(self):
        """With probes of <sdt/probe.h>."""
        headers = sorted(path for path in (INCLUDE / "sdt").iterdir() if path.is_file())

        def make(work):
            tree = self.tree(work, always=True)
            tree.tool("dtrace", DTRACE)
            tree.tool("sdtlink", TOOL)
            shutil.copy(OWN_HEADER, work / "include" / "sys")
            shutil.copy(COMPAT_HEADER, work / "include" / "sys" / "sdt_stap.h")
            (work / "include" / "sdt").symlink_to(INCLUDE / "sdt")
            self.configured(tree)
            tree.keep(work / "inline")

        return self.cache.directory(self.key("inline", TOOL, RUNTIME / "libsdt.a",
                                             RUNTIME / "libsdt.so", *DTRACE_SOURCES, OWN_HEADER,
                                             COMPAT_HEADER, *headers), make)

    def again(self, original, kind, flavour, work, *paths):
        """WORK(tree, target) in the tree of another build, of which there may be only one."""
        def make(directory):
            place = original()
            with open(place / "lock", "w", encoding="ascii") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                work(Tree(self.program, place), directory / flavour)

        return self.cache.directory([kind, flavour, str(original().resolve()),
                                     digest(*paths)], make)

    def plain(self, original, flavour):
        return self.again(original, "plain", flavour, Tree.keep_unoptimised)

    def linked(self):
        """Nothing is compiled again."""
        def work(tree, target):
            tree.forget_results()
            for command in self.program.link:
                tree.run(*command, launch=TAKES_PART)
            tree.keep(target)

        return self.again(self.replaced, "linked", "sdtlink", work, TOOL, RUNTIME / "libsdt.a",
                          RUNTIME / "libsdt.so")

    def directory(self, flavour):
        """The directory of the files of one build."""
        maker = {"stock": self.original, "ours": self.replaced, "sdtlink": self.linked,
                 "inline": self.own,
                 "stock-O0": lambda: self.plain(self.original, flavour),
                 "ours-O0": lambda: self.plain(self.replaced, flavour)}[flavour]
        return maker() / flavour

    def files(self, flavour):
        return [self.directory(flavour) / pathlib.Path(name).name for name in self.program.results]

    def command(self, flavour, workload=None):
        """What runs the workload, or another, and its environment."""
        place = self.directory(flavour)
        words = [word.format(here=place, source=self.source() / "source")
                 for word in workload or self.program.workload]
        env = {name: value.format(here=place, source=self.source() / "source")
               for name, value in self.program.environment.items()}
        return words, env
