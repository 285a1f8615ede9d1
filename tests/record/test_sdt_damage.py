# SPDX-License-Identifier: BSD-2-Clause
"""`sdt` on recordings that are damaged, cut off or not ours: what can be read is, and one warning
tells of each packet that cannot."""
import json
import os
import re
import struct

import pytest

from recordings import HEADER, Event, Trace
from test_sdt_report import objects, rec, report, run  # noqa: F401, F811  (rec is a fixture)

pytestmark = pytest.mark.sanitized  # damaged recordings

# Beside the warning, the rest is as it was: the statuses of a report of something damaged.
DAMAGED = 1


def three_packets(rec, *fields, values=()):
    """Two events in each, at times 0 to 5; returns the file."""
    trace = Trace(rec)
    kind = trace.define("p", "n", *(fields or ("i:uint32",)))
    for n in range(6):
        trace.stream().event(n, kind, *(values or (n,)))
        if n % 2:
            trace.stream().packet(room=16)
    return trace.write() / "cpu0"


SIZE = HEADER + 2 * 24 + 16  # of one of these packets


def word(length):
    """The second word of an event, with that length."""
    return struct.pack("<Q", 4711 | (length & 0x3ff) << 22 | 4711 << 32 | length >> 10 << 54)


def times(sdt, status=DAMAGED):
    """The last digits of the times of the events that are read, and the warnings."""
    shown = report(sdt, "--json", status=status)
    return [json.loads(line)["time"] % 10 for line in shown.stdout.splitlines()], \
        shown.stderr.splitlines()


def test_nothing_is_damaged(sdt, rec):
    three_packets(rec)
    assert times(sdt, 0) == ([0, 1, 2, 3, 4, 5], [])


@pytest.mark.parametrize("offset, data, left, place, problem", [
    (SIZE, bytes(4), [0, 1, 4, 5], f"packet 1, offset {SIZE:#x}", "the packet's header is damaged"),
    (0, b"XXXX", [2, 3, 4, 5], "packet 0, offset 0x0", "the packet's header is damaged"),
    (SIZE + 40, b"\xff" * 8, [0, 1, 4, 5], f"packet 1, offset {SIZE:#x}",
     "the packet's header is damaged"),
    (SIZE + 48, bytes(8), [0, 1, 4, 5], f"packet 1, offset {SIZE:#x}",
     "the packet's header is damaged"),
    (SIZE + 48, b"\0\0\0\0\1\0\0\0", [0, 1, 2, 3], f"packet 1, offset {3 * SIZE:#x}",
     "the packet is cut off"),
    (SIZE + HEADER + 8, word(15), [0, 1, 4, 5], f"packet 1, offset {SIZE + HEADER:#x}",
     "an event has an impossible length"),
    (SIZE + HEADER + 8, word(49), [0, 1, 4, 5], f"packet 1, offset {SIZE + HEADER:#x}",
     "an event has an impossible length"),
    (SIZE + HEADER + 8, word(20 + (1 << 19)), [0, 1, 4, 5],
     f"packet 1, offset {SIZE + HEADER:#x}", "an event has an impossible length"),
    (SIZE + HEADER + 32, word(0), [0, 1, 2, 4, 5], f"packet 1, offset {SIZE + HEADER + 24:#x}",
     "an event has an impossible length"),
    (SIZE + HEADER + 8, word(19), [0, 1, 3, 4, 5], f"packet 1, offset {SIZE + HEADER:#x}",
     "an event is shorter than its fields"),
    (SIZE + HEADER + 6, b"\x01", [0, 1, 3, 4, 5], f"packet 1, offset {SIZE + HEADER:#x}",
     "an event that is not in the metadata"),
    (SIZE + HEADER + 7, b"\x7f", [0, 1, 3, 4, 5], f"packet 1, offset {SIZE + HEADER:#x}",
     "an event that is not in the metadata"),
    (SIZE + HEADER + 24, b"\0", [0, 1, 2, 2, 4, 5], f"packet 1, offset {SIZE + HEADER + 24:#x}",
     "an event is earlier than the one before"),
])
def test_one_place_is_damaged(sdt, rec, offset, data, left, place, problem):
    file = three_packets(rec)
    content = bytearray(file.read_bytes())
    content[offset:offset + len(data)] = data
    file.write_bytes(content)
    found, warnings = times(sdt)
    assert found == left
    assert warnings[0] == f"sdt: warning: rec/web-4711/cpu0: {place}: {problem}"
    # A packet without its header counts as lost.
    assert len(warnings) == (2 if "header" in problem else 1)
    shown = report(sdt, "--summary", status=DAMAGED)
    assert re.search(r"^web-4711/cpu0 .* 1$", shown.stdout, re.M)


@pytest.mark.parametrize("kind, value, offset, data", [
    ("string", "abcdef", 6, b"x"), ("bytes", b"abcdef", 0, b"\7"), ("bytes", b"abcdef", 1, b"\1"),
    ("int16[]", [1, 2, 3], 0, b"\4"), ("double[]", [1.0], 1, b"\xff"), ("int8[]", [1], 0, b"\2"),
])
def test_a_value_that_goes_on_behind_its_event(sdt, rec, kind, value, offset, data):
    """By one byte; the event's length is exact."""
    file = three_packets(rec, f"s:{kind}", values=(value,))
    content = bytearray(file.read_bytes())
    content[HEADER + 16 + offset:HEADER + 17 + offset] = data
    file.write_bytes(content)
    found, warnings = times(sdt)
    assert found == [1, 2, 3, 4, 5]
    assert "a string or a sequence extends beyond its event" in warnings[0]


def test_cut_off_anywhere(sdt, rec):
    """Each event that is complete is read, also if the zeros after it are not there."""
    file = three_packets(rec)
    content = file.read_bytes()
    ends = [SIZE * p + HEADER + 24 * e + 20 for p in range(3) for e in range(2)]
    for size in [*range(0, 2 * SIZE, 5), *(end + d for end in ends for d in (-1, 0, 1))]:
        file.write_bytes(content[:size])
        is_whole = size % SIZE == 0
        found, warnings = times(sdt, 0 if is_whole else DAMAGED)
        assert found == [n for n, end in enumerate(ends) if end <= size], size
        assert len(warnings) == (0 if is_whole else 1), size


def test_many_damaged_packets_are_not_many_warnings(sdt, rec):
    trace = Trace(rec)
    kind = trace.define("p", "n")
    for n in range(100):
        trace.stream().event(n, kind, number=77).packet()
    trace.write()
    found, warnings = times(sdt)
    assert found == [] and len(warnings) == 9
    assert warnings[-1] == "sdt: warning: rec/web-4711/cpu0: 92 more packets are damaged"
    # Also where the events are read twice.
    assert len(report(sdt, "--csv", status=DAMAGED).stderr.splitlines()) == 9


def edit(rec, old, new):
    path = rec / "web-4711" / "metadata"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize("old, new, message", [
    ("/* sdt-recording 1 */", "", "not a recording of sdt"),
    ("sdt-recording 1 ", "sdt-recording 2 ", "has version '2'; this program reads version 1"),
    ("sdt-process 4711 web", "sdt-process x web", "line 3: the process has no number"),
    ("freq = 1000000000", "freq = 0", "the clock or the process is missing"),
    ("freq = 1000000000", "freq = -5", "line 23: a number that cannot be read"),
    ("freq = 1000000000", "", "the clock or the process is missing"),
])
def test_metadata_without_which_nothing_can_be_read(sdt, rec, old, new, message):
    three_packets(rec)
    edit(rec, old, new)
    refused = report(sdt, status=1)
    assert message in refused.stderr and refused.stdout == ""


@pytest.mark.parametrize("old, new, message", [
    ("sdt-event 1 ", "sdt-event 0 ", "an event without a number"),
    ("sdt-event 1 ", "sdt-event 1048576 ", "an event without a number"),
    (" web i:uint32 */", " */", "an event with too few words"),
    ("i:uint32 */", "iuint32 */", "a field without a type"),
    ("i:uint32 */", "i:uint32 " * 257 + "*/", "an event with too many fields"),
])
def test_lines_that_cannot_be_read(sdt, rec, old, new, message):
    three_packets(rec)
    edit(rec, old, new)
    refused = report(sdt, status=DAMAGED)
    assert f"rec/web-4711/metadata: line 48: {message}\n" in refused.stderr
    assert "an event that is not in the metadata" in refused.stderr


def test_two_events_of_one_number(sdt, rec):
    path = three_packets(rec).parent / "metadata"
    path.write_text(path.read_text() + Event(1, "q", "m").comment())
    found, warnings = times(sdt)
    assert found == [0, 1, 2, 3, 4, 5] and "a second event of the same number" in warnings[0]


def test_a_type_of_a_later_version(sdt, rec):
    """What stands before it is shown; it says which it is."""
    three_packets(rec, "a:uint8", "b:uint8", "c:uint16", values=(1, 2, 3))
    edit(rec, "b:uint8 ", "b:enum:x=1 ")
    assert [o["args"] for o in objects(sdt, status=DAMAGED)] == [{"a": 1}] * 6
    shown = report(sdt, status=DAMAGED)
    assert "a=1 b=? c=?\n" in shown.stdout
    assert "line 48: p:n: 'b' has type 'enum:x=1', which this version cannot read" in shown.stderr


def test_what_follows_a_type(sdt, rec):
    """A unit and enumerators; what cannot be read, or is of a later version, is passed over."""
    three_packets(rec, "a:uint8", "b:int16", "c:hex8", values=(1, -2, 3))
    edit(rec, "a:uint8 ", "a:uint8:=k%42:1=one%20two:1=other:x=y:3:=:99999999999999999999=big:: ")
    edit(rec, "b:int16 ", "b:int16:-2=%1b[31m:-3=three: ")
    edit(rec, "c:hex8 ", "c:hex8:259=three: ")
    assert objects(sdt)[0]["args"] == {"a": "one two", "b": "\x1b[31m", "c": "three"}
    shown = report(sdt).stdout
    assert "a=\"one two\" b=\"\\x1b[31m\" c=three\n" in shown
    assert [o["args"]["b"] for o in objects(sdt, "-f", "b == -2 && a == 1")] == ["\x1b[31m"] * 6


def test_metadata_that_are_being_written(sdt, rec):
    """A line without its end is not there yet."""
    path = three_packets(rec).parent / "metadata"
    path.write_text(path.read_text() + Event(2, "q", "m").comment()[:20])
    assert times(sdt, 0)[0] == [0, 1, 2, 3, 4, 5]


def test_a_process_whose_memory_is_gone(sdt, rec):
    (three_packets(rec).parent / ".rings").symlink_to("/dev/shm/sdt-none")
    assert "rec/web-4711: its last events were in memory, which is gone" in report(sdt).stderr


def test_one_trace_of_two_is_damaged(sdt, rec):
    three_packets(rec)
    other = Trace(rec, pid=5, version=3)
    other.stream().event(1, other.define("p", "n"))
    other.write()
    found, warnings = times(sdt)
    assert found == [0, 1, 2, 3, 4, 5] and "rec/web-5/metadata" in warnings[0]


def test_what_is_no_recording(sdt, rec):
    rec.mkdir()
    assert "error: rec: there is no recording" in report(sdt, status=1).stderr
    assert "error: cannot read none" in run(sdt, "report", "none", status=1).stderr
    os.mkfifo(rec / "metadata")
    assert "rec/metadata: not a regular file" in report(sdt, status=1).stderr
    (rec / "metadata").unlink()
    os.symlink("/dev/zero", rec / "metadata")
    assert "rec/metadata: not a regular file" in report(sdt, status=1).stderr
    three_packets(rec)
    (rec / "metadata").unlink()
    os.mkfifo(rec / "web-4711" / "cpu7")
    assert "cpu7: not a regular file" in report(sdt, status=1).stderr


def test_a_trace_alone_and_an_empty_stream(sdt, rec):
    file = three_packets(rec)
    (file.parent / "cpu1").write_bytes(b"")
    (file.parent / "core").write_bytes(b"not a stream")
    os.rename(file.parent, sdt.path("alone"))
    assert run(sdt, "report", "alone").stdout.count("\n") == 7


@pytest.mark.parametrize("form", ["text", "--json", "--csv"])
def test_long_names_do_not_make_a_report_endless(sdt, rec, form):
    """A file of 100 KB says 1000 times a name of 1 MB."""
    trace = Trace(rec)
    kind = trace.define("p" * 1_000_000, "n" * 1_000_000, f"{'f' * 1_000_000}:uint8",
                        function="g" * 1_000_000)
    other = trace.define("p", "n", *(f"{'x' * 400}{i}:uint8" for i in range(200)))
    for n in range(1000):
        trace.stream().event(n, kind, 1)
    trace.stream().event(1000, other, *range(200))
    trace.write()
    shown = report(sdt, *([form] if form != "text" else [])).stdout
    assert len(shown) < 5_000_000 and "…" in shown and 1000 <= shown.count("\n") <= 1002
    assert "ppp" in shown and "nnn" in shown


def test_a_megabyte_of_nonsense_takes_no_time(sdt, rec):
    """Magic numbers everywhere; the smallest packets; the largest event numbers."""
    file = three_packets(rec)
    good = file.read_bytes()[:HEADER]
    for data in (b"\xc1\x1f\xfc\xc1" * (1 << 18), bytes(1 << 20), b"\xff" * (1 << 20),
                 (good[:40] + b"\x80\2\0\0\0\0\0\0" * 2 + bytes(24)) * 13000):
        file.write_bytes(data)
        report(sdt, "--json", status=None, timeout=1)
    metadata = file.parent / "metadata"
    with metadata.open("a", encoding="ascii") as out:
        out.writelines(f"/* sdt-event {(1 << 20) - 1 - n} p n - - - */\n" for n in range(30_000))
    report(sdt, "--summary", status=None, timeout=1)
