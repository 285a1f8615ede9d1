# SPDX-License-Identifier: BSD-2-Clause
"""docs/recording.md is true: its session, its tables, and what they say of a killed program.

The compiler is asked, through the DWARF that it writes, what the structures in ring.h look like.
The last test knows nothing of ring.h: it reads rings by the tables of the page alone.
"""
import os
import re
import struct

import pytest
from conftest import ROOT
from elftools.elf.elffile import ELFFile
from installed import prefix  # noqa: F401  (a fixture)
from test_docs import (  # noqa: F401  (installed is a fixture)
    FENCE, assert_structure, installed, replay_page, section, table)

PAGE = (ROOT / "docs" / "recording.md").read_text()
STRUCTURES = ["ring_file", "ring", "ring_packet"]


# ---- Tables. ----


@pytest.fixture
def rings(sdt):
    """Name → DWARF entry of each structure of ring.h; and its macros, as cpp has them."""
    source = sdt.write("rings.c", '#include "ring.h"\n'
                       "struct ring_file file; struct ring ring; struct ring_packet packet;\n")
    include = ROOT / "runtime" / "ring"
    macros = sdt.command("gcc", "-E", "-dM", "-I", include, source).stdout
    with sdt.compile(source, "-I", include).open("rb") as stream:
        unit = next(ELFFile(stream).get_dwarf_info().iter_CUs())
        yield {
            die.attributes["DW_AT_name"].value.decode(): die
            for die in unit.get_top_DIE().iter_children()
            if die.tag == "DW_TAG_structure_type" and "DW_AT_name" in die.attributes
        }, macros


@pytest.mark.parametrize("name", STRUCTURES)
def test_structures_are_as_the_page_says(rings, name):
    assert_structure(PAGE, rings[0][name], name)


def test_constants_are_as_the_page_says(rings):
    rows = table(section(PAGE, "Constants"))
    assert len(rows) == 7
    for name, value, _ in rows:
        found = re.search(rf"^#define {name} (?:UINT64_C\()?(\w+?)u?\)?$", rings[1], re.M)
        assert found and int(found[1], 0) == int(value, 0), name


def test_constants_of_rings_that_are_handed_over():
    text = (ROOT / "runtime" / "ring" / "handed.h").read_text()
    defined = re.findall(r"^#define (HANDED_\w+) (?:UINT64_C\()?(0x\w+)", text, re.M)
    rows = table(section(PAGE, "Rings that are handed over"))
    assert [(row[0], int(row[1], 0)) for row in rows] == \
        [(name, int(value, 0)) for name, value in defined] and len(rows) == 2


# ---- The session. ----


def without_the_moment(page):
    """What does not depend on when, on which CPUs and as which process the session ran."""
    for pattern, instead in [
        (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{9} +\d+ +\d+/\d+ +", "WHEN WHO "),
        (r"\d+\.\d{9} +\d+ +\d+/\d+ +", "WHEN WHO "),
        (r"\{ cpu_id = \d+ \}, \{ vpid = \d+, vtid = \d+ \}", "WHO"),
        (r"(flight:) \d+ events", r"\1 EVENTS"),
        (r"(lost), .*", r"\1"),
        (r"TIME .*", "HEAD"),
        (r"\bweb-\d+", "web-PID"),
    ]:
        assert re.search(pattern, page), pattern
        page = re.sub(pattern, instead, page)
    return page


@pytest.mark.nosan
def test_the_session_gives_what_the_page_prints(sdt, installed):
    """SDT_UPDATE_DOCS=1 writes the page anew instead."""
    actual = replay_page(sdt, installed, PAGE)
    if os.environ.get("SDT_UPDATE_DOCS"):
        (ROOT / "docs" / "recording.md").write_text(actual)
        return
    assert without_the_moment(actual) == without_the_moment(PAGE)


# ---- The memory of a killed program, read by the tables of the page. ----


class Structure:
    """Fields of NAME at BASE of MEMORY, as the page has them."""

    def __init__(self, name, memory, base):
        self.rows = {row[2]: (int(row[0]), int(row[1])) for row in
                     table(section(PAGE, f"struct {name}"))[:-1]}
        self.memory, self.base = memory, base

    def __getattr__(self, field):
        offset, size = self.rows[field]
        return int.from_bytes(self.memory[self.base + offset : self.base + offset + size], "little")


def event_parts(words):
    """What the bits of an event's two words say: [(what, value)]."""
    for word, bits, what in table(section(PAGE, "Events")):
        first, last = map(int, bits.split("–"))
        name = what.split(",")[0].split(":")[0]
        yield name, words[int(word)] >> first & (1 << last - first + 1) - 1


def events_of(memory, at, head):
    """(class, process, thread, fields) of the events from AT to HEAD."""
    while at < head:
        (_, _), (_, number), (_, pid), (_, low), (_, tid), (_, high) = event_parts(
            struct.unpack_from("<QQ", memory, at))
        length = low | high << 10
        yield number, pid, tid, memory[at + 16 : at + length]
        at += (length + 7) // 8 * 8


@pytest.mark.nosan
def test_the_memory_of_a_killed_program_is_as_the_page_says(sdt, installed):
    [source] = [body for _, name, body in FENCE.findall(PAGE) if name == "web.c"]
    sdt.write("web.c", source)
    sdt.command("sdtlink", "cc", "-O2", "-o", "web", "web.c", env=installed)
    sdt.command("./web", "1000", "crash", status=-9,
                env={**installed, "SDT_RECORD": "killed", "SDT_ENABLE": "web=record",
                     "SDT_RECORD_OPTIONS": "packet=4K,ring=1M"})
    [rings] = sdt.dir.glob("killed/web-*/.rings")
    pid = int(rings.parent.name.split("-")[1])
    assert str(rings.readlink()).startswith(f"/dev/shm/sdt-{pid}-")
    memory = rings.read_bytes()
    file = Structure("ring_file", memory, 0)
    assert (file.packet, file.packets, file.is_flight, file.pid) == (4096, 256, 0, pid)
    texts = []
    for i in range(file.cpus):
        ring = Structure("ring", memory, 4096 + i * (4096 + file.packet * file.packets))
        data = ring.base + ring.rows["data"][0]
        assert ring.lost == 0
        for begin in range(0, ring.head, file.packet):
            packet = Structure("ring_packet", memory, data + begin)
            assert (packet.magic, packet.uuid, packet.cpu) == (0xC1FC1FC1, file.uuid, i)
            is_closed = begin + file.packet <= ring.head
            end = packet.content // 8 if is_closed else ring.head - begin
            for number, process, thread, fields in events_of(memory, data + begin + 80,
                                                             data + begin + end):
                assert (number, process, thread) == (1, pid, pid)
                texts.append((fields[:-5], fields[-5:-4], struct.unpack("<i", fields[-4:])[0]))
    expected = [([b"/index.html", b"/logo.png"][n % 2], b"\0", 4096 + n) for n in range(1000)]
    assert sorted(texts, key=lambda text: text[2]) == expected
    line = re.search(r"^/\* (sdt-event .*) \*/$", (rings.parent / "metadata").read_text(), re.M)
    assert line[1] == "sdt-event 1 web request web.c:7 serve web path:string bytes:int32"
    sdt.command("sdt", "recover", "killed", env=installed)


@pytest.mark.nosan
def test_texts_that_fill_an_event_leave_nothing_for_the_next(sdt, installed):
    """The rest is cut off, and what lies after on the stack is not written over."""
    sdt.write("full.c", """
        #include <sdt/probe.h>
        #include <string.h>
        int main(void)
        {
            char text[2000];
            memset(text, 'x', sizeof text - 1);
            text[sizeof text - 1] = 0;
            char *volatile same = text;
            int n = 7;
            SDT_PROBE(t, full, same, same, same, same, n);
            return 0;
        }
        """)
    sdt.command("sdtlink", "cc", "-O2", "-o", "full", "full.c", env=installed)
    sdt.command("sdt", "record", "-o", "out", "--text=1024", "./full", env=installed)
    shown = sdt.command("sdt", "report", "--json", "out", env=installed).stdout
    texts = re.findall(r'"same[_0-9]*": "(x*)"', shown)
    first, second, *others = [len(text) for text in texts]
    assert first == 1024 and 512 < second < 1024 and others == [0, 0] and '"n": 7' in shown


@pytest.mark.nosan
@pytest.mark.parametrize("pattern", ["nobody:home", "a:b:c"])
def test_a_recording_without_an_event_gets_a_warning(sdt, installed, pattern):
    sdt.write("one.c", "#include <sdt/probe.h>\nint main(void) { SDT_PROBE(t, one); return 3; }\n")
    sdt.command("sdtlink", "cc", "-O2", "-o", "one", "one.c", env=installed)
    said = sdt.command("sdt", "record", "-o", "out", "-e", pattern, "./one", status=3,
                       env=installed).stderr
    assert "out: 0 events, 0 lost" in said
    assert "sdt: warning: out: no matching probe was hit\n  advice:" in said
    said = sdt.command("sdt", "record", "-o", "out", "./one", status=3, env=installed).stderr
    assert "out: 1 event, 0 lost" in said and "warning" not in said


@pytest.mark.nosan
@pytest.mark.parametrize("patterns, recorded", [
    (["t:inner"], 3),              # also inside the handler
    (["t::in:inner"], 3),          # chosen by function, of two
    (["t:inner", "t:inn*"], 3),    # two subscriptions that overlap: once
    (["t:inner", "t::in:inner"], 3),  # one of them chooses
])
def test_what_is_recorded_inside_a_handler(sdt, installed, patterns, recorded):
    sdt.write("nested.c", """
        #include <sdt/probe.h>
        #include <sdt/runtime.h>
        static void __attribute__((noinline)) in(int i) { SDT_PROBE(t, inner, i); }
        static void __attribute__((noinline)) elsewhere(int i) { SDT_PROBE(t, inner, i); }
        static void handle(const struct sdt_event *event, void *data)
        {
            (void)event, (void)data;
            in(1);
        }
        int main(int argc, char **argv)
        {
            (void)argv;
            sdt_enable("t:outer", handle, NULL);
            SDT_PROBE(t, outer, argc);
            SDT_PROBE(t, outer, argc);
            in(2);
            return argc > 1 ? (elsewhere(3), 0) : 0;
        }
        """)
    sdt.command("sdtlink", "cc", "-O2", "-o", "nested", "nested.c", env=installed)
    chosen = [f"--event={pattern}" for pattern in patterns]
    said = sdt.command("sdt", "record", "-o", "out", *chosen, "./nested", env=installed).stderr
    assert f"out: {recorded} event{'s' * (recorded != 1)}, 0 lost" in said
