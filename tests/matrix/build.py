# SPDX-License-Identifier: BSD-2-Clause
"""From a cell to its files. What cells share is made once: objects depend on the compiler and its
flags only, so a cache keeps them, by the commands that make them, for all processes of one run.
"""
import fcntl
import hashlib
import json
import os
import pathlib
import shutil
import subprocess

import patience
from conftest import BUILD, INCLUDE, TOOL_BUILD
from matrix.table import COMPILERS, KINDS, LINKERS, OPTIONS

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
SOURCES = ("one.c", "two.c", "forms.c", "three.cc", "four.cc")
TOOL = TOOL_BUILD / "sdtlink" / "sdtlink"
STATIC_RUNTIME = BUILD / "runtime" / "libsdt.a"
SHARED_RUNTIME = BUILD / "runtime" / "libsdt.so"


class Failed(Exception):
    """A command that did not do it: what it was, and what it said."""

    def __init__(self, argv, output):
        super().__init__(f"{' '.join(argv)}\n{output}")
        self.output = output


def command(*argv, cwd=None, status=0):
    argv = [str(a) for a in argv]
    result = patience.run(argv, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace")
    if result.returncode != status:
        raise Failed(argv, f"exit status {result.returncode}\n{result.stdout}")
    return result.stdout


class Cache:
    """Directories by what is in them; made by whoever is first."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.root.mkdir(parents=True, exist_ok=True)

    def directory(self, key, make):
        """The directory of KEY, which MAKE(directory) has filled."""
        name = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:20]
        final = self.root / name
        if final.exists():
            return final
        with open(self.root / f"{name}.lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not final.exists():
                # Not renamed when done: -gsplit-dwarf writes the directory's name into objects.
                done = self.root / f"{name}.done"
                work = self.root / f"{name}.files"
                shutil.rmtree(work, ignore_errors=True)
                work.mkdir()
                make(work)
                os.symlink(work.name, done)
                os.rename(done, final)
        return final


class Build:
    """The files of one cell, in a directory of its own."""

    def __init__(self, cell, cache, directory):
        self.cell = cell
        self.cache = cache
        self.directory = pathlib.Path(directory)
        self.compiler = COMPILERS[cell.compiler]
        self.option = OPTIONS[cell.option]

    # ---- objects ----

    def _compile(self, source, *flags):
        """One source file, from the cache."""
        driver = self.compiler.cxx if source.endswith(".cc") else self.compiler.c
        argv = [driver, "-I", str(INCLUDE), *flags, "-c", str(PROGRAMS / source), "-o"]

        def make(work):
            command(*argv, work / "object.o", cwd=work)
        return self.cache.directory(argv, make) / "object.o"

    def objects(self, without=(), more=()):
        flags = [flag for flag in self.cell.cflags if flag not in without]
        return [self._compile(source, *flags, *more) for source in SOURCES]

    def _process(self, objects):
        """Through sdtlink."""
        def make(work):
            for i, obj in enumerate(objects):
                command(TOOL, "-o", work / f"{i}.o", obj)
        directory = self.cache.directory(["process", *map(str, objects)], make)
        return [directory / f"{i}.o" for i in range(len(objects))]

    def _change(self, objects):
        """Through what the option wants done with each object."""
        def make(work):
            for i, obj in enumerate(objects):
                for argv in self.option.each:
                    command(*(a.format(**{"in": obj, "out": work / f"{i}.o"}) for a in argv))
        directory = self.cache.directory([*self.option.each, *map(str, objects)], make)
        return [directory / f"{i}.o" for i in range(len(objects))]

    def _join(self, objects):
        """`ld -r` of the objects, as one object."""
        argv = [LINKERS[self.option.join].program, "-r", *map(str, objects), "-o"]

        def make(work):
            command(*argv, work / "joined.o", cwd=work)
        return [self.cache.directory(argv, make) / "joined.o"]

    def _prepare(self, objects):
        """As they are linked."""
        if self.option.each:
            objects = self._change(objects)
        return self._join(objects) if self.option.join else objects

    # ---- links ----

    def _linker_directory(self):
        linker = LINKERS[self.cell.linker]

        def make(work):
            (work / f"ld.{linker.fuse}").symlink_to(shutil.which(linker.program))
        return self.cache.directory(["linker", linker.name], make)

    def _driver(self, *defines):
        """The program around the workload; its own objects are never processed."""
        flags = [f for f in self.cell.cflags if not f.startswith("-gsplit")]
        return self._compile("driver.c", *flags, *defines)

    def _runtime(self):
        if self.cell.kind == "shared":
            return [str(SHARED_RUNTIME), f"-Wl,-rpath,{SHARED_RUNTIME.parent}"]
        return [str(STATIC_RUNTIME), "-pthread"]

    def _order(self):
        """A file that names functions (lld) or sections (gold) in an order that no file has."""
        functions = ["form_tail", "matrix_forms", "_Z7throwerILi3EEii", "twin_b", "table",
                     "matrix_one", "form_cold", "twin_a", "form_asked", "_Z9templatedIiET_S0_",
                     "dead_c"]
        gold = LINKERS[self.cell.linker].family == "gold"
        path = self.directory / "order"
        path.write_text("".join(f".text.{f}\n" if gold else f"{f}\n" for f in functions))
        return [f"-Wl,--{'section-ordering-file' if gold else 'symbol-ordering-file'}={path}"]

    def _inputs(self, name, objects):
        inputs = list(objects)
        if self.option.archive:
            archive = self.directory / f"lib{name}.a"
            command("ar", "rcsD", archive, *objects)
            inputs = [archive]
            if self.cell.kind == "shared":
                inputs = ["-Wl,--whole-archive", archive, "-Wl,--no-whole-archive"]
        return inputs if self.cell.kind == "shared" else [self._driver(), *inputs]

    def _link(self, name, objects, launcher=(), runtime=True):
        linker = LINKERS[self.cell.linker]
        output = self.directory / name
        command(*launcher, self.compiler.cxx, f"-fuse-ld={linker.fuse}", "-B",
                self._linker_directory(), *self.cell.ldflags,
                *(self._order() if self.option.ordering else ()), *self._inputs(name, objects),
                *(self._runtime() if runtime else ["-pthread"]), "-o", output, cwd=self.directory)
        return output

    def _finish(self, path):
        for argv in self.option.finish:
            command(*(a.format(out=path) for a in argv), cwd=self.directory)

    def control(self):
        """The same program without sdtlink: the probes are functions. Those of inline sites, which
        the compilers take for no calls, would write what leaf functions keep in the red zone."""
        objects = self.objects(without=self.option.control_without, more=["-mno-red-zone"])
        stubs = self._compile("stubs.c", "-O2", *KINDS[self.cell.kind].cflags)
        output = self._link("control", [*self._prepare(objects), stubs])
        if self.option.finish:
            self._finish(shutil.copy(output, self.directory / "finished"))
        return output

    def linked(self):
        objects = self.objects()
        if self.option.launcher:
            output = self._link("linked", objects, launcher=[TOOL], runtime=False)
        elif self.option.seed:
            output = self._link("linked", self._process(self._join(objects)))
        else:
            output = self._link("linked", self._prepare(self._process(objects)))
        if self.cell.linker == "lld-11" and self.option.collects:
            command(TOOL, "finalize", output)  # docs/limits.md
        self._finish(output)
        return output

    # ---- the run ----

    def _host(self):
        """The program that loads the workload; the same for all of a compiler's libraries."""
        driver = self._compile("driver.c", "-O2", "-DMATRIX_HOST")
        argv = [self.compiler.c, str(driver), str(SHARED_RUNTIME),
                f"-Wl,-rpath,{SHARED_RUNTIME.parent}", "-ldl", "-o"]

        def make(work):
            command(*argv, work / "host")
        return self.cache.directory(argv, make) / "host"

    def run(self, path, status=0):
        argv = [self._host(), path] if self.cell.kind == "shared" else [path]
        return command(*argv, cwd=self.directory, status=status)

    def run_control(self, path):
        """To its end, at which it complains that it has no probes."""
        self.run(path, status=1)
