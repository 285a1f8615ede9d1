# SPDX-License-Identifier: BSD-2-Clause
"""Programs that record, and what was recorded: as babeltrace2's Python module reads it, and as the
bytes of the streams say themselves.

`streams` has nothing of our reader nor of babeltrace2: it knows the packets of docs/recording.md,
and checks of each what must hold whatever was recorded.
"""
import collections
import pathlib
import struct
import subprocess

import pytest

from conftest import RINGS_BEFORE, TOOL_BUILD

SDT = TOOL_BUILD / "sdt" / "sdt"
PYTHON = "/usr/bin/python3"  # which has bt2

# In the environment of a program: its threads are not registered for rseq(2).
NO_RSEQ = {"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}
with_and_without_rseq = pytest.mark.parametrize("rseq", [{}, NO_RSEQ], ids=["rseq", "no-rseq"])

Event = collections.namedtuple("Event", "name time pid tid cpu fields")
Packet = collections.namedtuple("Packet", "cpu sequence begin end lost events")
Word = collections.namedtuple("Word", "time kind pid tid payload")

READER = """
import sys, bt2
def plain(field):
    if isinstance(field, bt2._StructureFieldConst):
        return {name: plain(field[name]) for name in field}
    if isinstance(field, bt2._ArrayFieldConst):
        kind = field.cls.element_field_class
        is_bytes = isinstance(kind, bt2._UnsignedIntegerFieldClassConst) and \
            kind.field_value_range == 8 and kind.preferred_display_base == 16
        return bytes(int(e) for e in field) if is_bytes else [plain(e) for e in field]
    if isinstance(field, bt2._EnumerationFieldConst):
        try:
            labels = list(field.labels)
        except AssertionError:  # bt2 2.0: no value before this one had a label either
            labels = []
        if labels in (["true"], ["false"]):
            return labels == ["true"]
        return labels[0] if labels else int(field)
    if isinstance(field, bt2._RealFieldConst):
        return float(field)
    return str(field) if isinstance(field, bt2._StringFieldConst) else int(field)
def cpu_of(context):
    return int(context["cpu_id"]) if "cpu_id" in context else None  # its ring is a thread's
for message in bt2.TraceCollectionMessageIterator(sys.argv[1]):
    if type(message) is bt2._DiscardedEventsMessageConst:
        print(("discarded", message.count))
    elif type(message) is bt2._DiscardedPacketsMessageConst:
        print(("packets", message.count))
    elif type(message) is bt2._EventMessageConst:
        event = message.event
        context = event.common_context_field
        print((event.name, message.default_clock_snapshot.ns_from_origin, int(context["vpid"]),
               int(context["vtid"]), cpu_of(event.packet.context_field),
               plain(event.payload_field) if event.payload_field else {}))
"""


def build(sdt, source, *cflags, compiler=None, name="a.out", ldflags=()):
    """A program with the shared runtime, which need not call it."""
    return sdt.build(source, *cflags, compiler=compiler, runtime="shared", name=name,
                     ldflags=["-Wl,--no-as-needed", *ldflags])


def wish(sdt, pattern="*", options="", directory="rec"):
    """The environment that has a program recorded."""
    return {"SDT_RECORD": str(sdt.path(directory)), "SDT_ENABLE": f"{pattern}=record",
            "SDT_RECORD_OPTIONS": options}


def tool(sdt, *args, **kwargs):
    return sdt.command(SDT, *args, **kwargs)


def traces(sdt, directory="rec"):
    """The directories of the traces."""
    return sorted(path.parent for path in sdt.path(directory).glob("*/metadata"))


def babeltrace(sdt, directory="rec"):
    """What babeltrace2 reads, in its order: the fields of events, and pairs that tell of losses;
    and what it complains of."""
    if subprocess.run([PYTHON, "-c", "import bt2"], capture_output=True, check=False).returncode:
        pytest.skip("this machine has no python3-bt2")
    result = sdt.command(PYTHON, "-c", READER, directory, timeout=300)
    names = {"nan": float("nan"), "inf": float("inf")}
    return [eval(line, names)  # pylint: disable=eval-used
            for line in result.stdout.splitlines()], result.stderr


def read(sdt, directory="rec"):
    """By babeltrace2: the events, how many it says were discarded, and how many packets.
    Its warnings are failures."""
    rows, complaints = babeltrace(sdt, directory)
    assert complaints == ""
    events, losses = [], {"discarded": 0, "packets": 0}
    for values in rows:
        if len(values) == 2:
            losses[values[0]] += values[1] or 0
        else:
            events.append(Event(*values))
    return events, losses["discarded"], losses["packets"]


def count(sdt, directory="rec"):
    """How many events the command babeltrace2 prints, which has nothing to complain about but
    losses."""
    result = sdt.command("babeltrace2", directory, timeout=300)
    for line in result.stderr.splitlines():
        assert not line or "discarded" in line or "ost" in line, line
    return result.stdout.count("\n")


def packets(path):
    """The packets of the stream PATH."""
    data, at, result = path.read_bytes(), 0, []
    while at < len(data):
        magic, _, stream, begin, end, content, size, sequence, lost, cpu, zero = \
            struct.unpack_from("<I16sIQQQQQQII", data, at)
        assert (magic, stream, zero) == (0xC1FC1FC1, 0, 0) and size % 64 == 0
        assert 608 <= content <= size and at + size // 8 <= len(data), (at, size, len(data))
        events, place, now = [], 80, begin
        while place * 8 < content:
            one, two = struct.unpack_from("<QQ", data, at + place)
            now += one - now & (1 << 44) - 1
            length = two >> 22 & 0x3FF | two >> 44 & 0xFFC00
            assert length >= 16 and (place + length) * 8 <= content
            events.append(Word(now, one >> 44, two & 0x3FFFFF, two >> 32 & 0x3FFFFF,
                               data[at + place + 16:at + place + length]))
            if (place + length) * 8 == content:
                break
            whole = (length + 7) // 8 * 8
            assert not any(data[at + place + length:at + place + whole])
            place += whole
        assert begin <= end and (not events or events[-1].time <= end)
        result.append(Packet(cpu, sequence, begin, end, lost, events))
        at += size // 8
    return result


def streams(sdt, directory="rec", gaps=False):
    """All streams: lists of packets, in which time, losses and, without GAPS, numbers are in
    order."""
    result = []
    for path in sorted(sdt.path(directory).glob("*/cpu*")):
        stream = packets(path)
        for before, after in zip(stream, stream[1:]):
            assert before.end <= after.begin and before.lost <= after.lost
            assert before.sequence < after.sequence if gaps \
                else before.sequence + 1 == after.sequence
        assert all(f"cpu{packet.cpu}" == path.name for packet in stream)
        result.append(stream)
    return result


def words(sdt, directory="rec", **kwargs):
    """All events of the streams, those of each thread in their order."""
    return sorted((word for stream in streams(sdt, directory, **kwargs) for packet in stream
                   for word in packet.events), key=lambda word: word.time)


def lost(sdt, directory="rec", **kwargs):
    """How many events the streams say were lost."""
    return sum(stream[-1].lost for stream in streams(sdt, directory, **kwargs) if stream)


def rings(pid):
    """What recordings of process PID have left in memory, except those of an earlier process of
    that number which was killed."""
    return [path for path in pathlib.Path("/dev/shm").glob(f"sdt-{pid}-*")
            if path.name not in RINGS_BEFORE]


def hits_of(number):
    """How many events HITS of record_many.c are: a text with each eighth."""
    return number + number // 8


def ticks(words, pid=None):
    """The numbers of the ticks of each thread, in the order of their times."""
    result = collections.defaultdict(list)
    for word in words:
        if len(word.payload) == 12 and (pid is None or word.pid == pid):
            number, thread = struct.unpack("<qi", word.payload)
            result[word.pid, word.tid, thread].append(number)
    return result
