# SPDX-License-Identifier: BSD-2-Clause
"""What is recorded of arguments: every type, value for value, as babeltrace2 and `sdt report` read
it."""
import json
import math

import pytest

import recorded
from conftest import INCLUDE

FLOAT = 0.10000000149011612  # 0.1, as a float
SIGNED = [("a", 8), ("b", 16), ("c", 32), ("d", 64)]
UNSIGNED = [("e", 8), ("f", 16), ("g", 32), ("h", 64)]


def integers():
    """The four rows of `integers` and `hex`."""
    for signed, unsigned in ((lambda n: 0, lambda n: 0), (lambda n: -1, lambda n: 1),
                             (lambda n: -2**(n - 1), lambda n: 2**n - 1),
                             (lambda n: 2**(n - 1) - 1, lambda n: 2**(n - 1))):
        row = {**{name: signed(n) for name, n in SIGNED},
               **{name: unsigned(n) for name, n in UNSIGNED}}
        yield "rec:integers", row
        yield "rec:hex", {name: row[name] % 2**n for name, n in SIGNED + UNSIGNED}


def reals():
    inf, nan = math.inf, math.nan
    rows = [(0.0, 0.0, 0.0), (-0.0, -0.0, -0.0), (1.5, 1.5, 3.0),
            (-0.1, -FLOAT, -0.1 - FLOAT), (1.7976931348623157e308, inf, inf),
            (5e-324, 0.0, 5e-324), (inf, inf, inf), (-inf, -inf, -inf), (nan, nan, nan)]
    for i, (d, f, total) in enumerate(rows):
        yield "rec:reals", {"i": i, "d": d, "f": f, "sum": total}


def texts():
    x256, invalid = "x" * 256, b"\xff\xfe z\xcc".decode(errors="surrogateescape")
    rows = ["", "x" * 255, x256, x256, invalid, "<null>", "<fault>", "<fault>", "<fault>",
            "the end", "e end"]
    for tail, text in enumerate(rows):
        yield "rec:texts", {"text": text, "other": text, "text_2": text, "tail": tail}
    yield "rec:texts", {"text": "<fault>", "other": "<null>", "text_2": "<fault>", "tail": 11}


def others():
    yield "rec:truths", {"yes": True, "no": False, "size": 7}
    yield "rec:pointers", {"p": 0, "q": 8, "s": None}  # wherever the text is
    yield "rec:pointers", {"p": 2**64 - 1, "q": 2**63, "s": 1}


def octets():
    for data in (b"", b"a\0b\xff", b"x" * 256, b"", b"", b"end!"):
        yield "rec:bytes", {"p": data, "behind": 42}


def expected():
    return [*integers(), *reals(), *others(), *texts(), *octets()]


def is_same(value, wanted):
    if wanted is None:
        return value > 4096
    if not isinstance(wanted, float):
        return value == wanted and type(value) is type(wanted)
    return math.isnan(value) and math.isnan(wanted) or \
        (value, math.copysign(1, value)) == (wanted, math.copysign(1, wanted))


def in_json(wanted):
    """How --json spells what babeltrace2 reads."""
    if isinstance(wanted, bytes):
        return wanted.hex()
    if isinstance(wanted, str):
        return "".join("\ufffd" if "\udc80" <= c <= "\udcff" else c for c in wanted)
    return None if isinstance(wanted, float) and not math.isfinite(wanted) else wanted


def compare(sdt):
    theirs, discarded, packets = recorded.read(sdt)
    ours = [json.loads(line) for line in
            recorded.tool(sdt, "report", "--json", "rec").stdout.splitlines()]
    wanted = expected()
    assert (discarded, packets) == (0, 0)
    assert len(theirs) == len(ours) == len(wanted)
    for (name, fields), event, line in zip(wanted, theirs, ours):
        assert event.name == f"{line['provider']}:{line['name']}" == name
        assert line["pid"] == event.pid and line["tid"] == event.tid and line["cpu"] == event.cpu
        assert abs(line["time"] - event.time) <= 1  # they round
        read = {key: value for key, value in event.fields.items() if not key.startswith("_")}
        assert list(read) == list(fields) == list(line["args"])
        for key, value in fields.items():
            assert is_same(read[key], value), (name, fields, event)
            if value is not None and in_json(value) is not None:
                assert is_same(line["args"][key], in_json(value)), (fields, line)
            elif value is not None:
                assert line["args"][key] is None
    recorded.streams(sdt)


@pytest.mark.parametrize("flags", [(), ("-DSDT_CALL_SITES",)], ids=["inline", "calls"])
@pytest.mark.parametrize("compiler, source", [("gcc", "record_values.c"),
                                              ("clang++", "record_values.cc")])
def test_every_type_value_for_value(sdt, compiler, source, flags):
    exe = recorded.build(sdt, source, "-D_GNU_SOURCE", *flags, compiler=compiler)
    sdt.command(exe, env=recorded.wish(sdt))
    compare(sdt)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["-O0", "-O1", "-O3"])
@pytest.mark.parametrize("flags", [(), ("-DSDT_CALL_SITES",)], ids=["inline", "calls"])
@pytest.mark.parametrize("compiler, source", [
    ("gcc", "record_values.c"), ("g++", "record_values.cc"), ("clang", "record_values.c"),
    ("clang++", "record_values.cc")])
def test_every_type_with_every_compiler(sdt, compiler, source, flags, level):
    exe = recorded.build(sdt, source, "-D_GNU_SOURCE", *flags, level, compiler=compiler)
    sdt.command(exe, env=recorded.wish(sdt))
    compare(sdt)


@pytest.mark.parametrize("size, kept", [("text=1", 1), ("text=1K", 300)])
def test_how_much_of_a_text_is_kept(sdt, size, kept):
    exe = recorded.build(sdt, "record_values.c", "-D_GNU_SOURCE")
    sdt.command(exe, env=recorded.wish(sdt, "rec:texts", size))
    events, _, _ = recorded.read(sdt)
    assert [len(event.fields["text"]) for event in events[1:4]] == \
        [min(kept, n) for n in (255, 256, 300)]
    assert events[5].fields["text"] == "<null>" and events[6].fields["text"] == "<fault>"


# Of each argument: the register's number in record_registers.c, its first bit, its bits, or signed.
RAX, RBX, RCX, RDX, RSI, RDI, RBP, R8, R9, R10, R11, R12, R13, R14, R15 = range(15)
PARTS = {
    "registers:parts": [(RAX, 8, 8), (RBX, 0, -8), (RCX, 0, 16), (RDX, 0, -32), (RSI, 0, 64),
                        (RCX, 8, -8), (RDI, 0, -64), (RBP, 0, 8), (R8, 0, -16), (R9, 0, 32),
                        (RDX, 8, 8), (R15, 0, -8)],
    "registers:last": [(R14, 0, -16), (R13, 0, 64), (R12, 0, 8)],
    "registers:mixed": [(RAX, 0, 8), -7 % 2**64, (RBX, 0, 16)],
}


def part_of(values, part):
    if isinstance(part, int):
        return part
    register, first, bits = part
    value = values[register] >> first & (1 << abs(bits)) - 1
    return value - (1 << -bits) if bits < 0 and value >> -bits - 1 else value


@recorded.with_and_without_rseq
def test_parts_of_registers(sdt, rseq):
    """One byte, or two, or the second one: nothing of the rest of the register is recorded."""
    exe = recorded.build(sdt, "record_registers.c", "-I", INCLUDE / "sdt-compat")
    rows = sdt.command(exe, env={**recorded.wish(sdt), **rseq}).stdout.splitlines()
    events, discarded, packets = recorded.read(sdt)
    assert (discarded, packets, len(rows), len(events)) == (0, 0, 200, 600)
    wanted = [(name, [part_of(values, part) for part in parts])
              for values in ([int(word, 16) for word in row.split()] for row in rows)
              for name, parts in PARTS.items()]
    assert [(event.name, [value for key, value in event.fields.items()
                          if not key.startswith("_")]) for event in events] == wanted
    recorded.streams(sdt)
