# SPDX-License-Identifier: BSD-2-Clause
"""Who looks at the probes of a file: this file's own reader of notes and symbols, the kernel by
tracefs, bpftrace, and perf. None of them is ours.
"""
import bisect
import collections
import itertools
import os
import pathlib
import re

from elftools.elf.elffile import ELFFile
import patience
from stapsdt import notes
from watching import Watching

TRACEFS = pathlib.Path("/sys/kernel/tracing")
SERIAL = itertools.count()


def why_not():
    """What keeps the kernel's probes from us, or None."""
    if os.geteuid() != 0:
        return "needs root"
    if not os.access(TRACEFS / "uprobe_events", os.W_OK):
        return "needs tracefs at /sys/kernel/tracing, with uprobe_events"
    return None


def sizes(note):
    """The arguments of a site, without the places they are at: `-4 8`."""
    return " ".join(word.split("@")[0] for word in note.args.split())


def whole(function):
    """The function that a part or copy of one was made of."""
    return re.sub(r"\.(cold|part|isra|constprop|lto_priv)(\.\d+)*", "", function)


class Functions:
    """Which function an address is in, by the symbol table; its parts belong to the function."""

    def __init__(self, path):
        with open(path, "rb") as stream:
            table = ELFFile(stream).get_section_by_name(".symtab")
            found = {(s["st_value"], s["st_value"] + s["st_size"], s.name)
                     for s in table.iter_symbols()
                     if s["st_info"]["type"] == "STT_FUNC" and s["st_size"]}
        self.ranges = sorted(found)
        self.starts = [start for start, _, _ in self.ranges]

    def name(self, address):
        at = bisect.bisect_right(self.starts, address) - 1
        start, end, name = self.ranges[at]
        assert start <= address < end, hex(address)
        return whole(name)


def signatures(files):
    """(provider, probe, argument sizes) of every site, with how many there are."""
    return collections.Counter((n.provider, n.name, sizes(n)) for f in files for n in notes(f))


def by_function(files):
    """The same, with the function that each is in."""
    found = collections.Counter()
    for path in files:
        functions = Functions(path)
        found.update((functions.name(n.pc), n.provider, n.name, sizes(n)) for n in notes(path))
    return found


def file_offsets(path, addresses):
    with open(path, "rb") as stream:
        segments = [s.header for s in ELFFile(stream).iter_segments("PT_LOAD")]
    found = {}
    for address in addresses:
        [segment] = [s for s in segments if 0 <= address - s["p_vaddr"] < s["p_filesz"]]
        found[address] = address - segment["p_vaddr"] + segment["p_offset"]
    return found


class Uprobes:
    """All sites of files, as events of the kernel: one for each probe, of as many places as it has
    sites; of the probes in FINELY, one for each function. With COUNTERS the kernel counts
    semaphores up.
    """

    def __init__(self, files, counters=True, finely=()):
        self.group = f"sdt_real_{os.getpid()}_{next(SERIAL)}"
        self.lines, self.names, numbers = [], {}, {}
        for path in files:
            found, functions = notes(path), Functions(path)
            offsets = file_offsets(path, {a for n in found for a in (n.pc, n.semaphore) if a})
            for note in found:
                event, what = f"{note.name}_{self.group}", note.name
                if note.name in finely:
                    what = (note.name, functions.name(note.pc))
                    event += f"_{numbers.setdefault(what, len(numbers))}"
                self.names[event] = what
                counter = f"({offsets[note.semaphore]:#x})" if counters and note.semaphore else ""
                self.lines.append(f"p:{self.group}/{event} {path}:{offsets[note.pc]:#x}{counter}")

    @staticmethod
    def tell(text):
        """Python's append mode seeks, which this file refuses; truncating it removes all events."""
        events = os.open(TRACEFS / "uprobe_events", os.O_WRONLY | os.O_APPEND)
        try:
            os.write(events, text.encode())
        finally:
            os.close(events)

    def switch(self, on):
        (TRACEFS / "events" / self.group / "enable").write_text("1" if on else "0", "ascii")

    def __enter__(self):
        try:
            for line in self.lines:
                self.tell(line + "\n")
            self.switch(True)
        except OSError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if (TRACEFS / "events" / self.group).exists():
            self.switch(False)
            for event in self.names:
                self.tell(f"-:{self.group}/{event}\n")

    def hits(self):
        """By probe, or by probe and function, of those that were hit at all."""
        found = collections.Counter()
        for line in (TRACEFS / "uprobe_profile").read_text("ascii").splitlines():
            words = line.split()
            if words and words[-2] in self.names:
                found[self.names[words[-2]]] += int(words[-1])
        return +found


# A program may do more when there are more variables: Tcl makes two objects of each.
ALWAYS_SET = {"LD_PRELOAD": "", "PRELOAD_COUNT": "", "PRELOAD_REPORT": "", "SDT_ENABLE": "",
              "SDT_ATTACH": "", "SDT_RECORD": "", "SDT_RECORD_OPTIONS": "", "SDT_RECORD_GATE": "",
              "WAIT_FOR": ""}


def run(command, environment, **more):
    result = patience.run(command, env={**os.environ, **ALWAYS_SET, **environment, **more},
                          text=True, capture_output=True, processor_time=3600)
    assert result.returncode == 0, (command, result)
    return result.stdout


def bpftrace_hits(files, probes, work):
    """By probe; WORK is called while bpftrace looks at all processes."""
    script = ""
    for path in files:
        for provider, name in sorted({(n.provider, n.name) for n in notes(path)}):
            if name in probes:
                script += f'usdt:{path}:{provider}:{name} {{ @hits["{name}"] = count(); }} '
    with Watching(script) as tracer:
        work()
    return {n: int(c) for n, c in re.findall(r"@hits\[(\w+)\]: (\d+)", tracer.output)}
