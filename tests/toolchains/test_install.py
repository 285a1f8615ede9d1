# SPDX-License-Identifier: BSD-2-Clause
"""The examples, each copied out of the tree and built against an installed copy of sdtlink.

What a user gets is the installed copy, so nothing here looks into the source or build tree after
the installation.
"""
import json
import re
import shutil

import pytest

from conftest import BUILD, ROOT
from installed import GENERATORS, prefix  # noqa: F401 (prefix is a fixture)

pytestmark = pytest.mark.nosan  # users do not build the runtime with sanitizers

class Example:
    """A copy of examples/NAME, and the commands that a user would type in it."""

    def __init__(self, sdt, prefix, name):
        self.sdt = sdt
        self.prefix = prefix
        self.dir = sdt.dir / name
        shutil.copytree(ROOT / "examples" / name, self.dir)

    def make(self, *args, **env):
        env = {"PKG_CONFIG_PATH": str(self.prefix / "lib" / "pkgconfig"), **env}
        return self.sdt.command("make", f"PREFIX={self.prefix}", *args, cwd=self.dir, env=env)

    def cmake(self, generator):
        self.sdt.command("cmake", "-B", "build", "-G", generator,
                         f"-DCMAKE_PREFIX_PATH={self.prefix}", cwd=self.dir)
        return self.build()

    def build(self, **kwargs):
        return self.sdt.command("cmake", "--build", "build", "-v", cwd=self.dir, **kwargs)

    def run(self, *argv, **kwargs):
        """Lines of output of a program of the example."""
        env = {"LD_LIBRARY_PATH": str(self.prefix / "lib"), **kwargs.pop("env", {})}
        argv = [self.dir / argv[0], *argv[1:]]
        return self.sdt.command(*argv, cwd=self.dir, env=env, **kwargs).stdout.splitlines()

    def probes(self, file):
        """provider:name of all sites in FILE, as the installed tool lists them."""
        listing = self.sdt.command(self.prefix / "bin" / "sdtlink", "list", "--json",
                                   self.dir / file)
        return sorted({f"{s['provider']}:{s['name']}" for s in json.loads(listing.stdout)})

    def needed(self, file):
        """Names of the shared libraries that FILE asks for, as readelf shows them."""
        lines = self.sdt.command("readelf", "-dW", self.dir / file).stdout.splitlines()
        return [line.split("[")[1].rstrip("]") for line in lines if "(NEEDED)" in line]


@pytest.fixture
def example(sdt, prefix):
    return lambda name: Example(sdt, prefix, name)


def test_everything_is_installed(prefix):
    for name in [
        "bin/sdtlink",
        "bin/sdtlink-gcc",
        "bin/sdtlink-clang++",
        "bin/sdtlink-ld",
        "bin/sdt",
        "bin/sdt-dtrace",
        "libexec/sdtlink/sdtlink-list",
        "libexec/sdtlink/sdtlink-verify",
        "libexec/sdtlink/sdtlink-lto.so",
        "libexec/sdtlink/launch/ld",
        "libexec/sdtlink/launch/ld.lld-16",
        "lib/libsdt.a",
        "lib/libsdt.so",
        "lib/libsdt-freestanding.a",
        "lib/sdtlink/libsdt-trace.so",
        "lib/pkgconfig/sdtlink.pc",
        "lib/cmake/sdtlink/sdtlinkConfig.cmake",
        "include/sdt/probe.h",
        "include/sdt/runtime.h",
        "include/sdt/record.h",
        "include/sdt/event.h",
        "include/sdt/format.h",
        "include/sdt/freebsd.h",
        "include/sdt/kernel.h",
        "include/sdt/marker.h",
        "include/sdt/systemtap.h",
        "include/sdt/systemtap_attach.h",
        "include/sdt/systemtap_handlers.h",
        "include/sdt/systemtap_probes.h",
        "share/man/man1/sdtlink.1",
        "share/man/man1/sdtlink-cc.1",
        "share/man/man1/sdtlink-g++.1",
        "share/man/man1/sdt.1",
        "share/man/man1/sdt-report.1",
        "share/man/man1/sdt-export.1",
        "share/man/man1/sdt-record.1",
        "share/man/man1/sdt-recover.1",
        "share/man/man1/sdt-dtrace.1",
        "share/man/man3/sdt_probe.3",
        "share/man/man3/sdt_enable.3",
        "share/man/man3/sdt_record.3",
        "share/man/man3/sdt_event.3",
        "share/man/man3/sdt_kernel.3",
        "share/man/man5/sdt-describe.5",
        "share/bash-completion/completions/sdt",
        "share/zsh/site-functions/_sdtlink",
        "share/fish/vendor_completions.d/sdt.fish",
        "share/sdtlink/python/sdt.py",
        "share/doc/sdtlink/rust/src/lib.rs",
        "share/man/man1/sdtlink-linker.1",
        "share/sdtlink/freestanding/freestanding/sources.txt",
        "share/sdtlink/sdt.lds",
        "share/doc/sdtlink/LICENSE",
    ]:
        assert (prefix / name).exists(), name


def test_every_function_has_a_manual_page(sdt, prefix):
    """`man 3 NAME`, for all that the library exports; and the page names it."""
    exported = sdt.run("nm", "-D", "--defined-only", prefix / "lib/libsdt.so")
    functions = [name for name in re.findall(r" T (\w+)", exported) if name[0] != "_"]
    assert {"sdt_enable", "sdt_pc", "sdt_strerror"} < {*functions}
    for name in functions:
        page = (prefix / f"share/man/man3/{name}.3").read_text()
        assert f".Nm {name}" in page, name


def test_nothing_installed_names_the_build_or_first_place(prefix):
    for path in prefix.rglob("*"):
        if path.suffix in (".cmake", ".pc", ".h"):
            text = path.read_text()
            assert str(BUILD) not in text and str(ROOT) not in text, path
            assert str(prefix.parent / "first") not in text, path


def test_nothing_installed_links_out_of_the_tree(prefix):
    links = [path for path in prefix.rglob("*") if path.is_symlink()]
    assert len(links) > 5
    for link in links:
        assert not link.readlink().is_absolute() and prefix in link.resolve().parents, link


@pytest.mark.parametrize("place", ["root/usr", "my root/usr/local"])
def test_a_staged_installation_works_where_it_is(sdt, place):
    """DESTDIR, as packagers use it; with link-time optimisation, which needs all the parts."""
    root, rest = place.split("/", 1)
    sdt.command("cmake", "--install", BUILD, "--prefix", f"/{rest}",
                env={"DESTDIR": str(sdt.path(root))})
    staged = sdt.path(place)
    source = sdt.write("p.c", """#include <sdt/probe.h>
#include <sdt/runtime.h>
int main(void)
{
    int id = sdt_enable("p", SDT_COUNT, 0);
    SDT_PROBE(p, n, id);
    return sdt_hits("p") != 1;
}
""")
    for flags in ([], ["-flto"], ["-flto", "-fuse-ld=lld"], ["-static"]):
        compiler = "clang" if "-fuse-ld=lld" in flags else "gcc"
        sdt.command(staged / "bin" / "sdtlink", compiler, "-I", staged / "include", *flags, source,
                    "-o", "p")
        sdt.run(sdt.path("p"))


def test_a_link_to_the_tool_works(prefix, sdt):
    """As in /usr/local/bin, or as packagers' alternatives."""
    sdt.path("bin").mkdir()
    sdt.path("bin/sdtlink").symlink_to(prefix / "bin" / "sdtlink")
    sdt.write("p.c", "#include <sdt/probe.h>\nint main(void) { SDT_PROBE(p, n); return 0; }\n")
    sdt.command("sdtlink", "gcc", "-I", prefix / "include", "p.c", "-o", "p",
                env={"PATH": f"{sdt.path('bin')}:/usr/bin:/bin"})
    sdt.run(sdt.path("p"))
    assert json.loads(sdt.command("bin/sdtlink", "list", "--json", "p").stdout)


def test_installed_verify_finds_its_other_half(example, prefix, sdt):
    words = example("makefile")
    words.make()
    result = sdt.command(prefix / "bin" / "sdtlink", "verify", words.dir / "words")
    assert re.fullmatch(r".*/words: \d+ sites, 2 probes: ok\n", result.stdout), result


def test_version_is_the_same_everywhere(prefix, sdt):
    env = {"PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
    version = sdt.command("pkg-config", "--modversion", "sdtlink", env=env).stdout.strip()
    assert version in sdt.command(prefix / "bin" / "sdtlink", "--version").stdout
    assert f'"{version}"' in (prefix / "lib/cmake/sdtlink/sdtlinkConfigVersion.cmake").read_text()


HEADERS = "probe event runtime record format freebsd marker systemtap systemtap_attach".split()


@pytest.mark.parametrize("header", [f"{name}.h" for name in HEADERS])
@pytest.mark.parametrize("compiler", ["gcc", "g++", "clang", "clang++"])
def test_each_header_compiles_alone(prefix, sdt, compiler, header):
    source = sdt.write("alone.cc" if "+" in compiler else "alone.c", f"#include <sdt/{header}>\n")
    sdt.command(compiler, "-Wall", "-Wextra", "-Werror", "-I", prefix / "include",
                "-c", source, "-o", sdt.path("alone.o"))


def test_makefile(example):
    words = example("makefile")
    words.make()
    text = words.dir / "text"
    text.write_text("one two\nthree\n\nand the longest line\n")
    assert words.probes("words") == ["words:file", "words:line"]
    assert words.run("words", "text") == ["4 7 36 text"]
    assert words.run("words", "-s", "text", "text") == [
        "4 7 36 text", "4 7 36 text", "words:line 8", "words:file 2", "longest line 20",
    ]


def test_makefile_removes_an_object_that_sdtlink_refused(example, sdt):
    """make would take it for finished."""
    words = example("makefile")
    result = sdt.command("make", f"PREFIX={words.prefix}", "CFLAGS=-O2 -flto", cwd=words.dir,
                         status=None)
    assert result.returncode != 0 and "lto" in result.stderr.lower()
    assert not list(words.dir.glob("*.o"))


@pytest.mark.parametrize("static", [False, True])
def test_pkg_config(example, static):
    lru = example("pkg-config")
    # Debian's compiler does not pass --as-needed, others do; a weak reference must survive it.
    lru.make(*["STATIC=1"] if static else [], "LDFLAGS=-Wl,--as-needed")
    assert ("libsdt.so.0" in lru.needed("lru")) == (not static)
    assert lru.probes("lru") == ["lru:evict", "lru:hit", "lru:miss"]
    # Four frames: 1 2 3 4 are misses, 1 a hit, 5 evicts 2, 2 evicts 3, 1 a hit.
    assert lru.run("lru", "4", input="1 2 3 4 1 5 2 1\n") == [
        "2 hits, 6 misses", "lru:hit 2", "lru:miss 6", "lru:evict 2",
    ]


def test_partial_link(example):
    calc = example("partial-link")
    calc.make()
    assert calc.probes("calc") == ["calc:error", "calc:operation", "calc:token"]
    assert calc.probes("calc.sdt.o") == calc.probes("calc")
    assert calc.run("calc", "2 ^ 0.5 * 2 ^ .5") == ["2"]
    assert calc.run("calc", "-t", "1.5*(2-4)", "1+", status=1) == [
        "  2 - 4 = -2", "  1.5 * -2 = -3", "-3", "calc:token 12", "calc:error 1",
    ]


def test_companion(example, sdt):
    scheduler = example("companion")
    scheduler.make()
    before = sdt.command("objdump", "-d", scheduler.dir / "partial.o").stdout
    assert "call" in before  # the partial object keeps its calls; only memory gets the NOPs
    # Tasks of 1..5 slices: 5 start at priority 0, 4 go on at 1, 3 at 2, and 2 + 1 at 3.
    assert scheduler.run("scheduler", "5") == [
        "priority 0: 5", "priority 1: 4", "priority 2: 3", "priority 3: 3",
        "sched:enqueue 15", "sched:dequeue 15",
    ]


def test_freebsd_style(example):
    resolve = example("freebsd-style")
    resolve.make()
    assert resolve.run("resolve", "/usr/bin/cc", "/etc/rc.d/../passwd", "/usr/..") == [
        "/usr/bin/cc: cc",
        "vfs:namei:lookup:return: No such file or directory",
        "/usr/..: /",
        "vfs:namei:create:node 8",
        "vfs:namei:lookup:entry 3",
        "vfs:namei:lookup:return 3",
    ]


def test_systemtap_style(example):
    tickets = example("systemtap-style")
    tickets.make()
    assert tickets.probes("tickets") == [
        "systemtap:asked__2NS", "systemtap:refused__3SSN", "systemtap:sold__4SSNN",
    ]
    left = ["Oslo: 0 left", "Bergen: 2 left"]
    assert tickets.run("tickets") == left
    assert tickets.run("tickets", "./watch.so") == [
        "Bergen: ann gets 1, 2 left", "Bergen: no tickets for bob, 7 too many",
        "Bergen: ann gets 1, 1 left", "Bergen: no tickets for bob, 8 too many",
        "Oslo: 0 left", "Bergen: 0 left",
    ]


def test_preload(example, prefix):
    """Its own build of the library, and the installed one, which finds libsdt.so by itself."""
    shop = example("preload")
    shop.make()
    assert shop.run("shop") == ["5 sold"]
    for library in ("./libsdt-trace.so", prefix / "lib/sdtlink/libsdt-trace.so"):
        result = shop.sdt.command("./shop", cwd=shop.dir,
                                  env={"LD_PRELOAD": str(library), "SDT_TRACE": "shop:*"})
        assert result.stderr.splitlines() == [
            "shop:sale(1, 3, 3) in main", "shop:sale(2, 4, 2) in main", "shop:empty() in main"]


def test_typed_events(example):
    blocks = example("typed-events")
    lines = blocks.make("try").stdout.splitlines()
    assert blocks.probes("blocks") == ["pool:get", "pool:put"]
    events = [re.split(r"  +", line.strip(), maxsplit=4)[3:] for line in lines if "pool:" in line]
    assert len(events) == 15 and [name for name, _ in events].count("pool:get") == 10
    text = re.sub("0x[0-9a-f]+", "X", events[-5][1])
    assert text == 'pool="blocks" size=33 memory=X is_reused=true kind="64 bytes" ' \
        "unused=[0, 0, 1, 0]"
    assert blocks.run("blocks", "12") == ["2 refused, unused: 0 1 1 0"]


def test_marker(example):
    balance = example("marker")
    balance.make()
    assert balance.run("balance", "(a[0])", "(", "]", "{)}", "()") == [
        "(a[0]): balanced", "(: mismatch, place 1", "]: mismatch, place 2",
        "{)}: mismatch, place 2", "(): balanced",
        "marker:begin 5", "marker:push 5", "marker:mismatch 3",
    ]
    dump = "".join(line[49:] for line in balance.make("list").stdout.splitlines())
    assert dump.count("mismatch.") == 3 and dump.count("begin.") == 1


@pytest.mark.parametrize("generator", GENERATORS)
def test_cmake_executable(example, generator):
    requests = example("cmake-executable")
    requests.cmake(generator)
    assert "libsdt.so.0" not in requests.needed("build/requests")
    assert requests.probes("build/requests") == [
        "requests:done", "requests:full", "requests:submit",
    ]
    lines = requests.run("build/requests", "3", "500")
    assert lines[:2] == ["requests:submit 500", "requests:done 500"]


@pytest.mark.parametrize("generator", GENERATORS)
def test_cmake_shared_library(example, generator):
    kv = example("cmake-shared-library")
    kv.cmake(generator)
    assert "libsdt.so.0" in kv.needed("build/libkv.so")
    assert kv.probes("build/libkv.so") == ["kv:get", "kv:grow", "kv:set"]
    assert kv.probes("build/kvtool") == []
    commands = "".join(f"set key{i} {i}\n" for i in range(20)) + "get key7\nget other\n"
    assert kv.run("build/kvtool", input=commands) == ["7", "(nothing)"]
    assert kv.run("build/kvtool", "-w", input=commands) == [
        "7", 'kv:get: no "other"', "(nothing)", "kv:set 20", "kv:get 2", "kv:grow 2",
    ]


@pytest.mark.parametrize("generator", GENERATORS)
def test_cmake_static_library(example, generator):
    csv = example("cmake-static-library")
    csv.cmake(generator)
    assert "libsdt.so.0" not in csv.needed("build/csvsum")
    assert csv.probes("build/csvsum") == ["csv:error", "csv:row", "csvsum:skipped"]
    rows = 'name,amount\n"a, b",1.5\n"say ""so""",2\n'
    assert csv.run("build/csvsum", "2", input=rows) == ["3.5"]
    assert csv.run("build/csvsum", "2", input=rows, env={"CSVSUM_REPORT": "1"}) == [
        "3.5", "csv:row 3", "csv:error 0", "csvsum:skipped 1",
    ]
