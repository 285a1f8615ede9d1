# SPDX-License-Identifier: BSD-2-Clause
"""The seam: what is specific to an architecture is in the arch folders, and nowhere else.

The generic sources are searched, comments excluded, for what only one machine has: instructions,
as bytes, words or text, registers, the machine's name; and for relocation types, in comments as
well. So another architecture is a folder."""
import re

import pytest

from conftest import ROOT

pytestmark = pytest.mark.nosan  # runs no tool

# What `list --check` tells people, of which machine.
RULES = ["sdtlink/check/rules_args.c", "sdtlink/check/rules_file.c"]

# Folders of generic sources, and what in them is searched no further: the arch folders, and public
# headers, in which the compiler of the user chooses.
FOLDERS = {
    "base": [],
    "sdtlink/check": ["sdtlink/check/machines", *RULES],
    "sdtlink/verify": ["sdtlink/verify/machines"],
    "runtime": ["runtime/arch", "runtime/include"],
    "sdtlink": ["sdtlink/arch", "sdtlink/verify", "sdtlink/check", "sdtlink/list/machines"],
    "sdt": ["sdt/list.c"],  # the format's kinds of sites, one of which is jcc
}

# Numbers of a standard of their own, DWARF's: bytes of instructions by accident.
OTHER_NUMBERS = ["sdtlink/dwarf/dwarf.c", "sdtlink/dwarf/dwarf.h"]

# What is still on the wrong side of the seam: file -> how many lines. It only shrinks.
LEFT = {
}

WORDS = {
    "names the architecture": r"\w*(?:x86|i[3-6]86|amd64|aarch64|arm64|risc_?v|loongarch)\w*"
                              r"|\bEM_(?!NONE\b)\w+",
    # An underscore ends a name here: RBP_KEPT and mc_gregs[REG_RIP] are names of registers as well.
    "names a register": r"(?<![A-Za-z0-9])(?:[re](?:ax|bx|cx|dx|si|di|bp|sp|ip|flags)"
                        r"|r(?:8|9|1[0-5])[dwbl]?|[xyz]mm(?:[12]?[0-9]|3[01])?"
                        # x0 to x15 are also coordinates; ra, a0 and s0 of riscv64, anything.
                        r"|[xw](?:1[6-9]|2[0-9]|30|zr)|nzcv|fp[cs]r|fcsr|tpidr\w*|elr|lr"
                        r")(?![A-Za-z0-9])",
    "names an instruction": r"(?<![A-Za-z0-9])(?:int3|jmp|jcc|ret|nop[wl]|endbr(?:64)?|rdtscp?"
                            r"|f?xsavec?|fxsave|cpuid|xgetbv"
                            r"|(?<!r_)brk|bti|paciasp|autiasp|adrp|blr|cbn?z|tbn?z|ld[ax]x?r"
                            r"|st[lx]x?r|svc"
                            r"|auipc|jalr?|(?:c\.)?ebreak|ecall|fence[._]i|c\.jr?)(?![A-Za-z0-9])",
    # Not an empty one, which stops the compiler, one of directives, or a name for a symbol.
    "holds assembly": r"\b(?:__asm__|asm)\b(?!\"|\s*(?:volatile|__volatile__)?"
                      r"\s*\(\s*\"[\"._])",
}

# First bytes of instructions, prefixes, and ModRM bytes of NOPs.
OPCODES = ("0f 15 1e 1f 25 2e 3e 48 49 4c 55 58 66 68 6a 84 8b 8d 90 b8 bd c3 cc e8 e9 eb f2 f3 fa"
           .split())
# The same in a string (but U+FFFD, in UTF-8), and instructions of two and four bytes: those that
# the arch folders name.
ESCAPE = re.compile(r"(?<!\\xbf)\\x(?:" + "|".join(OPCODES) + r")(?![0-9a-f])", re.I)
FORMS = sorted((ROOT / "runtime" / "arch").glob("*/forms.h"))
INSTRUCTIONS = {int(word, 16)
                for file in FORMS
                for word in re.findall(r"^#define SDT_\w+ (0x[0-9a-f]{4,8})u?\b",
                                       file.read_text(), re.M)}
WORD = re.compile(r"\b0x([0-9a-f]{4,8})u?\b", re.I)
RELOCATION = re.compile(r"\bR_(?:X86_64|386|AARCH64|ARM|RISCV|LARCH|PPC64|PPC|390|MIPS)_\w+")
OPCODE = re.compile(r"\b0x(?:" + "|".join(OPCODES) + r")\b", re.I)
# Not where it is a mask, a number of bits, or the end of a range, nor what DWARF calls something.
BEFORE = re.compile(r"(?:(?<![&|])[&|^~]|[<>]=?)\s*$")
DWARF = re.compile(r"\bDW_\w+\s*=\s*$")
AFTER = re.compile(r"\s*(?:&(?!&)|\|(?!\|)|\^|<<|>>)")


def without_comments(text):
    """TEXT with comments blanked: the lines keep their numbers. Strings and characters stay."""
    token = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)
    return token.sub(lambda m: re.sub(r"[^\n]", " ", m[0]) if m[0][0] == "/" else m[0], text)


def findings(text, has_code=True):
    """(line, what it does, the words) of everything in TEXT that belongs in an arch folder."""
    found = [(number, "is a relocation type", m[0])
             for number, line in enumerate(text.splitlines(), 1)
             for m in RELOCATION.finditer(line)]
    for number, line in enumerate(without_comments(text).splitlines(), 1):
        for what, pattern in WORDS.items():
            found += [(number, what, m[0]) for m in re.finditer(pattern, line, re.I)]
        found += [(number, "is a byte of an instruction", m[0])
                  for m in OPCODE.finditer(line)
                  if has_code and not DWARF.search(line[:m.start()])
                  and not BEFORE.search(line[:m.start()])
                  and not AFTER.match(line[m.end():])]
        found += [(number, "is a byte of an instruction", m[0]) for m in ESCAPE.finditer(line)]
        found += [(number, "is an instruction", m[0]) for m in WORD.finditer(line)
                  if int(m[1], 16) in INSTRUCTIONS]
    return found


def sources(folder):
    """The generic sources in FOLDER, relative to the root."""
    files = [file.relative_to(ROOT) for file in sorted((ROOT / folder).rglob("*.[ch]"))]
    files = [file for file in files
             if not any(file.is_relative_to(apart) for apart in FOLDERS[folder])]
    assert files, f"no sources in {folder}"
    return files


@pytest.mark.parametrize("folder", FOLDERS)
def test_generic_sources_know_no_architecture(folder):
    complaints, left = [], {}
    for file in sources(folder):
        found = findings((ROOT / file).read_text(), has_code=str(file) not in OTHER_NUMBERS)
        lines = len({line for line, _, _ in found})
        if lines:
            left[str(file)] = lines
        if lines > LEFT.get(str(file), 0):
            complaints += [f"{file}:{line}: {word} {what}" for line, what, word in found]
    assert not complaints, "\n" + "\n".join(complaints)
    allowed = {file: n for file, n in LEFT.items() if file.startswith(folder + "/")}
    assert left == allowed, "LEFT says more than there is: shrink it"


@pytest.mark.parametrize("line", [
    "uint64_t pc = context->uc_mcontext.gregs[REG_RIP];",
    "enum { RBP_KEPT, CFA_AT_RSP };",
    "memcpy(bytes, registers->xmm + n, 8);",
    "struct { uint64_t xmm0; };",
    "case R_X86_64_PLT32:",
    "#include <arch/layout_x86_64.h>",
    "return sdt_x86_64_form(kind);",
    "if (strstr(text, \"(%rip)\"))",
    "#define INT3 other",
    "return form->off ? form->off : 0x66;",
    "static const uint8_t head[] = {0xf3, 0x0f, 0x1e, 0xfa};",
    "if (pc[0] == 0xE8 || more)",
    "__asm__ volatile(\"pause\");",
    "/* an R_AARCH64_NONE keeps the record */",
    "if (type == R_RISCV_CALL_PLT)",
    "elf->machine == EM_AARCH64",
    "return \"riscv64\";",
    "uint32_t word = 0xd503201f;",
    "if (parcel == 0x9002u)",
    "memcmp(code, \"\\xf3\\x0f\\x1e\\xfa\", 4)",
    "puts(\"auipc ra, 0\");",
    "uint64_t back = general[30]; /* */ save(x30);",
    "int3();",
])
def test_the_search_finds(line):
    assert findings(line), line


@pytest.mark.parametrize("line", [
    "/* int3; %rax: 0xcc */",
    "int a; // a breakpoint of x86-64",
    "if (elf->machine == EM_NONE)",
    "draw(x0, x1, y2, 0x1000, 0xffff, 0xffffffff);",
    "/* of two\n * lines: x86-64 */",
    "static const char *const options[] = {\"lto-emit-asm\"};",
    "exponent = bits >> 23 & 0xff;",
    "uuid[6] = uuid[6] & 0x0f;",
    "if (c[1] < 0x90 || c[0] > 0x8d)",
    "__asm__ volatile(\"\" : : : \"memory\");",
    "__asm__(\".pushsection .note\\n\");",
    "sdt_print(x, y, trip, grip, return_to, expression);",
])
def test_the_search_leaves_alone(line):
    assert not findings(line), line


def test_the_arch_folders_name_their_instructions():
    assert len(FORMS) == 3 and len(INSTRUCTIONS) > 20
    assert {0xd503201f, 0x9002} <= INSTRUCTIONS  # a nop of aarch64, a breakpoint of riscv64


def test_line_numbers_are_those_of_the_file():
    assert findings("/* a\n * b */\nint x = 0xcc;\n")[0][0] == 3
