# SPDX-License-Identifier: BSD-2-Clause
"""examples/one-word: five build systems, each unchanged but for `sdtlink` before the compiler.

Every build is also made without the word, and must fail by the name of a probe: so it is the word
that does it. The builds use an installed copy, found in PATH, as a user's do.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from conftest import ROOT
from installed import prefix  # noqa: F401 (prefix is a fixture)

pytestmark = pytest.mark.nosan  # an installed copy, as users have it

EXAMPLE = ROOT / "examples" / "one-word"
TEXT = "The cat and the dog, and a mouse in the house of the cat: one two three.\n"
REPORT = ["2 cat", "1 dog", "1 house"]
HITS = ["tokens:word 8", "tokens:stop 9", "table:insert 7", "table:grow 2", "concord:report 1"]
COMPILERS = [("gcc", "g++"), ("clang", "clang++")]


class Build:
    """A copy of the example, with the installed sdtlink in PATH."""

    def __init__(self, sdt, installed, directory):
        self.sdt = sdt
        self.prefix = installed
        self.dir = directory
        self.temporary = sdt.path("temporary")
        self.temporary.mkdir()
        self.env = {"PATH": f"{installed / 'bin'}:{os.environ['PATH']}",
                    "CPPFLAGS": f"-I{installed / 'include'}",
                    "TMPDIR": str(self.temporary), "SDTLINK_LAUNCH": ""}

    def command(self, *argv, cwd=".", env=None, **kwargs):
        return self.sdt.command(*argv, cwd=self.dir / cwd, env={**self.env, **(env or {})},
                                **kwargs)

    def fails_by_name(self, *argv, **kwargs):
        result = self.command(*argv, status=None, **kwargs)
        assert result.returncode != 0
        assert re.search("__dtrace_sdtasm_run_sdtlink___(table|tokens)___",
                         result.stdout + result.stderr)

    def make(self, c="gcc", cxx="g++", word="sdtlink ", target="check", **kwargs):
        return self.command("make", "-j2", f"CC={word}{c}", f"CXX={word}{cxx}", target, **kwargs)

    def without_the_word(self, **kwargs):
        self.command("make", "clean")
        self.fails_by_name("make", "CC=gcc", "CXX=g++", **kwargs)

    def sites(self, file):
        """provider:name of the probes of FILE; objdump finds NOPs at their sites, and nowhere else.
        How many sites a probe has depends on what the compiler inlines."""
        listing = json.loads(self.command("sdtlink", "list", "--json", file).stdout)
        text = self.command("objdump", "-d", "--no-show-raw-insn", file).stdout
        nops = re.findall(r"^ *([0-9a-f]+):\s+nop\n"
                          r" +[0-9a-f]+:\s+nopw +0x[0-9a-f]+\(%rcx,%rbp,8\)", text, re.M)
        assert sorted(int(nop, 16) for nop in nops) == sorted(s["address"] for s in listing)
        return sorted({f"{s['provider']}:{s['name']}" for s in listing})

    def check(self, concord, libtable, run=None, **env):
        assert self.sites(concord) == ["concord:report", "tokens:stop", "tokens:word"]
        assert self.sites(libtable) == ["table:grow", "table:insert"]
        result = self.command(run or self.dir / concord, "-s", input=TEXT, env=env)
        assert result.stdout.splitlines() == REPORT
        assert result.stderr.splitlines() == HITS
        assert not list(self.temporary.glob("sdtlink*"))


@pytest.fixture
def build(sdt, prefix):  # noqa: F811
    shutil.copytree(EXAMPLE, sdt.path("one-word"))
    return Build(sdt, prefix, sdt.path("one-word"))


# ---- make ----

@pytest.mark.parametrize("c, cxx", COMPILERS)
def test_make(build, c, cxx):
    build.make(c, cxx)
    build.check("concord", "libtable.so")
    build.without_the_word()


def test_make_processing_at_compile_time(build):
    """The archive comes out processed, for links that know nothing of us."""
    build.make(word="sdtlink --at-compile ")
    build.check("concord", "libtable.so")
    assert "__dtrace_sdt" not in build.command("nm", "libtokens.a", "main.o").stdout
    (build.dir / "concord").unlink()
    again = build.make(word="sdtlink -v --at-compile ", target="concord").stderr
    assert "runtime added" in again and "temporary/sdtlink" not in again, "nothing is left to copy"


def test_make_with_the_word_in_the_environment(build):
    """make -e, as packagers do it; and a second make has nothing to do."""
    env = {"CC": "sdtlink gcc", "CXX": "sdtlink g++"}
    build.command("make", "-e", "all", env=env)
    build.check("concord", "libtable.so")
    assert "Nothing to be done" in build.command("make", "-e", "all", env=env).stdout


# ---- ccache ----

@pytest.fixture
def cached(build):
    """A function: build with CC and CXX after WORDS; the objects' bytes, and the cache's hits."""
    build.env["CCACHE_DIR"] = str(build.sdt.path("cache"))

    def make(words, **env):
        build.command("make", "clean")
        build.command("ccache", "-z")
        build.make(word=f"{words} ", env=env)
        build.check("concord", "libtable.so")
        statistics = build.command("ccache", "--print-stats").stdout
        hits = sum(int(n) for n in re.findall(r"^(?:direct|preprocessed)_cache_hit\t(\d+)",
                                              statistics, re.M))
        return {path.name: path.read_bytes() for path in build.dir.glob("*.o")}, hits
    return make


@pytest.mark.parametrize("hardlink", [False, True])
def test_ccache_keeps_what_the_compiler_wrote(cached, build, hardlink):
    """A processed object must not become the one that other builds get."""
    env = {"CCACHE_HARDLINK": "1"} if hardlink else {}
    processed, hits = cached("sdtlink --at-compile ccache", **env)
    assert len(processed) == 4 and hits == 0
    assert cached("sdtlink --at-compile ccache", **env) == (processed, 4)
    plain, hits = cached("sdtlink ccache", **env)
    assert hits == 4
    assert {name for name in plain if plain[name] != processed[name]} == {*processed} - {"main.o"}
    build.command("make", "clean")
    build.make(word="sdtlink ")
    assert {path.name: path.read_bytes() for path in build.dir.glob("*.o")} == plain
    assert cached("sdtlink --at-compile ccache", **env) == (processed, 4)


def test_ccache_in_front(cached):
    """It may take us for the compiler, or as its prefix."""
    plain, _ = cached("ccache sdtlink")
    processed, _ = cached("ccache sdtlink --at-compile")
    assert plain["tokens.o"] != processed["tokens.o"]
    assert cached("ccache sdtlink")[0] == plain
    assert cached("ccache sdtlink --at-compile")[0] == processed
    assert cached("ccache", CCACHE_PREFIX="sdtlink")[0] == plain


# ---- Ninja ----

@pytest.mark.parametrize("c, cxx", COMPILERS)
def test_ninja(build, c, cxx):
    text = (build.dir / "build.ninja").read_text()
    flags = f"cppflags = {build.env['CPPFLAGS']}\n"
    for word in ("sdtlink ", ""):
        lines = text.replace("cc = gcc", f"cc = {word}{c}")
        lines = lines.replace("cxx = g++", f"cxx = {word}{cxx}")
        (build.dir / "build.ninja").write_text(flags + lines)
        if word:
            build.command("ninja")
            build.check("concord", "libtable.so")
            assert "no work to do" in build.command("ninja").stdout
        else:
            build.fails_by_name("ninja")


# ---- Meson ----

@pytest.mark.parametrize("c, cxx", COMPILERS)
def test_meson(build, c, cxx):
    build.command("meson", "setup", "b", env={"CC": f"sdtlink {c}", "CXX": f"sdtlink {cxx}"})
    build.command("ninja", "-C", "b")
    build.command("meson", "test", "-C", "b")
    build.check("b/concord", "b/libtable.so")
    build.command("meson", "setup", "without", env={"CC": c, "CXX": cxx})
    build.fails_by_name("ninja", "-C", "without")


def test_meson_native_file_and_install(build):
    (build.dir / "native.ini").write_text(
        "[binaries]\nc = ['sdtlink', 'gcc']\ncpp = ['sdtlink', 'g++']\n")
    build.command("meson", "setup", "b", "--native-file=native.ini", "--prefix=/usr",
                  "--libdir=lib")
    build.command("meson", "install", "-C", "b", env={"DESTDIR": str(build.dir / "root")})
    build.check("root/usr/bin/concord", "root/usr/lib/libtable.so",
                LD_LIBRARY_PATH=str(build.dir / "root/usr/lib"))


@pytest.mark.parametrize("option", ["-Db_lto=true", "-Dunity=on"])
def test_meson_options(build, option):
    build.command("meson", "setup", "b", option,
                  env={"CC": "sdtlink gcc", "CXX": "sdtlink g++"})
    build.command("ninja", "-C", "b")
    build.check("b/concord", "b/libtable.so")


# ---- Autotools ----

@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """The example with its configure script."""
    directory = tmp_path_factory.mktemp("autotools") / "one-word"
    shutil.copytree(EXAMPLE, directory)
    (directory / "Makefile").unlink()
    subprocess.run(["autoreconf", "-i"], cwd=directory, check=True, capture_output=True)
    return directory


@pytest.fixture
def autotools(sdt, prefix, generated):  # noqa: F811
    shutil.copytree(generated, sdt.path("one-word"))
    return Build(sdt, prefix, sdt.path("one-word"))


def configure(build, directory, *args, word="sdtlink ", c="gcc", cxx="g++"):
    (build.dir / directory).mkdir()
    return build.command("../configure", f"CC={word}{c}", f"CXX={word}{cxx}", "--prefix=/usr",
                         *args, cwd=directory)


@pytest.mark.parametrize("c, cxx", [COMPILERS[0], pytest.param(*COMPILERS[1],
                                                                marks=pytest.mark.slow)])
def test_autotools(autotools, c, cxx):
    """Out of the tree, with libtool; installed into a directory that is not the final one."""
    configure(autotools, "b", c=c, cxx=cxx)
    autotools.command("make", "-j2", cwd="b")
    autotools.command("make", "check", cwd="b")
    autotools.check("b/.libs/concord", "b/.libs/libtable.so", run=autotools.dir / "b/concord")
    root = autotools.dir / "root"
    autotools.command("make", "install", f"DESTDIR={root}", cwd="b")
    autotools.check("root/usr/bin/concord", "root/usr/lib/libtable.so",
                    LD_LIBRARY_PATH=str(root / "usr/lib"))


@pytest.mark.slow
def test_libtool_chooses_as_with_the_compiler_alone(autotools):
    """And that build fails: libtool does with the compiler that it was configured for."""
    results = {}
    for word in ("sdtlink ", ""):
        directory = f"b{len(word)}"
        log = configure(autotools, directory, word=word).stdout.replace("sdtlink ", "")
        script = (autotools.dir / directory / "libtool").read_text().replace("sdtlink ", "")
        # gcc passes each directory of -B to the linker, as a place for libraries as well.
        launch = str(autotools.prefix / "libexec/sdtlink/launch")
        script = script.replace(f"-L{launch} ", "").replace(f"{launch} ", "")
        results[word] = log, script
    assert results["sdtlink "] == results[""]
    autotools.fails_by_name("make", cwd="b0")


@pytest.mark.parametrize("option", [
    "--disable-shared", pytest.param("--disable-static", marks=pytest.mark.slow)])
def test_libtool_convenience_library(autotools, option):
    """libtool links all of it into a shared library, and takes it apart (ar x) for an archive."""
    file = autotools.dir / "Makefile.am"
    text = file.read_text().replace(
        "concord_LDADD = libtokens.la libtable.la",
        "concord_LDADD = libtable.la\nlibtable_la_LIBADD = libtokens.la")
    assert "LIBADD" in text
    file.write_text(text)
    autotools.command("automake")
    configure(autotools, "b", option)
    autotools.command("make", "check", cwd="b")
    everything = ["concord:report", "table:grow", "table:insert", "tokens:stop", "tokens:word"]
    if option == "--disable-shared":
        assert autotools.sites("b/concord") == everything
    else:
        assert autotools.sites("b/.libs/concord") == everything[:1]
        assert autotools.sites("b/.libs/libtable.so") == everything[1:]
    result = autotools.command(autotools.dir / "b/concord", "-s", input=TEXT)
    assert result.stderr.splitlines() == HITS


@pytest.mark.slow
def test_distcheck(autotools):
    configure(autotools, "b")
    result = autotools.command(
        "make", "distcheck", "DISTCHECK_CONFIGURE_FLAGS=CC='sdtlink gcc' CXX='sdtlink g++'",
        cwd="b")
    assert "concord-1.0.tar.gz" in result.stdout.splitlines()[-2]


# ---- CMake ----

@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
@pytest.mark.parametrize("way", ["launcher", "compiler"])
def test_cmake(build, generator, way):
    (build.dir / "Makefile").unlink()
    args, env = [], {"CFLAGS": build.env["CPPFLAGS"], "CXXFLAGS": build.env["CPPFLAGS"]}
    if way == "launcher":
        args = ["-DCMAKE_C_LINKER_LAUNCHER=sdtlink", "-DCMAKE_CXX_LINKER_LAUNCHER=sdtlink"]
    else:
        env |= {"CC": "sdtlink gcc", "CXX": "sdtlink g++"}
    build.command("cmake", "-B", "b", "-G", generator, *args, env=env)
    build.command("cmake", "--build", "b", "-j2")
    build.check("b/concord", "b/libtable.so")
    build.command("cmake", "-B", "without", "-G", generator, env={**env, "CC": "gcc", "CXX": "g++"})
    build.fails_by_name("cmake", "--build", "without")


# ---- a program without probes ----

def outputs(directory):
    return {str(path.relative_to(directory)): path.read_bytes()
            for path in sorted(pathlib.Path(directory).rglob("*"))
            if path.is_file() and path.read_bytes()[:4] in (b"\x7fELF", b"!<ar")}


@pytest.mark.slow
@pytest.mark.parametrize("launcher", ["sdtlink", "sdtlink;--at-compile"])
def test_programs_without_probes_come_out_the_same(build, launcher):
    """sdtlink itself, with its runtime: every object, archive, library and program, bit by bit."""
    results = []
    for value in ("", launcher):
        # Always one directory: its path is in the debug information.
        shutil.rmtree(build.dir / "same", ignore_errors=True)
        build.command("cmake", "-S", ROOT, "-B", "same", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                      *(f"-DCMAKE_{language}_{kind}_LAUNCHER={value}"
                        for language in ("C", "CXX") for kind in ("COMPILER", "LINKER")))
        build.command("ninja", "-C", "same", "sdtlink", "sdt", "sdt_shared", "sdtlink-lto")
        results.append(outputs(build.dir / "same"))
    assert len(results[0]) > 50
    assert results[0].keys() == results[1].keys()
    assert [name for name in results[0] if results[0][name] != results[1][name]] == []
