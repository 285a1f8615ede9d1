# SPDX-License-Identifier: BSD-2-Clause
"""`sdtlink -o OUT IN`: what becomes of an object, judged by linkers, readelf, objdump and the run.

Exactness is tested against an independent count: the disabled forms found by objdump in the linked
text must be the places that the site set lists, no more and no less.
"""
import re
import subprocess

import pytest

from conftest import PROGRAMS
from elfview import NOTE, SHF_EXECINSTR, SHF_LINK_ORDER, SITE, UNTYPED, ElfView

LINKERS = ["bfd", "gold", "lld", "mold"]
COMPILERS = ["gcc", "clang"]
DECLARE = """
#define PROBE(p, n) extern void __dtrace_sdt_##p##___##n(unsigned long, unsigned long) \\
    __attribute__((visibility("hidden"), nothrow))
#define ENABLED(p, n) extern int __dtrace_sdtenabled_##p##___##n(void) \\
    __attribute__((visibility("hidden"), nothrow))
#define HIT(p, n, a, b) do { __dtrace_sdt_##p##___##n((unsigned long)(a), (unsigned long)(b)); \\
    __asm__ volatile(""); } while (0)
"""
# Every form of a site, in hot, cold and startup text, one probe at several places.
FORMS = DECLARE + """
PROBE(app, work); PROBE(app, rare); PROBE(app, last); ENABLED(app, work);
int sdt_walk(void);
volatile int value;
__attribute__((noinline)) int work(int x)
{ HIT(app, work, x, 1); value += x; HIT(app, work, x, 2); return value; }
__attribute__((noinline, cold)) void rare(int x) { HIT(app, rare, x, 0); value++; }
__attribute__((noinline)) void tail(int x) { value += x; __dtrace_sdt_app___last(x, 0); }
__attribute__((noinline)) int asked(void) { return __dtrace_sdtenabled_app___work() ? 7 : 3; }
__attribute__((noinline)) int asked_last(void) { return __dtrace_sdtenabled_app___work(); }
int main(void)
{
    work(1); rare(2); tail(3);
    if (asked() != 3 || asked_last() != 0 || value != 5)
        return 1;
    return sdt_walk();
}
"""
CXX = """
#define SDT_P(n) extern "C" void __dtrace_sdt_cxx___##n(unsigned long) \\
    __attribute__((visibility("hidden"), nothrow))
SDT_P(inl); SDT_P(tmpl); SDT_P(virt); SDT_P(dead); SDT_P(thrown);
#define HIT(n, a) do { __dtrace_sdt_cxx___##n((unsigned long)(a)); __asm__ volatile(""); } while (0)
inline __attribute__((noinline)) int shared(int x) { HIT(inl, x); return x + 1; }
template <class T> __attribute__((noinline)) T twice(T x) { HIT(tmpl, (long)x); return x + x; }
struct base { virtual ~base() {} virtual int f(int x) { HIT(virt, x); return x; } };
"""


@pytest.fixture
def walk(sdt):
    """The reader of the site set in the running program."""
    return sdt.compile(PROGRAMS / "rewrite_walk.c")


def rows(output):
    return [line.split(" ", 9) for line in output.splitlines()]


def linker(name):
    return f"-fuse-ld={name}"


def disabled_sites(view):
    """Addresses of disabled forms in the executable sections, found by looking at the bytes."""
    found = []
    for s in view.sections:
        if s.flags & SHF_EXECINSTR and s.data:
            found += [s.address + m.start() for m in
                      re.finditer(rb"\x90\x66\x0f\x1f\xc0", s.data)]
    return sorted(found)


def assert_quiet_readelf(path):
    result = subprocess.run(["readelf", "-aW", str(path)], capture_output=True, text=True,
                            check=True)
    assert result.stderr == ""
    return result.stdout


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("ld", LINKERS)
def test_every_form_in_every_linker(sdt, walk, compiler, ld):
    obj = sdt.process(sdt.compile(sdt.write("forms.c", FORMS), compiler=compiler))
    exe = sdt.link(obj, walk, linker(ld), runtime=None, compiler="clang")
    listed = rows(sdt.run(exe))
    by_pc = {row[0]: row for row in listed}
    assert len(by_pc) == 6 and len(listed) == 6
    view = ElfView(exe)
    base = view.symbol("__executable_start").value
    sites = view.sites()
    assert [f"{s.pc - base:x}" for s in sites] == sorted(by_pc, key=lambda pc: int(pc, 16))
    kinds = sorted((s.name, s.kind, s.function) for s in sites)
    last = "enabled-tail" if ("work", "enabled-tail", "asked_last") in kinds else "enabled"
    assert kinds == sorted([("work", "call", "work"), ("work", "call", "work"),
                            ("rare", "call", "rare"), ("last", "tail", "tail"),
                            ("work", "enabled", "asked"), ("work", last, "asked_last")])
    for site in sites:
        expected = {"call": ["nop", "nop %ax"], "tail": ["ret"],
                    "enabled": ["mov $0x0,%eax"], "enabled-tail": ["push $0x0", "pop %rax", "ret"]}
        assert view.disassemble(site.pc, 3)[:len(expected[site.kind])] == expected[site.kind]
        assert site.stub == view.symbol(f"__sdt_stub_app___{site.name}").value
        assert site.probe == view.symbol(f"__sdt_called_app___{site.name}").value


def test_tail_branches_to_its_loader(sdt, walk):
    obj = sdt.process(sdt.compile(sdt.write("forms.c", FORMS)))
    view = ElfView(sdt.link(obj, walk, runtime=None))
    site, = [s for s in view.sites() if s.kind == "tail"]
    loader = site.pc + 5 + int.from_bytes(view.bytes(site.pc + 1, 4), "little", signed=True)
    lea, jump = view.disassemble(loader, 2)
    assert re.fullmatch(rf"lea .*,%r11 # {site.pc:x} <tail\+0x[0-9a-f]+>", lea)
    assert jump == f"jmp {site.stub + 8:x} <__sdt_stub_app___last+0x8>"


def test_output_is_well_formed(sdt):
    source = sdt.compile(sdt.write("forms.c", FORMS))
    obj = sdt.process(source)
    assert_quiet_readelf(obj)
    # elflint thinks that R_X86_64_NONE has no place in an object; every linker disagrees. It does
    # not know these notes, nor that assemblers name groups after section symbols.
    lint = sdt.command("eu-elflint", "--gnu-ld", obj, status=None).stdout.splitlines()
    assert [line for line in lint if not re.fullmatch(
        r"section .* '.rela(.text.*|sdt_sites)': relocation \d+: relocation type invalid for the "
        r"file type|section .* '.group': signature symbol cannot be empty string|section .* "
        r"'.note.stapsdt': unknown object file note type 3 with owner name 'stapsdt' at offset \d+",
        line) and line != "No errors"] == []
    assert "work" in sdt.command("objdump", "-dr", obj).stdout


def test_the_three_rules(sdt):
    """One link-order section per text, in its group; PC32 from section symbols; R_NONE back."""
    source = sdt.write("rules.cc", CXX + "int main() { return shared(1) + twice(2) + "
                       "base().f(3); }")
    view = ElfView(sdt.process(sdt.compile(source, "-ffunction-sections")))
    tables = view.sections_named("sdt_sites")
    assert len(tables) == 3
    for table in tables:
        text = view.sections[table.link]
        assert table.flags & SHF_LINK_ORDER and table.align == 4
        assert view.group_of(table.index) == view.group_of(text.index)
        places = [r for r in view.relocations(table.index) if r.offset % SITE.size == 0]
        assert {(r.symbol.type, r.symbol.section, r.type) for r in places} == {
            ("SECTION", text.index, "R_X86_64_PC32")}
        back = [r for r in view.relocations(text.index) if r.type == "R_X86_64_NONE"]
        assert {(r.symbol.type, r.symbol.section, r.addend) for r in back} == {
            ("SECTION", table.index, 0)}
        assert sorted(r.offset for r in back) == sorted(s.pc for s in view.sites()
                                                        if s.text == text.index)


def test_symbols(sdt):
    """The undefined symbols are gone; what is defined is hidden and weak; locals come first."""
    view = ElfView(sdt.process(sdt.compile(sdt.write("forms.c", FORMS))))
    assert not [name for name in view.undefined() if name.startswith("__dtrace")]
    for name in ("__sdt_stub_app___work", "__sdt_called_app___work", "__sdt_dso",
                 "__start_sdt_sites", "__stop_sdt_sites"):
        symbol = view.symbol(name)
        assert (symbol.bind, symbol.visibility) == ("WEAK", "HIDDEN")
    first = view.section(".symtab").info
    assert all((s.bind == "LOCAL") == (s.index < first) for s in view.symbols)


def test_untouched_sections_keep_their_bytes_and_headers(sdt):
    source = sdt.compile(sdt.write("forms.c", FORMS))
    before, after = ElfView(source), ElfView(sdt.process(source))
    changed = {".text", ".text.unlikely", ".symtab", ".strtab", ".shstrtab", ".eh_frame"}
    assert len(before.sections) < len(after.sections)
    for old, new in zip(before.sections, after.sections):
        assert (old.name, old.type, old.flags, old.align, old.entsize) == (
            new.name, new.type, new.flags, new.align, new.entsize)
        if old.name not in changed and not old.name.startswith(".rela"):
            assert old.data == new.data, old.name


@pytest.mark.parametrize("ld", LINKERS)
def test_debug_relocations_still_name_their_symbols(sdt, walk, ld):
    """Moved symbols: every relocation of the output means what it meant."""
    source = sdt.compile(sdt.write("forms.c", FORMS), "-gdwarf-5", compiler="clang")
    before, after = ElfView(source), ElfView(sdt.process(source))
    tables = [s for s in before.sections
              if s.type == "SHT_RELA" and s.name.startswith(".rela.debug")]
    assert len(tables) > 2
    for s in tables:
        def meaning(view):
            return [(r.offset, r.type, r.symbol.name, r.symbol.section, r.addend)
                    for r in view.relocations(s.info)]  # pylint: disable=cell-var-from-loop
        assert meaning(before) == meaning(after) != []
    exe = sdt.link(sdt.path("forms.sdt.o"), walk, linker(ld), runtime=None, compiler="clang")
    found = ElfView(exe).sites()
    lines = sdt.command("addr2line", "-fe", exe, *(hex(site.pc) for site in found)).stdout
    assert lines.splitlines()[::2] == [site.function for site in found] != []


def test_deterministic_and_idempotent(sdt):
    source = sdt.compile(sdt.write("forms.c", FORMS))
    content = source.read_bytes()
    one, two = sdt.process(source, name="1.o"), sdt.process(source, name="2.o")
    assert one.read_bytes() == two.read_bytes()
    again = sdt.process(one, name="3.o")
    assert again.read_bytes() == one.read_bytes()
    assert source.read_bytes() == content


def test_output_may_be_the_input_and_keeps_its_mode(sdt):
    source = sdt.compile(sdt.write("forms.c", FORMS))
    source.chmod(0o640)
    expected = sdt.process(source, name="other.o").read_bytes()
    sdt.sdtlink("-o", source, source)
    assert source.read_bytes() == expected
    assert source.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in sdt.dir.iterdir() if p.name.startswith("forms.o.")] == []


@pytest.mark.parametrize("final", LINKERS)
@pytest.mark.parametrize("first", ["bfd", "gold", "lld"])
def test_partial_link_of_processed_and_unprocessed_objects(sdt, walk, first, final):
    """processed + raw --ld -r--> sdtlink --link--> all sites, each once."""
    one = sdt.process(sdt.compile(sdt.write("one.c", FORMS)))
    two = sdt.compile(sdt.write("two.c", DECLARE + "PROBE(app, work); PROBE(other, more);\n"
                                "void two(void) { HIT(app, work, 0, 0); HIT(other, more, 1, 2); }"))
    joined = sdt.path("joined.o")
    sdt.command(f"ld.{first}", "-r", "-o", joined, one, two)
    obj = sdt.process(joined)
    assert_quiet_readelf(obj)
    exe = sdt.link(obj, walk, linker(final), runtime=None, compiler="clang")
    listed = rows(sdt.run(exe))
    assert sorted((r[1], r[4], r[3]) for r in listed) == sorted(
        [("app", "work", "work")] * 2 + [("app", "rare", "rare"), ("app", "last", "tail"),
         ("app", "work", "asked"), ("app", "work", "asked_last"),
         ("app", "work", "two"), ("other", "more", "two")])
    assert len({r[0] for r in listed}) == 8
    assert len(ElfView(exe).symbols_named("__sdt_dso")) == 1


def test_second_partial_link_of_processed_objects(sdt, walk):
    """Two processed objects with one probe: one record of it after ld -r, sites of both."""
    for n in ("a", "b"):
        sdt.process(sdt.compile(sdt.write(f"{n}.c", DECLARE + "PROBE(app, x);\n"
                                          f"void {n}(void) {{ HIT(app, x, 1, 2); }}")))
    main = sdt.compile(sdt.write("main.c", "int sdt_walk(void); int main(void) "
                                           "{ return sdt_walk(); }"))
    joined = sdt.path("joined.o")
    sdt.command("ld", "-r", "-o", joined, sdt.path("a.sdt.o"), sdt.path("b.sdt.o"))
    again = sdt.process(joined)
    assert again.read_bytes() == joined.read_bytes()
    exe = sdt.link(again, main, walk, runtime=None)
    assert sorted(r[3] for r in rows(sdt.run(exe))) == ["a", "b"]
    assert len({s.probe for s in ElfView(exe).sites()}) == 1


def program_with_dead_code(sdt, compiler, *flags):
    """Two C++ objects that share COMDAT functions, with live and dead probed functions."""
    one = sdt.write("one.cc", CXX + """
extern int two(int);
extern "C" int sdt_walk(void);
__attribute__((noinline)) int dead(int x) { HIT(dead, x); return x; }
struct guard { int *p; ~guard() { ++*p; } };
__attribute__((noinline)) int thrower(int x, int *p)
{ guard g{p}; HIT(thrown, x); if (x) throw x; return 0; }
int main(int argc, char **)
{
    int caught = 0, guarded = 0;
    try { thrower(argc, &guarded); } catch (int x) { caught = x; }
    if (caught != argc || guarded != 1)
        return 1;
    base b;
    if (shared(1) + twice(argc) + two(3) + b.f(4) < 0)
        return 2;
    return sdt_walk();
}
""")
    two = sdt.write("two.cc", CXX + "int two(int x) { return shared(x) + twice((long)x); }\n"
                                    "int dead2(int x) { HIT(dead, x); return x; }")
    cxx = {"gcc": "g++", "clang": "clang++"}[compiler]
    return [sdt.process(sdt.compile(source, "-ffunction-sections", *flags, compiler=cxx))
            for source in (one, two)]


@pytest.mark.parametrize(
    "options",
    [(), ("-Wl,--gc-sections",), ("-pie", "-Wl,--gc-sections"), ("-no-pie", "-static"),
     ("-Wl,--icf=all", "-Wl,--gc-sections")],
    ids=lambda o: " ".join(o) or "plain")
@pytest.mark.parametrize("ld", LINKERS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_set_is_exact_whatever_the_linker_drops(sdt, walk, compiler, ld, options):
    """COMDAT copies, --gc-sections, ICF, static: the set lists what is in the text. Exceptions
    pass functions with sites, which also proves the unwind tables."""
    if "-Wl,--icf=all" in options and ld == "bfd":
        options = ("-Wl,--gc-sections", "-Wl,-z,start-stop-gc")  # bfd has no ICF
    flags = ["-fPIE"] if "-pie" in options else []
    objects = program_with_dead_code(sdt, compiler, *flags)
    exe = sdt.link(*objects, walk, linker(ld), *options, runtime=None, compiler="clang++")
    listed = sorted(rows(sdt.run(exe)))
    view = ElfView(exe)
    base = view.symbol("__executable_start").value
    listed_at = sorted({int(row[0], 16) + base for row in listed})
    assert listed_at == disabled_sites(view)
    names = {row[4] for row in listed}
    assert {"inl", "tmpl", "virt", "thrown"} <= names
    # lld collects dead code by default; bfd does when told to, but for the first sdt_sites section
    # of the link, which __start_sdt_sites refers to. gold and mold keep whatever has sites.
    functions = {row[3] for row in listed}
    if "-Wl,--gc-sections" in options and (ld == "lld" or "start-stop-gc" in str(options)):
        assert "_Z5dead2i" not in functions
        assert ld == "bfd" or "dead" not in names


@pytest.mark.parametrize("ld", LINKERS)
def test_all_sites_collected(sdt, ld):
    """A program whose probed functions are all dead links and runs. lld's set is empty; the others
    keep the first section of sites, which the set's bounds refer to: bfd as well, although it is
    told not to, since the second reference to a bound counts for it (the calls that keep bounds
    out of the dynamic symbols)."""
    dead = sdt.compile(sdt.write("dead.c", DECLARE + "PROBE(a, b);\n"
                                 "void dead(void) { HIT(a, b, 1, 2); }\n"
                                 "int main(void) { return 0; }"), "-ffunction-sections", "-fPIE")
    extra = ["-Wl,-z,start-stop-gc"] if ld == "bfd" else []
    exe = sdt.link(sdt.process(dead), linker(ld), "-pie", "-Wl,--gc-sections", *extra,
                   runtime=None, compiler="clang")
    sdt.run(exe)
    assert len(ElfView(exe).sites()) == (0 if ld == "lld" else 1)


def test_icf_does_not_merge_different_probes(sdt, walk):
    source = DECLARE + """
PROBE(a, one); PROBE(a, two);
__attribute__((noinline)) void f1(long x) { HIT(a, one, x, x); }
__attribute__((noinline)) void f2(long x) { HIT(a, two, x, x); }
int sdt_walk(void);
int main(int c, char **v) { f1(c); f2(c); return sdt_walk(); }
"""
    obj = sdt.process(sdt.compile(sdt.write("icf.c", source), "-ffunction-sections"))
    for ld in ("gold", "lld", "mold"):
        exe = sdt.link(obj, walk, linker(ld), "-Wl,--icf=all", runtime=None, compiler="clang")
        assert sorted(r[4] for r in rows(sdt.run(exe))) == ["one", "two"]


def test_shared_library_has_its_own_set_and_no_text_relocations(sdt):
    obj = sdt.process(sdt.compile(sdt.write("lib.c", FORMS), "-fPIC"))
    walk = sdt.compile(sdt.write("nowalk.c", "int sdt_walk(void) { return 0; }"), "-fPIC")
    for ld in LINKERS:
        lib = sdt.link(obj, walk, "-shared", "-Wl,-z,defs", "-Wl,-z,text", linker(ld), runtime=None,
                       compiler="clang", name=f"lib{ld}.so")
        view = ElfView(lib)
        assert len(view.sites()) == 6
        table = view.section("sdt_sites")
        dynamic = [s for s in view.sections if s.name.startswith(".rela.")]
        places = {offset for s in dynamic for offset in
                  (int.from_bytes(s.data[i:i + 8], "little") for i in range(0, s.size, 24))}
        assert not [p for p in places if table.address <= p < table.address + table.size]


def test_static_functions_of_one_name(sdt, walk):
    for n in (1, 2):
        sdt.write(f"f{n}.c", DECLARE + f"PROBE(a, p{n});\nstatic __attribute__((noinline)) "
                  f"void same(int x) {{ HIT(a, p{n}, x, 0); }}\nvoid f{n}(int x) {{ same(x); }}")
        sdt.compile(sdt.dir / f"f{n}.c")
    main = sdt.compile(sdt.write("main.c", "int sdt_walk(void); void f1(int), f2(int);\n"
                                 "int main(void) { f1(1); f2(2); return sdt_walk(); }"))
    joined = sdt.path("joined.o")
    sdt.command("ld", "-r", "-o", joined, sdt.path("f1.o"), sdt.path("f2.o"), main)
    exe = sdt.link(sdt.process(joined), walk, runtime=None)
    assert sorted((r[4], r[3]) for r in rows(sdt.run(exe))) == [("p1", "same"), ("p2", "same")]


def test_function_names_lose_compiler_suffixes(sdt):
    asm = ".text\n" + "".join(
        f".globl {name}\n.type {name},@function\n{name}: call __dtrace_sdt_a___b\n ret\n"
        f".size {name},.-{name}\n" for name in
        ("f.cold", "g.isra.0", "h.constprop.12.cold", "i.part.0", "plain", "v1.2", "k.__part.3"))
    asm += "j.__part.1: call __dtrace_sdt_a___b\n.size j.__part.1,.-j.__part.1\n"
    asm += ".type nosize,@function\nnosize: nop\n call __dtrace_sdt_a___b\n"
    asm += '.section .text.bare,"ax"\n call __dtrace_sdt_a___b\n'
    view = ElfView(sdt.process(sdt.compile(sdt.write("names.S", asm))))
    assert [s.function for s in view.sites()] == ["f", "g", "h", "i", "plain", "v1.2", "k", "j",
                                                  "nosize", None]


def test_aliases_prefer_the_global_name(sdt):
    asm = (".text\n.type zlocal,@function\nzlocal:\n.weak weak\n.type weak,@function\nweak:\n"
           ".globl glob\n.type glob,@function\nglob: call __dtrace_sdt_a___b\n ret\n"
           ".size glob,.-glob\n.size weak,.-weak\n.size zlocal,.-zlocal\n")
    site, = ElfView(sdt.process(sdt.compile(sdt.write("alias.S", asm)))).sites()
    assert site.function == "glob"


def test_custom_and_unusual_text_sections(sdt, walk):
    source = DECLARE + """
PROBE(a, custom); PROBE(a, start); PROBE(a, cold);
int sdt_walk(void);
__attribute__((section("my_text"), noinline)) void custom(long x) { HIT(a, custom, x, 0); }
__attribute__((constructor)) static void start(void) { HIT(a, start, 0, 0); }
__attribute__((cold, noinline)) void cold(long x) { HIT(a, cold, x, 0); }
int main(int c, char **v) { custom(c); cold(c); return sdt_walk(); }
"""
    obj = sdt.process(sdt.compile(sdt.write("custom.c", source)))
    assert len(ElfView(obj).sections_named("sdt_sites")) == 3
    exe = sdt.link(obj, walk, runtime=None)
    assert sorted(r[4] for r in rows(sdt.run(exe))) == ["cold", "custom", "start"]


def test_four_part_names_override_module_and_function(sdt, walk):
    source = """
extern void __dtrace_sdt_vfs___mod___fn___entry(long) __attribute__((visibility("hidden")));
extern void __dtrace_sdt_vfs_________entry(long) __attribute__((visibility("hidden")));
int sdt_walk(void);
__attribute__((noinline)) void f(long x)
{ __dtrace_sdt_vfs___mod___fn___entry(x); __dtrace_sdt_vfs_________entry(x); __asm__ volatile(""); }
int main(void) { f(1); return sdt_walk(); }
"""
    exe = sdt.link(sdt.process(sdt.compile(sdt.write("four.c", source))), walk, runtime=None)
    listed = rows(sdt.run(exe))
    assert [r[1:5] for r in listed] == [["vfs", "mod", "fn", "entry"], ["vfs", "-", "f", "entry"]]
    assert len({s.probe for s in ElfView(exe).sites()}) == 1


def test_arguments_from_descriptors(sdt, walk):
    source = '#include <sdt/probe.h>\n' + """
int sdt_walk(void);
struct s;
__attribute__((noinline)) void f(int i, struct s *p, double d, unsigned char c)
{ SDT_PROBE(app, args, i, p, d, c, (short)i, 7ul, (float)d, p); SDT_PROBE(app, none); }
int main(void) { f(1, 0, 2.0, 3); return sdt_walk(); }
"""
    obj = sdt.process(sdt.compile(sdt.write("args.c", source), "-DSDT_CALL_SITES"))
    view = ElfView(obj)
    assert all(s.size == 0 for s in view.sections_named(".sdt_args"))
    exe = sdt.link(obj, walk, runtime=None)
    listed = {r[4]: r for r in rows(sdt.run(exe))}
    assert listed["args"][9] == ("-4@%rdi 8p@%rsi 8f@%rdx 1@%rcx -2@%r8 8@%r9 4f@0(%rsp) "
                                  "8p@8(%rsp)")
    assert listed["args"][6:8] == ["8", "64"] and listed["none"][6:8] == ["0", "64"]  # NOTE
    assert listed["none"][9] == "-"


def test_untyped_without_descriptor(sdt):
    sites = ElfView(sdt.process(sdt.compile(sdt.write("forms.c", FORMS)))).sites()
    calls = [s for s in sites if s.kind == "call"]
    assert {(s.flags, s.nargs, s.args) for s in calls} == {
        (UNTYPED | NOTE, 6, "8@%rdi 8@%rsi 8@%rdx 8@%rcx 8@%r8 8@%r9")}
    assert {(s.flags, s.nargs, s.args) for s in sites if s.kind.startswith("enabled")} == {
        (0, 0, None)}


def test_address_taken_stub_stays_callable(sdt, walk):
    source = DECLARE + """
PROBE(a, b); ENABLED(a, b);
int sdt_walk(void);
void (*pointer)(unsigned long, unsigned long) = __dtrace_sdt_a___b;
int (*asks)(void) = __dtrace_sdtenabled_a___b;
__attribute__((noinline)) void f(long x) { HIT(a, b, x, 0); }
__attribute__((noinline)) void *g(void) { return (void *)__dtrace_sdt_a___b; }
int main(void) { f(1); pointer(1, 2); return g() != (void *)pointer || asks() || sdt_walk(); }
"""
    raw = sdt.compile(sdt.write("taken.c", source))
    result = sdt.sdtlink("-o", sdt.path("taken.sdt.o"), raw)
    assert result.stderr.count("warning:") == 2
    assert "against __dtrace_sdt_a___b: the probe's address is taken" in result.stderr
    assert "against __dtrace_sdtenabled_a___b" in result.stderr
    obj = sdt.path("taken.sdt.o")
    assert ElfView(obj).symbol("__dtrace_sdt_a___b").bind == "WEAK"
    for ld in LINKERS:
        exe = sdt.link(obj, walk, linker(ld), runtime=None, compiler="clang")
        assert [r[3] for r in rows(sdt.run(exe))] == ["f"]
    again = sdt.process(obj, name="again.o")
    assert again.read_bytes() == obj.read_bytes()
    # Calls to our definition are still sites: partial link with an unprocessed object.
    more = sdt.compile(sdt.write("more.c", DECLARE + "PROBE(a, b);\n"
                                 "void more(void) { HIT(a, b, 1, 2); }"))
    sdt.command("ld", "-r", "-o", sdt.path("joined.o"), obj, more)
    exe = sdt.link(sdt.process(sdt.path("joined.o")), walk, runtime=None)
    assert sorted(r[3] for r in rows(sdt.run(exe))) == ["f", "more"]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_gcc_lto_free_partial_link_of_many_objects(sdt, walk, compiler):
    """An `ld -r` of many objects with the same probes, processed as one."""
    objects = []
    for i in range(40):
        objects.append(sdt.compile(sdt.write(f"m{i}.c", DECLARE + f"PROBE(a, p{i % 7});\n"
                                   f"void m{i}(long x) {{ HIT(a, p{i % 7}, x, {i}); }}"),
                                   compiler=compiler))
    objects.append(sdt.compile(sdt.write("main.c", "int sdt_walk(void); int main(void) "
                                                   "{ return sdt_walk(); }")))
    joined = sdt.path("joined.o")
    sdt.command("ld", "-r", "-o", joined, *objects)
    exe = sdt.link(sdt.process(joined), walk, runtime=None)
    listed = rows(sdt.run(exe))
    assert len({r[0] for r in listed}) == 40
    assert sorted({r[4] for r in listed}) == [f"p{i}" for i in range(7)]


def test_more_sections_than_16_bits_can_count(sdt, walk):
    """66 000 sections already in the input: extended indexes everywhere."""
    lines = [".text"]
    for i in range(66000):
        lines.append(f'.section .text.s{i},"ax",@progbits\n.byte 0xc3')
    for i in range(3):
        lines.append(f'.section .text.p{i},"ax",@progbits\n.globl p{i}\n.type p{i},@function\n'
                     f"p{i}: call __dtrace_sdt_a___b\n jmp __dtrace_sdt_a___c\n.size p{i},.-p{i}")
    lines.append('.section .note.GNU-stack,"",@progbits')
    obj = sdt.process(sdt.compile(sdt.write("many.S", "\n".join(lines) + "\n")))
    result = subprocess.run(["readelf", "-hSW", str(obj)], capture_output=True, text=True,
                            check=True)
    assert result.stderr == ""
    main = sdt.compile(sdt.write("main.c", "int sdt_walk(void); void p0(void), p1(void), p2(void);"
                                 "int main(void) { p0(); p1(); p2(); return sdt_walk(); }"))
    for ld in ("bfd", "lld"):
        exe = sdt.link(obj, main, walk, linker(ld), runtime=None, compiler="clang")
        assert sorted((r[3], r[4]) for r in rows(sdt.run(exe))) == sorted(
            (f"p{i}", n) for i in range(3) for n in "bc")


def test_section_count_grows_past_16_bits(sdt, walk):
    """65 100 sections without extended indexes become more than 65 280 with them."""
    lines = [f'.section .text.s{i},"ax",@progbits\n.byte 0xc3' for i in range(63700)]
    for i in range(700):
        lines.append(f'.section .text.p{i},"ax",@progbits\n.globl p{i}\n.type p{i},@function\n'
                     f"p{i}: call __dtrace_sdt_a___b\n ret\n.size p{i},.-p{i}")
    raw = sdt.compile(sdt.write("grow.S", "\n".join(lines) + "\n"))
    assert not ElfView(raw).sections_named(".symtab_shndx")
    obj = sdt.process(raw)
    main = sdt.compile(sdt.write("main.c", "int sdt_walk(void); void p699(void);\n"
                                 "int main(void) { p699(); return sdt_walk(); }"))
    exe = sdt.link(obj, main, walk, "-fuse-ld=lld", runtime=None, compiler="clang")
    assert len(rows(sdt.run(exe))) == 700


def test_clang_addrsig_is_renumbered(sdt):
    """.llvm_addrsig holds symbol indexes; lld --icf=safe depends on them."""
    source = DECLARE + """
PROBE(a, b);
int x, y;
void f1(void) { HIT(a, b, 1, 2); }
void f2(void) { y++; }
void *table[] = { f1, f2, &x };
"""
    raw = sdt.compile(sdt.write("sig.c", source), "-faddrsig", compiler="clang")

    def names(path):
        out = sdt.command("llvm-readobj", "--addrsig", path).stdout
        return re.findall(r"Sym: (\S*)", out)
    assert names(raw) and [n for n in names(raw) if not n.startswith("__dtrace")] == \
        names(sdt.process(raw))


def test_unwinding_through_stubs_and_loaders(sdt):
    """Every added piece of code has an FDE."""
    obj = sdt.process(sdt.compile(sdt.write("forms.c", FORMS)))
    exe = sdt.link(obj, sdt.compile(sdt.write("w.c", "int sdt_walk(void) { return 0; }")),
                   runtime=None)
    frames = sdt.command("readelf", "--debug-dump=frames-interp", "-W", exe).stdout
    ranges = [(int(a, 16), int(b, 16)) for a, b in
              re.findall(r"FDE cie=\S+ pc=([0-9a-f]+)\.\.([0-9a-f]+)", frames)]
    view = ElfView(exe)
    tail, = [s for s in view.sites() if s.kind == "tail"]
    loader = tail.pc + 5 + int.from_bytes(view.bytes(tail.pc + 1, 4), "little", signed=True)
    for place in [loader] + [s.stub for s in view.sites()]:
        assert any(a <= place < b for a, b in ranges)
