# SPDX-License-Identifier: BSD-2-Clause
"""The second reader on aarch64: veneers and landing pads of linkers, handlers that promise to leave
vector registers alone; each kind of damage is reported by name: one word changed with pyelftools,
in an object and in a linked file. Right files are in test_machine_verify.py."""
import re
import struct

import pytest

from conftest import INCLUDE, PROGRAMS
from cross import need
from machines import AARCH64
from patched import (CALL, ENABLED, INLINE, JCC, MOVED, PC, PROBE, R_NONE, TAIL, Patched,
                     assert_all_named, assert_named, changed, copy_record, flip,
                     needs_verify, set_kind, shift)
from test_aarch64 import CLANG, GCC, LINKERS, compiled, emulated, linked
from test_machine_verify import MAIN, made_of  # noqa: F401 (made_of is a fixture)

pytestmark = [needs_verify, pytest.mark.aarch64]

NOP, RET, BRK = 0xD503201F, 0xD65F03C0, 0xD420BAE0


@pytest.fixture
def made(made_of):  # noqa: F811
    return made_of(AARCH64)


# ---- right files ----

def test_branches_of_one_site_may_come_from_folded_functions(sdt):
    """lld --icf=all: one text, several records."""
    lld = [linker for linker in LINKERS if linker.startswith("lld")]
    if not lld:
        pytest.skip("this machine has no lld")
    text = "".join(f"long __attribute__((noinline)) twin{i}(long x)\n{{\n    if (x)\n"
                   "        __dtrace_sdt_v___twin(x);\n    return x;\n}\n" for i in range(2))
    source = sdt.write("twins.c", "void __dtrace_sdt_v___twin(long);\n" + text +
                       "int main(int argc, char **argv)\n{\n    (void)argv;\n"
                       "    return (int)(twin0(argc) + twin1(argc));\n}\n")
    obj = sdt.process(compiled(sdt, f"{GCC} -O2 -ffunction-sections", source=source))
    exe = linked(sdt, obj, "-Wl,--icf=all", linker=lld[-1])
    assert sdt.sdtlink("verify", exe).stdout.endswith(": 2 sites, 1 probe: ok\n")


ERRATUM = """
    .text
    .balign 4096
    .globl work
    .type work, %function
work:
    .fill 1022, 4, 0xd503201f       /* nop */
    adrp x0, var                    /* at 0xff8 of a page, then two loads: erratum 843419 */
    ldr x1, [x2]
    ldr x0, [x0, #:lo12:var]
    b __dtrace_sdt_v___last
    .fill 6, 4, 0xd503201f          /* to 32 bytes, which is what stubs are aligned to */
    .size work, .-work
    .data
    .skip 8
var: .quad 1
"""


def test_what_bfd_puts_in_for_an_erratum_is_no_tail_call(sdt):
    """A page between code and stubs, with a jump over it, which is one to a stub. Debian's gcc
    asks ld for that."""
    obj = compiled(sdt, GCC, source=sdt.write("in.s", ERRATUM))
    main = compiled(sdt, GCC, source=sdt.write("main.c", MAIN), name="main.o")
    exe = linked(sdt, main, sdt.process(obj), "-Wl,--fix-cortex-a53-843419,-u,work")
    file = Patched(exe)
    jump = file.symbol("work") + 0x1020
    assert file.data[file.at(jump):][:8] == bytes.fromhex("00 04 00 14 1f 20 03 d5"), "b stub; nop"
    assert file.stub(TAIL) == jump + 0x1000
    sdt.sdtlink("verify", exe)
    for damage, (at, value) in {"no nop": (4, RET), "no way back": (12, RET),
                                "something else": (0x800, RET), "a call": (0, 0x94000400)}.items():
        file = Patched(exe)
        file.word(jump + at, value)
        message = f"expected a record of this `b{'l' if damage == 'a call' else ''}` to"
        assert_named(sdt, message, file.save("bad"))


def test_words_of_tables_are_no_branches(sdt, made):
    """Data among the code that looks like a call of a stub; the symbol table says what it is."""
    file = Patched(made.path("exe"))
    table = file.symbol("room") + 12
    file.put(file.at(table), branch(0x94000000, table, file.stub()))
    assert sdt.sdtlink("verify", file.save("table")).stdout.endswith(": ok\n")


# ---- changes of the linked file ----

def branch(operation, source, to):
    return struct.pack("<I", operation | ((to - source) // 4 & 0x3FFFFFF))


def loader_of(kind):
    """Changes of the four words that a moved site begins."""
    return lambda file, index, value: file.word(file.site(kind) + 4 * index, value)


tail, jcc, question = loader_of(TAIL), loader_of(JCC), loader_of(ENABLED)


def in_room(file, operation, to):
    room = file.symbol("room")
    file.put(file.at(room), branch(operation, room, to))


def aim(file, function, to, index=1):
    """The branch of FUNCTION, its word number INDEX, leads to TO."""
    at = file.symbol(function) + 4 * index
    value = file.get(file.at(at), "<I")
    if value >> 26 in (5, 37):
        value = value & 0xFC000000 | (to - at) // 4 & 0x3FFFFFF
    else:
        value = value & 0xFF00001F | ((to - at) // 4 & 0x7FFFF) << 5
    file.word(at, value)


OFF_CALL = "v:call: expected nop, found"
A_LOADER, A_STUB = "v:tail: expected a loader for the site", "expected the probe's stub"
AN_ENTRY = "v:inline: expected an entry for the site at"
ENTRY_CALLS = "v:inline: expected the entry to call what"
ENTRY_GOES_ON = "v:inline: expected the entry to go on at"
ONE_BRANCH = "v:condition: expected one branch of its kind that leads here"
A_RECORD = "expected a record of this disabled site"
LINKED = {
    "an armed call": (
        lambda f: f.put(f.at(f.site(CALL)), branch(0x94000000, f.site(CALL), f.stub())), OFF_CALL),
    "a breakpoint": (lambda f: f.word(f.site(CALL), BRK), "v:call: expected nop, found e0 ba 20"),
    "another hint": (lambda f: f.word(f.site(CALL), 0xD503203F), "v:call: expected nop, found 3f"),
    "a shifted call": (lambda f: shift(f, CALL, PC, by=4), OFF_CALL),
    "a call between words": (lambda f: shift(f, CALL, PC),
                             "v:call: expected the start of an instruction, but"),
    "a site in data": (lambda f: shift(f, CALL, PC, by=f.symbol("room") + 12 - f.site(CALL)),
                       OFF_CALL),
    "an armed tail": (lambda f: tail(f, 0, NOP), "v:tail: expected b .+12, found 1f 20 03 d5"),
    "a tail to nowhere": (lambda f: tail(f, 0, 0x14000004), "v:tail: expected b .+12, found 04"),
    "a ret": (lambda f: tail(f, 0, RET), "v:tail: expected b .+12, found c0 03 5f d6"),
    "a loader of another": (lambda f: tail(f, 1, 0x10FFFFCB),
                            "v:tail: expected the loader to name the patch byte"),
    "a loader in x10": (lambda f: tail(f, 1, 0x10FFFFEA), A_LOADER),
    "a loader with bl": (lambda f: f.add_word(f.site(TAIL) + 8, 0x80000000), A_LOADER),
    "a loader that enters at 0": (lambda f: f.add_word(f.site(TAIL) + 8, -2),
                                  "v:tail: expected the loader to enter the stub at"),
    "a loader that falls through": (lambda f: tail(f, 3, NOP), "v:tail: expected a loader"),
    "a conditional one of another": (lambda f: jcc(f, 1, 0x10FFFF6B),
                                     "v:condition: expected the loader to name the patch byte"),
    "a branch that is gone": (lambda f: f.word(f.symbol("v_condition"), NOP), ONE_BRANCH),
    "a branch past the site": (lambda f: aim(f, "v_condition", f.site(JCC) + 4, 0), ONE_BRANCH),
    "a branch to the stub": (lambda f: aim(f, "v_condition", f.stub(JCC), 0),
                             "(v_condition+0x0): expected a record of this `cbnz` to"),
    "a call of a tail": (lambda f: f.add_word(f.symbol("v_tail") + 4, 0x80000000),
                         "(v_tail+0x4): v:tail: expected a branch of its kind to"),
    "a jump where one was conditional": (
        lambda f: f.put(f.at(f.symbol("v_condition")),
                        branch(0x14000000, f.symbol("v_condition"), f.site(JCC))),
        "(v_condition+0x0): v:condition: expected a branch of its kind to"),
    "a jump where a call asked": (lambda f: f.add_word(f.symbol("v_ask") + 4, -0x80000000),
                                  "(v_ask+0x4): v:call: expected a branch of its kind to"),
    "an answer that is yes": (lambda f: question(f, 0, 0x52800020), "v:call: expected mov w0, #0"),
    "an armed answer": (lambda f: question(f, 1, NOP), "v:call: expected mov w0, #0, b .+8"),
    "an answer that is always no": (lambda f: question(f, 2, 0x52800000), "v:call: expected mov"),
    "an answer without end": (lambda f: question(f, 3, NOP), "v:call: expected mov w0, #0, b .+8"),
    "a stub without landing pad": (lambda f: f.word(f.stub(), NOP), A_STUB),
    "a stub of another probe": (lambda f: f.add_word(f.stub() + 12, 0x200 << 10 >> 3),
                                "expected the stub to name its probe at"),
    "a stub in x12": (lambda f: f.add_word(f.stub() + 12, 2), A_STUB),
    "a stub that asks otherwise": (lambda f: f.add_word(f.stub() + 20, 0x01000000), A_STUB),
    "a stub that asks too far": (lambda f: f.add_word(f.stub() + 20, 1 << 5), A_STUB),
    "a stub that calls": (lambda f: f.word(f.stub() + 24, 0xD63F0200), A_STUB),
    "a stub without end": (lambda f: f.word(f.stub() + 28, NOP), A_STUB),
    "an armed inline site": (lambda f: f.put(f.at(f.site(INLINE)),
                                             branch(0x14000000, f.site(INLINE), f.stub(INLINE))),
                             "v:inline: expected nop, found"),
    "an entry that stores elsewhere": (lambda f: f.word(f.stub(INLINE), 0xF81E0FFE), AN_ENTRY),
    "an entry that calls elsewhere": (lambda f: f.add_word(f.stub(INLINE) + 8, 1 << 10),
                                      ENTRY_CALLS),
    "an entry of another page": (lambda f: f.add_word(f.stub(INLINE) + 4, 1 << 5), ENTRY_CALLS),
    "an entry that jumps": (lambda f: f.word(f.stub(INLINE) + 12, 0xD61F03C0), AN_ENTRY),
    "an entry that loses x30": (lambda f: f.word(f.stub(INLINE) + 16, 0xF84107FD), AN_ENTRY),
    "an entry that goes on elsewhere": (lambda f: f.add_word(f.stub(INLINE) + 20, -1),
                                        ENTRY_GOES_ON),
    "a forgotten call": (lambda f: in_room(f, 0x94000000, f.stub()),
                         "(room+0x0): expected a record of this `bl` to __sdt_stub_v___call"),
    "a forgotten jump": (lambda f: in_room(f, 0x14000000, f.stub() + 8),
                         "(room+0x0): expected a record of this `b` to v:call"),
    "a forgotten branch": (
        lambda f: f.word(f.symbol("room"),
                         0xB4000000 | (f.stub() - f.symbol("room")) // 4 % (1 << 19) << 5),
        "(room+0x0): expected a record of this `cbz` to __sdt_stub_v___call"),
    "a forgotten bit": (
        lambda f: f.word(f.symbol("room"),
                         0x36000000 | (f.stub() - f.symbol("room")) // 4 % (1 << 14) << 5),
        "(room+0x0): expected a record of this `tbz` to __sdt_stub_v___call"),
    "a lost record of a tail": (lambda f: copy_record(f, CALL, TAIL), A_RECORD),
    "a lost record of a branch": (lambda f: copy_record(f, CALL, JCC), A_RECORD),
    "a record twice": (lambda f: copy_record(f, TAIL, CALL),
                       "v:tail: expected a note for tracers at this site"),
    "a lost flag": (lambda f: flip(f, TAIL, MOVED),
                    "v:tail: expected the moved flag at tail, cond"),
    "an invented flag": (lambda f: flip(f, CALL, MOVED), "v:call: expected the moved flag at tail"),
    "a tail of a condition": (lambda f: set_kind(f, JCC, TAIL),
                              "(v_condition+0x0): v:condition: expected a branch of its kind to"),
    "another probe": (lambda f: f.add(f.record(CALL)[1] + PROBE, "<i",
                                      f.follow(f.record(TAIL)[0], PROBE) -
                                      f.follow(f.record(CALL)[0], PROBE)),
                      "expected the stub to name its probe at"),
}


def test_every_damage_to_a_linked_file_is_named(made, sdt):
    assert_all_named(sdt, LINKED, made.path("exe"))


# ---- veneers ----

FAR_SOURCE = """
extern void __dtrace_sdt_far___call(long a);
extern void __dtrace_sdt_far___tail(long a);
extern int __dtrace_sdtenabled_far___tail(void);
#define FAR __attribute__((noinline, section(".far")))
FAR long far_call(long a) { __dtrace_sdt_far___call(a); return a; }
FAR void far_tail(long a) { __dtrace_sdt_far___tail(a + 1); }
FAR int far_ask(void) { return __dtrace_sdtenabled_far___tail() + 1; }
int main(void) { far_tail(2); return (int)far_call(1) - far_ask(); }
"""
FAR = "-Wl,--section-start=.far=0x20000000,--section-start=.text=0x29000000"


def veneer_of(file, function, index=1):
    """Where the word number INDEX of FUNCTION branches to: a linker's veneer."""
    at = file.symbol(function) + 4 * index
    value = file.get(file.at(at), "<I")
    assert value >> 26 in (5, 37)
    return at + ((value << 2 & 0xFFFFFFF) ^ 1 << 27) - (1 << 27)


def lead(file, veneer, to):
    """Make VENEER lead to TO."""
    if file.get(file.at(veneer), "<I") == 0x58000050:  # ldr x16, #8
        file.put(file.at(veneer) + 8, struct.pack("<Q", to))
        return
    pages = (to >> 12) - (veneer >> 12)
    file.word(veneer, 0x90000010 | (pages & 3) << 29 | (pages >> 2 & 0x7FFFF) << 5)
    file.word(veneer + 4, 0x91000210 | (to & 0xFFF) << 10)


@pytest.mark.plain
@pytest.mark.parametrize("flags", [["-no-pie"], ["-pie"]], ids=["fixed", "pie"])
@pytest.mark.parametrize("linker", LINKERS)
def test_veneers_are_followed(sdt, linker, flags):
    """Functions 144 MiB from their loaders and stubs: each linker writes veneers of its own, which
    lead to the right place, as the program shows. One that leads elsewhere is reported, and a
    branch by one to the stub, too."""
    need("qemu-aarch64")
    pic = "-fPIE" if flags == ["-pie"] else "-fno-pie"
    obj = compiled(sdt, f"{GCC} -O2 {pic}", source=sdt.write("far.c", FAR_SOURCE))
    exe = linked(sdt, sdt.process(obj), *flags, FAR, linker=linker)
    assert sdt.sdtlink("verify", exe).stdout == f"{exe}: 3 sites, 2 probes: ok\n"
    emulated(sdt, exe)
    wrong = {}
    for name, change in {"tail": lambda f: lead(f, veneer_of(f, "far_tail"), f.site(TAIL) + 4),
                         "ask": lambda f: lead(f, veneer_of(f, "far_ask", 2), f.site(TAIL)),
                         "stub": lambda f: lead(f, veneer_of(f, "far_tail"), f.stub())}.items():
        file = Patched(exe)
        change(file)
        wrong[name] = file.save(name)
    said = sdt.sdtlink("verify", *wrong.values(), status=1).stdout
    for name, message in {"tail": "far:tail: expected one branch of its kind that leads here",
                          "ask": "(far_ask+0x8): far:tail: expected a branch of its kind to",
                          "stub": "(far_tail+0x4): expected a record of this `b` to"}.items():
        assert re.search(re.escape(f"{wrong[name]}: ") + ".*" + re.escape(message), said), said


PADS_SOURCE = FAR_SOURCE + """
__attribute__((naked)) void room(void) { __asm__("nop; nop; nop; nop; nop; nop; nop; nop"); }
"""


def pad(file, number, to):
    """A landing pad for TO, in the room that there is for it."""
    at = file.symbol("room") + 8 * number
    file.word(at, 0xD503245F)  # bti c
    file.word(at + 4, 0x14000000 | (to - at - 4) >> 2 & 0x3FFFFFF)
    return at


def test_landing_pads_are_followed(sdt):
    """As bfd 2.44 writes them, by hand: veneer, pad, loader or answer. The program runs by them. A
    pad that leads elsewhere is reported."""
    need("qemu-aarch64")
    obj = compiled(sdt, f"{GCC} -O2 -fPIE -mbranch-protection=standard",
                   source=sdt.write("far.c", PADS_SOURCE))
    exe = linked(sdt, sdt.process(obj), "-pie", FAR)
    right, wrong = Patched(exe), Patched(exe)
    answer = right.site(TAIL) + 16
    for file, beyond in (right, 0), (wrong, 8):
        for number, (function, index, to) in enumerate([("far_tail", 2, file.site(TAIL)),
                                                        ("far_ask", 3, answer + beyond)]):
            lead(file, veneer_of(file, function, index), pad(file, number, to))
    good = right.save("good")
    assert sdt.sdtlink("verify", good).stdout == f"{good}: 3 sites, 2 probes: ok\n"
    emulated(sdt, good)
    bad = wrong.save("bad")
    assert "far:tail: expected one branch of its kind that leads here, found 0" in \
        sdt.sdtlink("verify", bad, status=1).stdout


@pytest.mark.parametrize("linker", [linker for linker in LINKERS if linker != "gold"])  # no BTI
def test_landing_pads_of_linkers(sdt, linker):
    obj = compiled(sdt, f"{GCC} -O2 -fPIE -mbranch-protection=standard",
                   source=sdt.write("far.c", FAR_SOURCE))
    exe = linked(sdt, sdt.process(obj), "-pie", "-Wl,-z,force-bti", FAR, linker=linker)
    assert sdt.sdtlink("verify", exe).stdout == f"{exe}: 3 sites, 2 probes: ok\n"


# ---- changes of the object ----

def relocation(file, function, index, kind):
    """File offset of the relocation of this type of FUNCTION's word number INDEX."""
    offset = file.symbol(function) + 4 * index
    found, = [at for at, r in file.relas(".rela.text")
              if r["r_offset"] == offset and (r["r_info_type"] == R_NONE) == (kind == R_NONE)]
    return found


def first_of(file, section, kind):
    return next(at for at, r in file.relas(section) if r["r_info_type"] == kind)


def lose_anchor(file, function, index):
    file.put(relocation(file, function, index, R_NONE) + 12, struct.pack("<I", 0))


def join_tails(file):
    one, two = (relocation(file, name, 1, 283) for name in ("v_tail", "v_tail2"))
    file.put(two + 8, file.data[one + 8:one + 24])


def call_again(file):
    """A site's relocation is that of the call once more: a linker would arm it for ever."""
    at = relocation(file, "v_call", 1, R_NONE)
    stub_of = next(i for i, s in enumerate(file.section(".symtab").iter_symbols())
                   if s.name == "__sdt_stub_v___call")
    file.put(at, struct.pack("<QIIq", file.get(at, "<Q"), 283, stub_of, 0))


def text_word(file, function, index, value):
    start = file.section(".text")["sh_offset"] + file.symbol(function) + 4 * index
    file.put(start, struct.pack("<I", value))


JUMP26, PAGE, LOW, LOW_LOAD = 282, 275, 277, 286
OBJECT = {
    "an anchor that is gone": (lambda f: lose_anchor(f, "v_call", 1),
                               "v:call: expected R_AARCH64_NONE here against sdt_sites"),
    "an anchor of a branch": (lambda f: lose_anchor(f, "v_condition", 0),
                              "v:condition: expected R_AARCH64_NONE here against sdt_sites"),
    "a branch elsewhere": (lambda f: f.add(relocation(f, "v_condition", 0, 280) + 16, "<q", 8),
                           "v:condition: expected one branch of its kind that leads here, found 0"),
    "two branches to one site": (join_tails,
                                 "v:tail: expected one branch of its kind that leads here, found"),
    "a call again": (call_again, OFF_CALL),
    "a stub of half a pair": (
        lambda f: f.put(first_of(f, ".rela.text.sdt_stub", LOW) + 8, struct.pack("<I", R_NONE)),
        "expected the stub to name its probe at"),
    "a stub of two probes": (lambda f: f.add(first_of(f, ".rela.text.sdt_stub", LOW) + 16, "<q", 8),
                             "expected the stub to name its probe at"),
    "an entry that calls elsewhere": (
        lambda f: [f.add(first_of(f, ".rela.text.sdt_entry", kind) + 16, "<q", 8)
                   for kind in (PAGE, LOW_LOAD)], ENTRY_CALLS),
    "an entry that goes on elsewhere": (
        lambda f: f.add(first_of(f, ".rela.text.sdt_entry", JUMP26) + 16, "<q", 4), ENTRY_GOES_ON),
    "a word of another type": (
        lambda f: f.put(first_of(f, ".relasdt_sites", 261) + 8, struct.pack("<I", 260)),
        "expected R_AARCH64_PREL32, found relocation type 260"),
    "another instruction": (lambda f: text_word(f, "v_tail", 0, 0x91000800),
                            "expected the byte 04 of the original"),
    "a condition turned round": (lambda f: text_word(f, "v_condition", 0, 0xB4000000),
                                 "expected the byte b5 of the original"),
}


@pytest.mark.parametrize("damage", OBJECT)
def test_damage_to_an_object_is_named(sdt, made, damage):
    change, message = OBJECT[damage]
    bad = changed(made.path("all.o"), change)
    assert_named(sdt, message, "--against", made.path("raw.o"), bad)


# ---- handlers of SDT_GENERAL_REGS ----

PROMISES = {
    "": None,
    "DOUBLE": r"on_double: expected general registers only, found `scvtf d\d+, x\d+` "
              r"\(on_double -> helper -> add\)",
    "COPY": r"on_copy: cannot be followed: another \w+ has strlen \(on_copy",
    "STATE": r"on_state: expected general registers only, found `msr FPCR, x\d+` \(on_state",
    "POINTER": r"on_pointer: cannot be followed: unknown target of blr x\d+ \(on_pointer\)",
}


def promised(sdt, name, *flags):
    """The object with handlers, one of which keeps its promise, and the others by NAME not."""
    return compiled(sdt, f"{GCC} -O2 -fPIC -I {INCLUDE} -DENTRY=start", *flags,
                    *[f"-DBREAK_{name}"][:len(name)], source=PROGRAMS / "verify_promise.c",
                    name=f"promise{name}.o")


@pytest.mark.parametrize("linker", LINKERS)
def test_handlers_are_followed(sdt, linker):
    """Also through PLTs, plain and with landing pads and authenticated targets. gcc alone makes
    the promise on this machine."""
    objects = {name: promised(sdt, name) for name in PROMISES}
    files = {name: linked(sdt, obj, "-shared", linker=linker, name=f"lib{name}")
             for name, obj in objects.items()}
    if linker == "bfd":
        files["BTI"] = linked(sdt, promised(sdt, "COPY", "-mbranch-protection=standard"),
                              "-nostdlib", "-shared", "-Wl,-z,force-bti,-z,pac-plt", name="bti")
        objects["BTI"] = promised(sdt, "COPY", "-mbranch-protection=standard")
    said = sdt.sdtlink("verify", *files.values(), *objects.values(), status=1).stdout.splitlines()
    for name in files:
        for path in (files[name], objects[name]):
            *lines, last = [line for line in said if line.startswith(f"{path}: ")]
            if not name:
                assert not lines and last.endswith(", 1 handler of general registers: ok")
                continue
            assert last.endswith(", 2 handlers of general registers: 1 defect"), lines
            assert re.search(PROMISES["COPY" if name == "BTI" else name], lines[0]), lines


def without_vectors(sdt, clang, name):
    """What CLANG does of a function with target("NAME") that adds two doubles: "ignored", or "soft"
    where it calls software arithmetic and names no register of floating point."""
    source = sdt.write("double.c", DOUBLES)
    obj = compiled(sdt, f"{clang} -O2", f"-DWITHOUT=\"{name}\"", source=source, name="double.o")
    code = sdt.command("llvm-objdump", "-dr", "--no-show-raw-insn", obj).stdout
    is_soft = "__adddf3" in code and "__fixdfsi" in code
    assert is_soft != bool(re.search(r"\b[dqsv]\d", code)), code
    return "soft" if is_soft else "ignored"


DOUBLES = """
extern double half(int);
__attribute__((target(WITHOUT))) int whole(int x) { return (int)(half(x) + half(x)); }
"""


@pytest.mark.parametrize("clang", CLANG)
def test_why_clang_makes_no_promise(sdt, clang):
    """It ignores gcc's name, and one or both of its own, which one depends on the version. With the
    other it takes a double from x0, where no function leaves one. gcc says that this cannot be."""
    assert without_vectors(sdt, clang, "general-regs-only") == "ignored"
    assert "soft" in [without_vectors(sdt, clang, name) for name in ("no-fp-armv8", "nofp")]
    refused = sdt.command(*GCC.split(), "-c", "-DWITHOUT=\"general-regs-only\"",
                          sdt.path("double.c"), "-o", sdt.path("x.o"), status=1)
    assert "-mgeneral-regs-only" in refused.stderr
