# SPDX-License-Identifier: BSD-2-Clause
"""Numbers in the middle of a sentence: 18.8<!--xray--> in a page is printed from a result.

The comment after the number, which the rendered page does not show, has a name of NAMES and what
is to be done with the row's value:

    xray                 the value
    xray.least           the least of the rounds
    trap@intel-xeon      of another machine than MAIN
    trap/1000            divided, for another unit; or by another row, for a ratio: a/b
    attach-gap/0.001     a smaller unit
    float-call:2         with so many digits after the point; otherwise one below 100, none above
"""
import decimal
import re

import results

MAIN = "amd-zen5"
QUOTED = re.compile(r"(?<![\w.])(-?\d[\d.]*)<!--([a-z][^ >]*)-->")
KEY = re.compile(r"([a-z][\w-]*?)(\.least)?(?:@([\w-]+))?$")


def _hit(what):
    return "hit", f"{what}, 1 thread"


def _added(what, linker):
    return "launcher", f"{what}: added processor time, absolute", f"launcher, {linker}"


# Name -> area, the row in it, and of which kind if there are several.
NAMES = {
    "off-inline": _hit("sdtlink, inline site: off"),
    "count": _hit("sdtlink, inline site: count, jump"),
    "count-call": _hit("sdtlink, call site: count, jump"),
    "count-two": ("hit", "sdtlink, inline site: count, jump, 2 threads"),
    "empty": _hit("sdtlink, inline site: empty handler, jump"),
    "empty-call": _hit("sdtlink, call site: empty handler, jump"),
    "by-hand": _hit("sdtlink, inline site: 3 arguments and a timestamp recorded, jump"),
    "by-hand-call": _hit("sdtlink, call site: 3 arguments and a timestamp recorded, jump"),
    "trap": _hit("sdtlink, inline site: count, breakpoint"),
    "trap-empty-call": _hit("sdtlink, call site: empty handler, breakpoint"),
    "flag": _hit("flag, load-test-branch: count"),
    "flag-two": ("hit", "flag, load-test-branch: count, 2 threads"),
    "pointer": _hit("function pointer: reads 6 arguments"),
    "hooks-two": ("hit", "-finstrument-functions: count, 2 threads"),
    "xray": _hit("XRay, entry sled: handler that counts"),
    "xray-two": ("hit", "XRay, entry sled: handler that counts, 2 threads"),
    "uprobe": _hit("<sys/sdt.h> + uprobe, nop1: perf count"),
    "uprobe-nop5": _hit("uprobe on a 5-byte nop: perf count"),
    "bpftrace": _hit("<sys/sdt.h> + bpftrace: count"),
    "lttng": _hit("LTTng-UST: event with 1 field, recorded"),
    "lttng-six": _hit("LTTng-UST: event with 6 fields, recorded"),
    "function-lat": ("every-function", "sdtlink --functions gcc: sdt lat"),
    "enable": ("latency", "enable 1 site, warm"),
    "enable-open": ("latency", "system calls of 1 site: open and close /proc/self/mem"),
    "enable-write": ("latency", "system calls of 1 site: write a byte through it"),
    "enable-barrier": ("latency", "system calls of 1 site: membarrier"),
    "enable-65000-unlocked": ("latency", "enable 65000 sites, SDT_UNLOCK_TEXT=1, warm"),
    "disable-65000-unlocked": ("latency", "disable 65000 sites, SDT_UNLOCK_TEXT=1, warm"),
    "enable-65000": ("latency", "enable 65000 sites, warm"),
    "enable-million-unlocked": ("latency", "enable 1000000 sites, SDT_UNLOCK_TEXT=1, warm"),
    "enable-uprobe": ("latency", "perf uprobe, 1 site: enable"),
    "disable-uprobe": ("latency", "perf uprobe, 1 site: disable"),
    "enable-xray": ("latency", "XRay, 10000 entry sleds: enable"),
    "integer-none": ("disabled", "integer loop: no probe"),
    "integer-call": ("disabled", "integer loop: sdtlink, call sites"),
    "integer-inline": ("disabled", "integer loop: sdtlink, inline sites"),
    "integer-flag": ("disabled", "integer loop: flag, load-test-branch"),
    "float-none": ("disabled", "float loop: no probe"),
    "float-call": ("disabled", "float loop: sdtlink, call sites"),
    "float-inline": ("disabled", "float loop: sdtlink, inline sites"),
    "flag-bytes": ("disabled", "code: flag, load-test-branch"),
    "record-three": ("record", "sdtlink, inline site: 3 integers, 1 thread"),
    "record-clock": ("record", "rdtsc alone, 1 thread"),
    "record-array": ("record", "sdtlink, inline site: 1 integer and 8 of 32 bits, 1 thread"),
    "record-six": ("record", "sdtlink, inline site: 6 integers, 1 thread"),
    "record-text": (
        "record", "sdtlink, inline site: 2 integers and a string of 16 bytes, 1 thread"),
    "record-lttng-text": ("record", "LTTng-UST: 2 integers and a string of 16 bytes, 1 thread"),
    "record-lttng-six": ("record", "LTTng-UST: 6 integers, 1 thread"),
    "record-lttng-six-told": ("record", "LTTng-UST with vpid and vtid: 6 integers, 1 thread"),
    "record-lttng-array-told": (
        "record", "LTTng-UST with vpid and vtid: 1 integer and 8 of 32 bits, 1 thread"),
    "record-lttng": ("record", "LTTng-UST: 3 integers, 1 thread"),
    "record-lttng-array": ("record", "LTTng-UST: 1 integer and 8 of 32 bits, 1 thread"),
    "record-rate": ("record", "5 million events a second, `sdt record`: in the files"),
    "record-rate-lost": ("record", "5 million events a second, `sdt record`: lost"),
    "record-rate-writer": (
        "record", "5 million events a second, `sdt record`: the writer's processor time"),
    "context-ids": ("context", "reading the ids of a thread that has a context"),
    "context-none": ("context", "reading the ids of a thread that has none"),
    "context-exemplars": ("context", "exemplars of a histogram, more than without"),
    "context-recorded": (
        "context", "recording with the ids of a thread that has a context, more than without"),
    "live-empty": ("live", "sdtlink: an empty handler that leaves vector registers alone"),
    "live-false": ("live", "sdtlink: predicate that is false, above an empty handler"),
    "live-chosen": (
        "live", "sdtlink: recording, with a predicate that is false, above an empty handler"),
    "live-key": ("live", "sdtlink: count by an integer, above an empty handler"),
    "live-hist": ("live", "sdtlink: histogram, above an empty handler"),
    "live-latency": ("live", "sdtlink: latency, both ends, above an empty handler"),
    "live-slow": ("live", "sdtlink: latency, both ends, the slowest kept with 2 integers and a "
                  "string, above an empty handler"),
    "live-bpftrace-count": ("live", "<sys/sdt.h> + bpftrace: count"),
    "live-bpftrace-key": ("live", "<sys/sdt.h> + bpftrace: count by an integer"),
    "live-bpftrace-hist": ("live", "<sys/sdt.h> + bpftrace: histogram"),
    "attach-first": ("attach", "sdt: a request to enable one probe, posted to done, first"),
    "attach-gap": ("attach", "sdt count, longest gap of the thread"),
    "attach-gap-idle": ("attach", "nobody attaches: longest gap of the thread"),
    "ratio-few": ("tool", "sdtlink / cp", "tool, few sections"),
    "ratio-many": ("tool", "sdtlink / cp", "tool, many sections"),
    "cp-few": ("tool", "cp --reflink=never", "tool, few sections"),
    "cp-many": ("tool", "cp --reflink=never", "tool, many sections"),
    "linear-first": ("linear", "10000 sites", "linear, one section"),
    "linear-last": ("linear", "1000000 sites", "linear, one section"),
    "link-size-14": ("link", "size of the program", "link, ld.lld-14"),
    "link-size-16": ("link", "size of the program", "link, ld.lld-16"),
    "launcher-copies": (
        "launcher", "1001 objects read, their copies written, nothing else"),
    "launcher-one-bfd": _added("one object", "bfd"),
    "launcher-one-lld": _added("one object", "lld"),
    "launcher-objects-gold": _added("1000 objects of 10 KB", "gold"),
    "launcher-objects-mold": _added("1000 objects of 10 KB", "mold"),
    "launcher-probes-bfd": _added("1000 objects, 4 probes each", "bfd"),
    "launcher-probes-gold": _added("1000 objects, 4 probes each", "gold"),
    "functions-beginning": ("functions", "mean of the functions, at the beginning, gcc"),
    "functions-more": ("functions", "more than <sys/sdt.h>, gcc"),
    "small": ("small", "sdtlink, CPU time", "small, no probes"),
    "true": ("small", "/bin/true, CPU time", "small, no probes"),
    "attachable": ("startup", "sdt_attachable()"),
    "attachable-faults": ("startup", "sdt_attachable(), page faults"),
}


def _value(key):
    match = KEY.match(key)
    if not match or match[1] not in NAMES:
        raise SystemExit(f"bench: no number is called {key}")
    name, least, machine = match.groups()
    row = results.row(machine or MAIN, *NAMES[name])
    value = (row or {}).get("least" if least else "value")
    if value is None:
        raise SystemExit(f"bench: no result for {key}")
    return value


def number(value, digits=None):
    if digits is None:
        digits = 0 if abs(value) >= 100 else 1
    return str(decimal.Decimal(repr(value)).quantize(decimal.Decimal(1).scaleb(-digits),
                                                     decimal.ROUND_HALF_UP))


def printed(order):
    """The number that ORDER, the text of the comment, asks for."""
    expression, _, digits = order.partition(":")
    key, _, divisor = expression.partition("/")
    value = _value(key)
    if divisor:
        value /= float(divisor) if divisor[0].isdigit() else _value(divisor)
    return number(value, int(digits) if digits else None)


def fill(text):
    """TEXT with its quoted numbers as the results have them now."""
    return QUOTED.sub(lambda match: f"{printed(match[2])}<!--{match[2]}-->", text)
