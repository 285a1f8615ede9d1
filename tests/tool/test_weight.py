# SPDX-License-Identifier: BSD-2-Clause
"""What a program loads more for each site (docs/decisions/0051-what-is-loaded-for-a-site.md), and
how much an object grows."""
import pytest

from elfview import ElfView

SITES = 300
ALLOC, WRITE = 2, 1

pytestmark = pytest.mark.plain  # what is in the file


def source(is_one):
    """As many functions with a site each, of one probe or of their own."""
    functions = [
        f"__attribute__((noinline)) long many_{i}(long a, int b, const char *c)\n"
        f"{{\n    a = a * {i + 3} + b;\n"
        f"    SDT_PROBE(app, {'one' if is_one else f'p{i}'}, a, b, c);\n"
        f"    return a ^ c[{i}];\n}}\n" for i in range(SITES)]
    return "#include <sdt/probe.h>\n" + "".join(functions) + "int main(void) { return 0; }\n"


def loaded(exe, flags):
    return sum(s.size for s in ElfView(exe).sections if s.flags & flags == flags)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("is_one, most, writable", [(True, 96, 1), (False, 128, 17)],
                         ids=["one probe", "a probe each"])
def test_bytes_a_site(sdt, compiler, is_one, most, writable):
    path = sdt.write("many.c", source(is_one))
    exes = []
    for name, flags in (("with", []), ("without", ["-DSDT_DISABLE"])):
        obj = sdt.compile(path, "-g0", *flags, compiler=compiler, name=f"{name}.o")
        obj = obj if flags else sdt.process(obj)
        exes.append(sdt.link(obj, runtime=None, compiler=compiler, name=name))
    once = 300  # registration, unwinding of the section of entries, …
    for flags, limit in ((ALLOC, most), (ALLOC | WRITE, writable)):
        more = loaded(exes[0], flags) - loaded(exes[1], flags)
        assert 0 < more <= SITES * limit + once, more / SITES


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_an_object_grows_by_what_it_gets(sdt, compiler):
    """Nothing of what sdtlink has replaced stays in the file: no old tables, no stubs' names."""
    obj = sdt.compile(sdt.write("many.c", source(False)), "-g0", compiler=compiler)
    processed = sdt.process(obj)
    data = processed.read_bytes()
    assert len(data) <= 2.5 * obj.stat().st_size
    assert b"__dtrace_sdt" in obj.read_bytes() and b"__dtrace_sdt" not in data
    view = ElfView(processed)
    in_sections = sum(len(s.data) for s in view.sections)
    headers = 64 * (len(view.sections) + 1)
    assert in_sections + headers <= len(data) <= in_sections + headers + 32 * len(view.sections)
