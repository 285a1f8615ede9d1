# SPDX-License-Identifier: BSD-2-Clause
"""Objects that were forgotten: what each linker says of them is in docs/messages.md, as it says it.

A user pastes the message into a search: the page has to lead from there to the remedy.
"""
import re
import shutil
import struct

import pytest

from conftest import ROOT
from test_launcher import Launcher

SOURCES = {
    "inline": "#include <sdt/probe.h>\nint main(int c, char **v) { SDT_PROBE(p, n, c, v); }\n",
    "call": "#include <sdt/probe.h>\nint main(int c, char **v) { SDT_PROBE(p, n, c); }\n",
    "question": "#include <sdt/probe.h>\nint main(void) { return SDT_PROBE_ENABLED(p, n); }\n",
    "plain": "void __dtrace_sdt_p___n(int);\nint main(void) { __dtrace_sdt_p___n(1); }\n",
}
LINKERS = ["bfd", "gold", "lld", "lld-16", "mold"]
SYMBOL = re.compile(r"__dtrace_sdt(?:asm|enabled)?_(?:run_sdtlink___)?p___n")
# What a linker says in the line of a symbol, from the first word that is its own.
SAID = re.compile(r"((?:undefined|hidden symbol).*__dtrace_sdt.*)")


def page():
    text = (ROOT / "docs" / "messages.md").read_text()
    return text[text.index("## The linker"):text.index("## The runtime")]


def messages(text):
    """The messages about our symbols, as the page spells them."""
    found = set()
    for line in text.splitlines():
        if SYMBOL.search(line):
            said = SAID.search(line)
            assert said, f"a message of another form: {line}"
            found.add(SYMBOL.sub("__dtrace_sdt…", said[1]).strip())
    return found


def documented():
    return set(re.findall(r"^\| ``([^\n]+?)`` \|", page(), re.M))


def link(sdt, linker, obj, *flags, **kwargs):
    if not shutil.which(f"ld.{linker}") and not (linker == "mold" and shutil.which("mold")):
        pytest.skip(f"there is no linker '{linker}'")
    return sdt.command("gcc", f"-fuse-ld={linker}", *flags, obj, "-o", sdt.path("out"), **kwargs)


def compile_one(sdt, kind):
    flags = ("-DSDT_CALL_SITES",) if kind == "call" else ()
    return sdt.compile(sdt.write(f"{kind}.c", SOURCES[kind]), "-fPIC", *flags)


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("kind", SOURCES)
def test_the_page_has_the_words_of_every_linker(sdt, kind, linker):
    if linker == "lld-16":
        linker = shutil.which("ld.lld-16") or linker
        sdt.path("b").mkdir()
        if not linker.startswith("/"):
            pytest.skip("there is no ld.lld-16")
        sdt.path("b/ld").symlink_to(linker)
        result = sdt.command("gcc", f"-B{sdt.path('b')}", compile_one(sdt, kind), "-o",
                             sdt.path("out"), status=1)
    else:
        result = link(sdt, linker, compile_one(sdt, kind), status=1)
    said = messages(result.stderr)
    assert said and said <= documented()
    assert kind == "plain" or "_run_sdtlink___p___n" in result.stderr  # in the linker's own words


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld", "mold"])
def test_a_library_with_plain_calls_says_it_when_it_is_loaded(sdt, linker):
    source = "void __dtrace_sdt_p___n(int);\nvoid f(void) { __dtrace_sdt_p___n(1); }\n"
    link(sdt, linker, sdt.compile(sdt.write("l.c", source), "-fPIC"), "-shared")
    shutil.move(sdt.path("out"), sdt.path("libl.so"))
    main = sdt.compile(sdt.write("m.c", "void f(void);\nint main(void) { f(); }\n"))
    sdt.command("gcc", main, sdt.path("libl.so"), "-Wl,--unresolved-symbols=ignore-all",
                "-o", sdt.path("m"))
    result = sdt.command(sdt.path("m"), env={"LD_BIND_NOW": "1"}, status=127)
    assert messages(result.stderr) and messages(result.stderr) <= documented()


# ---- the launcher ----

PLAIN = "void __dtrace_sdt_p___n(int);\nvoid f(void) { __dtrace_sdt_p___n(1); }\n"
WARNING = "warning: {}: __dtrace_sdt_p___n: this library calls a probe that was not processed"


@pytest.fixture
def forgotten(sdt):
    """Link libl.so without sdtlink, and with it what uses it: the messages of the latter."""
    def run(linker, text=PLAIN, library="libl.so", words=("libl.so",), flags=()):
        obj = sdt.compile(sdt.write("l.c", text), "-fPIC")
        link(sdt, linker, obj, "-shared")
        shutil.move(sdt.path("out"), sdt.path(library))
        main = sdt.compile(sdt.write("m.c", "void f(void);\nint main(void) { f(); }\n"), "-fPIC")
        env = Launcher(sdt).env
        return sdt.sdtlink("gcc", f"-fuse-ld={linker}", main, "-L.", *words, *flags, "-o",
                           sdt.path("m"), "-Wl,--allow-shlib-undefined", env=env).stderr
    return run


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld", "mold"])
@pytest.mark.parametrize("words", [["libl.so"], ["-ll"], ["-Wl,--as-needed", "-ll", "-ll"]],
                         ids=" ".join)
def test_the_launcher_warns_of_a_library_with_plain_calls(forgotten, linker, words):
    said = forgotten(linker, words=words)
    assert said.count(WARNING.format("libl.so" if words[0] == "libl.so" else "./libl.so")) == 1
    assert said.count("  advice:   link the library anew") == 1


def test_the_launcher_warns_when_it_links_a_library_with_another(forgotten):
    assert WARNING.format("libl.so") in forgotten("bfd", flags=["-shared"])


def test_the_launcher_warns_of_a_library_that_a_script_names(sdt, forgotten):
    sdt.write("libs.so", "INPUT(libl.so)\n")
    assert "libl.so: __dtrace_sdt_p___n: this library" in forgotten("bfd", words=["libs.so"])


@pytest.mark.parametrize("text", [
    "void f(void) {}\n",
    "void __dtrace_sdt_p___n(int x) { (void)x; }\nvoid f(void) { __dtrace_sdt_p___n(1); }\n",
    "void f(void); const char *g(void); const char *g(void) { return \"__dtrace_sdt_p___n\"; }\n"
    "void f(void) { g(); }\n"], ids=["no probes", "defined", "a text"])
def test_the_launcher_says_nothing_of_a_good_library(forgotten, text):
    assert forgotten("bfd", text=text) == ""


def test_the_launcher_says_nothing_of_a_processed_library(sdt, forgotten):
    obj = sdt.process(sdt.compile(sdt.write("p.c", PLAIN), "-fPIC"))
    sdt.command("gcc", "-shared", obj, "-o", sdt.path("libp.so"))
    assert forgotten("bfd", text="void g(void) {}\n", words=["libp.so"]) == ""


@pytest.mark.sanitized
def test_damaged_libraries_are_the_linkers_business(sdt):
    """Cut off at every place, and with a wrong number in each field of the tables that are read."""
    link(sdt, "bfd", sdt.compile(sdt.write("l.c", PLAIN), "-fPIC"), "-shared", "-s")
    data = sdt.path("out").read_bytes()
    table, = struct.unpack_from("<Q", data, 40)
    cuts = [data[:n] for n in (*range(0, 80, 8), *range(80, len(data), 997), len(data) - 1)]
    wrong = []
    for at in (*range(32, 64, 4), *range(table, len(data) - 4, 4)):
        for value in (0xffffffff, 0x7fffffff, 1, 0):
            wrong.append(data[:at] + struct.pack("<I", value) + data[at + 4:])
    for number, text in enumerate([*cuts, *wrong[::11]]):
        sdt.path("bad.so").write_bytes(text)
        result = sdt.sdtlink("--ld", "true", "bad.so", status=None)
        assert result.returncode in (0, 1), (number, result.stderr)


def test_the_page_explains_every_symbol_and_says_what_to_do():
    for symbol in ("__dtrace_sdtasm_run_sdtlink___P___N", "__dtrace_sdt_run_sdtlink___P___N",
                   "__dtrace_sdtenabled_run_sdtlink___P___N", "__dtrace_sdt_P___N"):
        assert f"| ``{symbol}`` |" in page()
    assert "sdtlink -o x.o x.o" in page() and 'make CC="sdtlink gcc"' in page()


def test_the_list_shows_which_object_was_forgotten(sdt):
    """As the page says."""
    for kind in SOURCES:
        text = sdt.sdtlink("list", compile_one(sdt, kind)).stdout
        assert "unprocessed" in text
