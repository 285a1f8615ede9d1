# SPDX-License-Identifier: BSD-2-Clause
"""What is true of a linked file, by markers and by objdump: nothing here knows sdtlink's format.

Markers: programs/matrix.h puts a 7-byte NOP with the probe's number after each site of a macro.
Calls: plain calls are found by objdump in a control, where the probes are functions.
"""
import collections
import re
import struct
import subprocess

from elfview import RELOCATION_NAMES, SHF_EXECINSTR
from matrix.build import PROGRAMS

MARKER = re.compile(rb"\x0f\x1f\x80(..)\x7d\x5d", re.S)
ASKED, TWIN = 0x100, 0xff
NAMES = re.findall(r"X\((\w+)\)", (PROGRAMS / "matrix.h").read_text().replace("(X)", ""))
DEAD = ("dead__c", "dead__cxx", "dead__template")
CLASSES = {"call": "call", "call6": "call", "tail": "jump", "tail6": "jump", "jcc": "branch",
           "enabled": "ask", "enabled6": "ask", "enabled-tail": "ask and return",
           "enabled-tail6": "ask and return"}
# A branch in objdump's listing, and its target; after a `*`, where the target is read from. Before
# binutils 2.37 there is a `q`: `callq`.
BRANCH = re.compile(r"\t(?:\w+ )*(call|j\w+?)q? +(?:(\*).*# )?([0-9a-f]+) <")
# A marker follows its site, after what the compiler does with the call's stack and result. Most
# is what gcc's AddressSanitizer does without optimisation: it forgets the macro's variables, one by
# one: 249 bytes after the site of twelve arguments.
NEAR = 256


def meaning(number):
    """(probe, is it an is-enabled site) of a marker; probe None: one of the twins."""
    if number == TWIN:
        return None, False
    return NAMES[number % ASKED], number >= ASKED


def markers(view):
    """(address, number) of every marker, by address."""
    return sorted((s.address + m.start(), int.from_bytes(m[1], "little"))
                  for s in view.sections if s.flags & SHF_EXECINSTR and s.data
                  for m in MARKER.finditer(s.data))


def is_form(site):
    return site.name.startswith("form__")


def pairing(view, sites):
    """What is wrong between markers and the sites of macros: each site has its own marker after
    it, and no marker is without a site."""
    problems = []
    waiting = None
    events = [(s.pc, 0, s) for s in sites if not is_form(s)]
    events += [(address, 1, number) for address, number in markers(view)]
    for address, is_marker, what in sorted(events, key=lambda e: e[:2]):
        if not is_marker:
            if waiting is not None and waiting.pc != address:
                problems.append(f"bogus: {waiting.title} at {waiting.pc:#x} has no marker")
            waiting = what
            continue
        probe, asked = meaning(what)
        if waiting is None or address - waiting.pc > NEAR:
            problems.append(f"lost: marker of {probe} at {address:#x} has no site")
        elif probe not in (None, waiting.name) or asked != waiting.kind.startswith("enabled"):
            problems.append(f"wrong: {waiting.title} ({waiting.kind}) at {waiting.pc:#x} has the "
                            f"marker of {probe}{' asked' if asked else ''}")
        waiting = None
    if waiting is not None:
        problems.append(f"bogus: {waiting.title} at {waiting.pc:#x} has no marker")
    return problems


def surplus(ours, theirs, folds):
    """Counters of the markers of a file and of its control: how many ours has more of dead
    functions, and which more of others, where there may be none.

    Some of these there may be: dead_alone() in one.c brings a copy of shared_inline() with it, if
    that was inlined there; and where functions are folded, fold_1() and fold_2() are one in the
    control, and in ours two, whose sites differ. So are shared_inline() of C and of C++, of which
    the file has two markers."""
    more = {meaning(number): n for number, n in (ours - theirs).items()}
    dead = {what: n for what, n in more.items() if what[0] in DEAD}
    live = collections.Counter({what: n for what, n in more.items() if what not in dead})
    may_be = collections.Counter({("shared__inline", False): 2 if folds else bool(dead),
                                   ("fold", False): folds})
    return sum(dead.values()), live - may_be


def doubled(sites):
    return [f"{n} records at {pc:#x}" for pc, n in
            collections.Counter(s.pc for s in sites).items() if n > 1]


def plain(function):
    """Without what compilers append to names."""
    return re.split(r"\.(?:constprop|isra|part|cold|lto_priv|llvm|__part|eh)\b", function)[0]


def _got_target(view, relative, address):
    """What a GOT entry holds once the program is loaded."""
    return relative.get(address) or struct.unpack("<Q", view.bytes(address, 8))[0]


def calls(view):
    """Counter of (function, probe, class) of the plain calls in a control."""
    text = subprocess.run(["objdump", "-dw", "--no-show-raw-insn", view.path], check=True,
                          capture_output=True, text=True).stdout
    names = {int(address, 16): name for address, name in
             re.findall(r"^([0-9a-f]+) <(__dtrace_sdt\w+)>:$", text, re.M)}
    relative = _relative_relocations(view)
    found = collections.Counter()
    function = None
    for line in text.splitlines():
        if line.endswith(">:"):
            function = plain(line[line.index("<") + 1:-2])
            continue
        branch = BRANCH.search(line)
        if not branch:
            continue
        operation, indirect, target = branch[1], branch[2], int(branch[3], 16)
        if indirect:
            target = _got_entry(view, relative, target)
        prefix, _, probe = names.get(target, "").partition("_matrix___")
        if not probe.startswith("form__"):
            continue
        asks = prefix == "__dtrace_sdtenabled"
        kind = {"call": "ask" if asks else "call", "jmp": "ask and return" if asks else "jump"}
        # A question that ends a function answers for it, also where a branch leads to it.
        found[function, probe, kind.get(operation, kind["jmp"] if asks else "branch")] += 1
    return found


def _relative_relocations(view):
    """What the loader makes of places that need nothing but the load address."""
    return {offset: addend for s in view.sections if s.name == ".rela.dyn"
            for offset, info, addend in struct.iter_unpack("<QQq", s.data)
            if RELOCATION_NAMES.get(info & 0xffffffff) == "R_X86_64_RELATIVE"}


def _got_entry(view, relative, address):
    """What a word of the GOT holds once the program is loaded; None: it is no such word."""
    home = next((s for s in view.sections if s.name.startswith(".got")
                 and s.address <= address < s.address + s.size), None)
    if home is None:
        return None
    return relative.get(address) or struct.unpack("<Q", view.bytes(address, 8))[0]


def recorded_calls(sites):
    """The same of a site set."""
    return collections.Counter((plain(s.function or "?"), s.name, CLASSES[s.kind])
                               for s in sites if is_form(s))


def dynamic_relocations(view):
    """Counter of (section that is changed, type) of what the loader has to do."""
    places = [s for s in view.sections if s.address and s.name != ".tbss"]
    found = collections.Counter()
    for table in view.sections:
        if table.type != "SHT_RELA" or not table.address:
            continue
        for offset, info, _ in struct.iter_unpack("<QQq", table.data):
            name = next((s.name for s in places if s.address <= offset < s.address + s.size), "?")
            kind = info & 0xffffffff
            found[name, RELOCATION_NAMES.get(kind, str(kind))] += 1
    return found
