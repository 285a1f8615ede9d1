# SPDX-License-Identifier: BSD-2-Clause
"""Objects that were forgotten: what each linker says of them is in docs/messages.md, as it says it.

A user pastes the message into a search: the page has to lead from there to the remedy.
"""
import re
import shutil

import pytest

from conftest import ROOT

SOURCES = {
    "inline": "#include <sdt/probe.h>\nint main(int c, char **v) { SDT_PROBE(p, n, c, v); }\n",
    "call": "#include <sdt/probe.h>\nint main(int c, char **v) { SDT_PROBE(p, n, c); }\n",
    "question": "#include <sdt/probe.h>\nint main(void) { return SDT_PROBE_ENABLED(p, n); }\n",
    "plain": "void __dtrace_sdt_p___n(int);\nint main(void) { __dtrace_sdt_p___n(1); }\n",
}
LINKERS = ["bfd", "gold", "lld", "lld-16", "mold"]
SYMBOL = re.compile(r"__dtrace_sdt(?:asm|enabled)?_p___n")
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


def test_the_page_explains_every_symbol_and_says_what_to_do():
    for symbol in ("__dtrace_sdtasm_P___N", "__dtrace_sdt_P___N", "__dtrace_sdtenabled_P___N"):
        assert f"| ``{symbol}`` |" in page()
    assert "sdtlink -o x.o x.o" in page() and 'make CC="sdtlink gcc"' in page()


def test_the_list_shows_which_object_was_forgotten(sdt):
    """As the page says."""
    for kind in SOURCES:
        text = sdt.sdtlink("list", compile_one(sdt, kind)).stdout
        assert "unprocessed" in text
