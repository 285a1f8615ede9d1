# SPDX-License-Identifier: BSD-2-Clause
"""Debug information whose entries refer to each other without an end. Readers end, and soon."""
import pytest

import recorded

# Number, tag, whether it has children, and (attribute, form) of each kind of entry below.
ABBREVIATIONS = {
    "unit": (1, 0x11, True, [(0x13, 0x0b)]),
    "function": (2, 0x2e, True, [(0x03, 0x08), (0x11, 0x01), (0x12, 0x07), (0x3f, 0x19),
                             (0x27, 0x19)]),
    "variable": (3, 0x34, False, [(0x03, 0x08), (0x49, 0x13)]),
    "pointer": (4, 0x0f, False, [(0x49, 0x13)]),
    "structure": (5, 0x13, True, [(0x03, 0x08), (0x0b, 0x0b)]),
    "anonymous": (6, 0x0d, False, [(0x49, 0x13), (0x38, 0x0b)]),
    "typedef": (7, 0x16, False, [(0x03, 0x08), (0x49, 0x13)]),
    "array": (8, 0x01, True, [(0x49, 0x13)]),
    "range": (9, 0x21, False, [(0x37, 0x0b)]),
    "block": (10, 0x0b, True, [(0x01, 0x13)]),
    "member": (11, 0x0d, False, [(0x03, 0x08), (0x49, 0x13), (0x38, 0x0b)]),
    "parameter": (12, 0x05, False, [(0x03, 0x08), (0x49, 0x13)]),
}
END = "    .byte 0"


def entry(kind, *values, label=None):
    """An entry as assembler; a value is a number, a (label) of another entry or a "text"."""
    number, _, _, attributes = ABBREVIATIONS[kind]
    lines = [f"{label}:"] if label else []
    lines.append(f"    .byte {number}")
    values = list(values)
    for _, form in attributes:
        if form == 0x19:
            continue
        value = values.pop(0)
        lines.append({0x01: f"    .quad {value}", 0x07: f"    .quad {value}",
                      0x08: f"    .asciz \"{value}\"", 0x0b: f"    .byte {value}",
                      0x13: f"    .long {value} - unit_begin"}[form])
    assert not values
    return "\n".join(lines)


def information(*entries):
    """A unit in C with these entries: all of DWARF 4 that there is, as assembler."""
    lines = ["    .section .debug_abbrev,\"\",@progbits", "abbreviations:"]
    for number, tag, has_children, attributes in ABBREVIATIONS.values():
        lines.append(f"    .byte {number}, {tag}, {int(has_children)}")
        lines += [f"    .byte {name}, {form}" for name, form in attributes] + ["    .byte 0, 0"]
    lines += ["    .byte 0", "    .section .debug_info,\"\",@progbits", "unit_begin:",
              "    .long unit_end - . - 4", "    .value 4", "    .long abbreviations",
              "    .byte 8", entry("unit", 0x0c), *entries, END, "unit_end:",
              "    .section .note.GNU-stack,\"\",@progbits"]
    return "\n".join(lines) + "\n"


def signatures(sdt, name, *entries):
    source = sdt.write(f"{name}.s", "    .text\nf:  ret\n" + information(*entries))
    sdt.command("gcc", "-c", source, "-o", f"{name}.o")
    lister = sdt.tool.parent / "sdtlink-list"
    return sdt.command(lister, "--signatures", f"{name}.o", timeout=20).stdout


def test_children_that_are_siblings_as_well(sdt):
    """Each block's sibling is its own first child: every further one doubles the ways."""
    blocks = [entry("block", f"b{i + 1}", label=f"b{i}") for i in range(60)]
    last = entry("variable", "x", "t", label="b60")
    said = signatures(sdt, "siblings", entry("function", "f", "f", 1), *blocks, last, *[END] * 60,
                      END, entry("pointer", "t", label="t"))
    assert said.splitlines()[0] == "f f"


def test_a_structure_of_itself_by_value(sdt):
    """A hundred members, eight structures deep; the parameter after it is not known."""
    members = [entry("member", f"m{i}", "s", 0) for i in range(100)]
    said = signatures(sdt, "itself", entry("function", "f", "f", 1), entry("parameter", "a", "s"),
                      entry("parameter", "b", "p"), END,
                      entry("structure", "s", 8, label="s"), *members, END,
                      entry("pointer", "p", label="p"))
    assert said == "f f\n"


def test_what_is_right_is_read(sdt):
    """The same with a structure of one pointer: it takes a register."""
    said = signatures(sdt, "right", entry("function", "f", "f", 1), entry("parameter", "a", "s"),
                      entry("parameter", "b", "p"), END, entry("structure", "s", 8, label="s"),
                      entry("member", "m", "p", 0), END, entry("pointer", "s", label="p"))
    assert said == "f f\na 72 g1 b\n"


SOURCE = """
#include <sdt/probe.h>
struct s { long m, n; } object;
int main(void)
{
    struct s *volatile who = &object;
    SDT_PROBE(p, x, who);
    return 0;
}
"""
ITSELF = [entry("structure", "s", 8, label="s"), *[entry("anonymous", "s", 0)] * 60, END]
ARRAY = [entry("structure", "s", 8, label="s"), entry("member", "m", "a", 0), END,
         entry("array", "t", label="a"), entry("range", 4), END,
         entry("typedef", "t", "t", label="t")]


@pytest.mark.plain
@pytest.mark.parametrize("types, problem", [
    (ITSELF, "has no member 'm'"), (ARRAY, "")], ids=["structure", "array"])
def test_members_of_a_process(sdt, types, problem):
    text = information(entry("function", "main", "main", 64), entry("variable", "who", "p"), END,
                       *types, entry("pointer", "s", label="p"))
    sdt.command("gcc", "-c", sdt.write("types.s", text), "-o", "types.o")
    exe = sdt.build(sdt.write("who.c", SOURCE), "-g0", runtime="shared", ldflags=["types.o"])
    result = recorded.tool(sdt, "count", "p:x", "by", "who->m", "--", exe, status=None,
                           timeout=20)
    assert result.returncode != 0 and problem in result.stderr
