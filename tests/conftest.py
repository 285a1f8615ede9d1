# SPDX-License-Identifier: BSD-2-Clause
"""What every test has at hand: the built tool and runtime, and compilers.

The build directory comes from SDT_BUILD (default: build/ beside this directory); SDT_TOOL_BUILD
takes the tool, and only the tool, from another, such as a sanitizer build. Extra flags that
every test program must be compiled and linked with, such as -fsanitize=address for a sanitizer
build of the runtime, come from SDT_TEST_CFLAGS; those for linking only, from SDT_TEST_LDFLAGS.
SDT_CELLS, `some` or how many at most, leaves out cells of parametrized tests: see cells.py.
"""
import os
import pathlib
import shlex

import dryrun
import pytest

import cells
import made
import patience
import toolchain

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("SDT_BUILD", ROOT / "build")).resolve()
TOOL_BUILD = pathlib.Path(os.environ.get("SDT_TOOL_BUILD", BUILD)).resolve()
PROGRAMS = ROOT / "tests" / "programs"
INCLUDE = ROOT / "runtime" / "include"
INCLUDES = ["-I", INCLUDE, "-I", BUILD / "runtime" / "include"]  # with what the build has written
CFLAGS = shlex.split(os.environ.get("SDT_TEST_CFLAGS", ""))
LDFLAGS = shlex.split(os.environ.get("SDT_TEST_LDFLAGS", ""))
CELLS = os.environ.get("SDT_CELLS")

RINGS_BEFORE = set()  # of processes that were killed, whose numbers come again


@pytest.fixture(autouse=True)
def note_rings():
    forget_rings()


def forget_rings():
    """Those that are in memory now belong to no process that begins later."""
    RINGS_BEFORE.clear()
    RINGS_BEFORE.update(os.listdir("/dev/shm"))


for name in ("LINES", "COLUMNS"):  # which pytest-xdist sets; terminals of tests have their own size
    os.environ.pop(name, None)


# What is the same for all commands of a run: see made.py.
KNOWN = ["-I", "-o", *INCLUDES, *CFLAGS, *LDFLAGS, ROOT / "tests" / "asm",
         BUILD / "runtime" / "libsdt.a", BUILD / "runtime" / "libsdt.so",
         f"-Wl,-rpath,{BUILD / 'runtime'}"]


def run_directory(tmp_path):
    """That of a whole run, in which each process of xdist has one, and each of its tests."""
    return next(path for path in tmp_path.parents if not path.name.startswith("popen-"))


class Toolbox:
    """Compile, process, link and run in one test's own directory."""

    def __init__(self, tmp_path):
        self.dir = tmp_path
        self.made = made.Made(run_directory(tmp_path) / "made", KNOWN)
        self.tool = TOOL_BUILD / "sdtlink" / "sdtlink"
        dynamic = TOOL_BUILD / "sdtlink" / "dynamic" / "sdtlink"  # where that one is static
        self.dynamic_tool = dynamic if dynamic.exists() else self.tool
        self.static_runtime = BUILD / "runtime" / "libsdt.a"
        self.shared_runtime = BUILD / "runtime" / "libsdt.so"

    def path(self, name):
        return self.dir / name

    def write(self, name, text):
        """A source file in the test's directory."""
        path = self.dir / name
        path.write_text(text)
        return path

    def command(self, *argv, status=0, env=None, **kwargs):
        """Run a command; its exit status must be STATUS (None: any). TIMEOUT is in seconds of
        processor time. A test of a compiler or linker that this machine does not have ends here."""
        if absent := toolchain.missing(argv):
            pytest.skip(f"this machine has no {absent}")
        if unknown := toolchain.unknown_dialect(argv):
            pytest.skip(f"{argv[0]} does not know {unknown}")
        result = patience.run(
            [str(a) for a in argv],
            processor_time=kwargs.pop("timeout", patience.PROCESSOR_TIME),
            capture_output=True,
            text=kwargs.pop("text", True),
            cwd=kwargs.pop("cwd", self.dir),
            env={**os.environ, **(env or {})},
            **kwargs,
        )
        if status is not None and result.returncode != status:
            pytest.fail(
                f"{shlex.join(str(a) for a in argv)}\nexit status {result.returncode}, "
                f"expected {status}\n{result.stdout}\n{result.stderr}"
            )
        return result

    def compile(self, source, *flags, compiler=None, name=None):
        """SOURCE (a path, or a file name below tests/programs) to an object."""
        source = pathlib.Path(source)
        if not source.is_absolute():
            source = PROGRAMS / source
        output = self.dir / (name or source.stem + ".o")
        if compiler is None:
            compiler = "g++" if source.suffix in (".cc", ".cpp") else "gcc"
        argv = [compiler, "-O2", "-g", *toolchain.pie(compiler), *INCLUDES, *CFLAGS, *flags, "-c",
                source]
        self.made.make(argv, output, lambda: self.command(*argv, "-o", output))
        return output

    def sdtlink(self, *args, status=0, **kwargs):
        """The tool. What it refuses, --dry-run must refuse as well: see dryrun.py."""
        result = self.command(self.tool, *args, status=status, **kwargs)
        if result.returncode == 1 and isinstance(result.stderr, str):
            dryrun.compare_in(self.dir, self.tool, args, 1, result.stderr, kwargs.get("env"))
        return result

    def process(self, obj, *args, name=None):
        """OBJ through `sdtlink -o`."""
        obj = pathlib.Path(obj)
        output = self.dir / (name or obj.stem + ".sdt.o")
        self.sdtlink(*args, "-o", output, obj)
        return output

    def link(self, *inputs, runtime="static", compiler="gcc", name="a.out"):
        """Objects and linker flags to a program or library, with libsdt.a, libsdt.so or neither."""
        if any("-fsanitize" in flag for flag in CFLAGS) and {"-static", "-static-pie"} & {*inputs}:
            pytest.skip("AddressSanitizer cannot be linked statically")
        output = self.dir / name
        libraries = {
            "static": [self.static_runtime, "-pthread"],
            "shared": [self.shared_runtime, f"-Wl,-rpath,{self.shared_runtime.parent}"],
            None: [],
        }[runtime]
        argv = [compiler, *CFLAGS, *inputs, *libraries, *LDFLAGS]
        self.made.make(argv, output, lambda: self.command(*argv, "-o", output), big=True)
        return output

    def build(self, source, *cflags, compiler=None, ldflags=(), runtime="static", name="a.out"):
        """One source file, all the way to a program."""
        obj = self.process(self.compile(source, *cflags, compiler=compiler))
        cxx = pathlib.Path(source).suffix in (".cc", ".cpp")
        driver = compiler or ("g++" if cxx else "gcc")
        return self.link(obj, *ldflags, runtime=runtime, compiler=driver, name=name)

    def run(self, exe, *args, **kwargs):
        """Standard output of a program that must succeed."""
        return self.command(exe, *args, **kwargs).stdout


def pytest_report_header():
    return toolchain.describe()


def pytest_assertrepr_compare(op, left, right):
    """pytest compares long lists line by line, for hours, where the environment has CI: here only
    what is around the first difference."""
    if op != "==" or not isinstance(left, list) or not isinstance(right, list):
        return None
    if max(len(left), len(right)) < 1000:
        return None
    first = next((i for i, pair in enumerate(zip(left, right)) if pair[0] != pair[1]),
                 min(len(left), len(right)))
    around = slice(max(first - 2, 0), first + 3)
    return [f"lists of {len(left)} and {len(right)}, which differ from [{first}] on",
            *(f"[{around.start}:] {side[around]!r}"[:500] for side in (left, right))]


@pytest.hookimpl(trylast=True)  # after -m and -k
def pytest_collection_modifyitems(config, items):
    """Slow tests build real programs, and guests are emulated: hours on a busy machine."""
    for item in items:
        if item.get_closest_marker("slow") or item.get_closest_marker("guest"):
            item.add_marker(pytest.mark.timeout(6 * 3600))
    if CELLS:
        without = cells.left_out(items, None if CELLS == "some" else int(CELLS))
        config.hook.pytest_deselected(items=list(without))
        items[:] = [item for item in items if item not in without]


@pytest.fixture
def sdt(tmp_path):
    return Toolbox(tmp_path)
