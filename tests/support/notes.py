# SPDX-License-Identifier: BSD-2-Clause
"""Assembly with any stapsdt note that one could think of, right or wrong.

    text = assembly(note(args="8@%rdi"), note(name="other", code=".byte 0x66, 0x90"))
"""
BASE = """
    .section .stapsdt.base,"{flags}","progbits",.stapsdt.base,comdat
    .weak _.stapsdt.base
    .hidden _.stapsdt.base
_.stapsdt.base: .space 1
"""
SEMAPHORE = """
    .section {section}
    .balign {align}
    .hidden {name}
    .globl {name}
{name}: .skip 2
"""
GOOD_BASE = "axGR"  # in the text segment, kept, once


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\0", "\\000") + '"'


def note(provider="prov", name="probe", args="", code="nop", pc="990b", base="_.stapsdt.base",
         semaphore="0", vendor="stapsdt", kind=3, behind="", padded=False, word=".8byte",
         section='.note.stapsdt,"?",%note', text=".text", strings=None, size=None):
    """One site: its code, then its note. SIZE: instead of the description's real size. SEMAPHORE
    None: there is no word for one, as in the first draft of the format."""
    if strings is None:
        strings = "".join(f"    .asciz {quoted(s)}\n" for s in (provider, name, args))
    before, after = ("    .balign 4\n", "") if padded else ("", "    .balign 4\n")
    return f"""
    .section {text}
990: {code}
    .pushsection {section}
    .balign 4
    .4byte 992f-991f, {size if size is not None else "994f-993f"}, {kind}
991: .asciz {quoted(vendor)}
992: .balign 4
993: {word} {pc}
    {word} {base}
    {f"{word} {semaphore}" if semaphore is not None else ""}
{strings}{behind}{before}994:
{after}    .popsection
"""


def semaphore(name, section='.probes,"aw",%progbits', align=4096):
    return SEMAPHORE.format(name=name, section=section, align=align)


TEXT = '.text,"ax",%progbits'


def assembly(*parts, base=GOOD_BASE):
    """A function that holds the sites, the other PARTS, and .stapsdt.base (None: without)."""
    return (f"    .section {TEXT}\n    .globl work\n    .type work, %function\nwork:\n"
            + "".join(parts)
            + f"    .section {TEXT}\n    .size work, . - work\n"
            + (BASE.format(flags=base) if base else "")
            + '    .section .note.GNU-stack,"",%progbits\n')
