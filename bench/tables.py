# SPDX-License-Identifier: BSD-2-Clause
"""The tables of the pages, each printed from one file of results; bench/pages.py puts them there.

Under a table stands where it is from: the file, the machine, and when. TABLES has their names.
"""
import textwrap

import harness
import plot
import results
from quoted import MAIN, number

PEOPLE = {"amd-zen3": "AMD EPYC (Zen 3)", "amd-zen4": "AMD EPYC (Zen 4)",
          "amd-zen5": "AMD EPYC (Zen 5)", "intel-xeon": "Intel Xeon"}
LINKERS = {"bfd": "GNU ld", "gold": "gold", "lld": "lld", "mold": "mold"}
EMPTY = "–"


def source(area, machine=MAIN):
    """What was measured where, as lines of a paragraph."""
    found = results.read(machine, area)
    m = found["machine"]
    compilers = ", ".join(f"{name} {version}" for name, version in
                          {**m["compilers"], **m.get("peers", {})}.items() if version)
    load = [f"{value:g}" for value in m.get("load") or () if value is not None]
    words = [PEOPLE.get(machine, m["cpu"]), m.get("vector"), f"{m['cpus']} CPUs",
             f"Linux {m['kernel']}", compilers, f"load {' to '.join(load)}" if load else None,
             m["date"], f"commit {m['commit']}" if m.get("commit") else found["source"]]
    path = f"bench/results/{machine}/{area}.json"
    return textwrap.wrap(f"<sub>[{path}](../{path}): {', '.join(filter(None, words))}.</sub>", 118,
                         break_long_words=False, break_on_hyphens=False)


def lines(head, rows, area=None):
    out = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    out += ["| " + " | ".join(row) + " |" for row in rows]
    return out + (["", *source(area)] if area else [])


def short(value, unit=""):
    """Three digits or more, and no more than they say; milliseconds from 2000 on as seconds."""
    if unit == "ms" and value >= 2000:
        value, unit = value / 1000, "s"
    digits = f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{digits} {unit}".rstrip()


def cell(area, what, kind=None, field="value", unit=None, digits=None):
    """UNIT: to print it, "" not to; DIGITS: after the point."""
    row = results.row(MAIN, area, what, kind) or {}
    if row.get(field) is None:
        return EMPTY
    if digits is not None:
        return number(row[field], digits)
    return short(row[field], row.get("unit", "") if unit is None else unit)


def goal(area, what, kind=None):
    text = (results.row(MAIN, area, what, kind) or {}).get("goal") or ""
    return text.replace("<=", "≤").replace(">=", "≥")


# ---- benchmarks-peers.md ----

def every_row(area):
    """All of a file, as `./run bench` shows it."""
    return lines(("what", "measured", "goal", "note"),
                 [(row["what"], *harness.words(row)) for row in results.read(MAIN, area)["rows"]],
                 area)


# ---- benchmarks.md ----

def tool():
    kinds = ("tool, few sections", "tool, many sections")

    def line(title, what, unit=None, with_goal=True):
        return (title, *(cell("tool", what, kind, unit=unit) for kind in kinds),
                goal("tool", what, kinds[0]) if with_goal else "")

    return lines(("", "sections merged", "a section per function", "goal"), [
        line("MB", "size of the object", ""), line("sections", "sections"),
        line("`cp`", "cp --reflink=never"), line("`sdtlink`", "sdtlink"),
        ("`objcopy`", *(_objcopy(kind) for kind in kinds), ""),
        line("`sdtlink` / `cp`", "sdtlink / cp", ""),
        line("… processor time", "sdtlink / cp, CPU time", ""),
        line("peak memory / size", "peak memory / size", "")], "tool")


def _objcopy(kind):
    note = (results.row(MAIN, "tool", "objcopy", kind) or {}).get("note", "")
    return ("not done after " if "stopped" in note else "") + cell("tool", "objcopy", kind)


def linear():
    kinds = {"one section": "linear, one section",
             "a section per function": "linear, section per function"}
    power = "CPU time is the sites to the power of"
    return lines(("", "10⁴", "10⁵", "10⁶", "grows with the sites to the power of", "goal"),
                 [(title, *(cell("linear", f"{n} sites", kind) for n in (10**4, 10**5, 10**6)),
                   cell("linear", power, kind, digits=2), goal("linear", power, kind))
                  for title, kind in kinds.items()], "linear")


def small():
    rows = []
    for kind, words in (("small, no probes", "without probes"),
                        ("small, ten sites", "with ten sites")):
        size = cell("small", "size of an object", kind, digits=0)
        tool_, cp, true = (cell("small", f"{what}, CPU time", kind, unit="")
                           for what in ("sdtlink", "cp", "/bin/true"))
        rows.append((f"an object of {size} KB {words}, ms", tool_, cp, true,
                     goal("small", "sdtlink, CPU time", kind)))
    return lines(("processor time", "`sdtlink`", "`cp`", "`/bin/true`", "goal"), rows, "small")


def link():
    kinds = list(dict.fromkeys(row["area"] for row in results.read(MAIN, "link")["rows"]))
    titles = {
        "the linker, with / without probes": ("the linker alone", 2),
        "`sdtlink` on the 100 objects, one after the other, to the link": ("sdtlink / link", 3),
        "all that `sdtlink --ld` does, to the link": ("sdtlink --ld alone / link", 3),
        "… wall-clock time": ("sdtlink --ld alone / link, time that passes", 3),
        "the same with the link, with / without probes": ("sdtlink --ld", 2),
        "… wall-clock time of that": ("sdtlink --ld, time that passes", 2),
    }
    return lines(("processor time", *(kind.partition(", ")[2] for kind in kinds), "goal"),
                 [(title, *(cell("link", what, kind, digits=digits) for kind in kinds),
                   goal("link", what, kinds[0])) for title, (what, digits) in titles.items()],
                 "link")


PAGE_AND_THREAD = "a sealed page in memory and a thread, nothing else"


def grown():
    kind = "small, a thousand probes"
    rows = [(compiler, *(cell("small", f"output / input, {compiler}{debug}", kind, unit="",
                              digits=2) for debug in ("", ", -g")),
             goal("small", f"output / input, {compiler}", kind)) for compiler in ("gcc", "clang")]
    return lines(("output ÷ input", "", "`-g`", "goal"), rows, "small")


def startup():
    less = cell("startup", "start to exit, without", digits=0)
    return lines(("", "measured", "goal"), [
        ("pages of text written", cell("startup", "text pages dirtied", unit=""),
         goal("startup", "text pages dirtied")),
        ("start to exit, more than without probes",
         f"{cell('startup', 'difference', digits=0)} µs of {less}",
         goal("startup", "difference") + " µs"),
        ("part of the site set that is in memory", cell("startup", "site set resident"), ""),
        ("`sdt_attachable()`", cell("startup", "sdt_attachable()", unit="") + " µs",
         goal("startup", "sdt_attachable()") + " µs"),
        ("… page faults", cell("startup", "sdt_attachable(), page faults", unit=""),
         goal("startup", "sdt_attachable(), page faults")),
        ("a sealed page in memory and a thread, nothing else",
         cell("startup", PAGE_AND_THREAD, unit="") + " µs", ""),
        ("… page faults", cell("startup", f"{PAGE_AND_THREAD}: page faults", unit=""), "")],
        "startup")


def functions():
    places = {"all": "", "with the probe at the beginning": ", at the beginning",
              "with the probe at the end": ", at the end"}
    compilers = ("gcc", "clang")

    def line(title, what, unit=None, digits=1):
        cells = [cell("functions", f"{what}, {compiler}{form}", digits=digits)
                 for compiler in compilers for form in ("", ", <sys/sdt.h>")]
        cells = [text + (unit or "") if text != EMPTY else text for text in cells]
        goals = dict.fromkeys(goal("functions", f"{what}, {compiler}") for compiler in compilers)
        return (title, *cells, ", ".join(filter(None, goals)))

    rows = []
    for title, place in places.items():
        count = cell("functions", f"functions{place}, gcc", digits=0)
        rows.append(line(f"only NOPs added, {title} ({count})", f"only the NOPs added{place}",
                         " %"))
    rows += [line(f"instructions per hit, mean, {title}", f"mean of the functions{place}", "", 2)
             for title, place in places.items()]
    rows += [line("instructions executed, more", "instructions executed in them", " %"),
             line("functions with more instructions than with `<sys/sdt.h>`",
                  "more than <sys/sdt.h>", "", 0)]
    return lines(("functions", "ours, gcc", "`<sys/sdt.h>`", "ours, clang", "`<sys/sdt.h>`",
                  "goal"), rows, "functions")


def record():
    events = {"1 integer": "1 integer", "3 integers": "3 integers", "6 integers": "6 integers",
              "2 integers and a string of 16 bytes": "2 integers and a string of 16 bytes",
              "1 integer and an array of 8 of 32 bits": "1 integer and 8 of 32 bits"}
    typed = ("3 integers", "2 integers and a string of 16 bytes", "1 integer and 8 of 32 bits")
    columns = ("sdtlink, inline site", "sdtlink, call site", "LTTng-UST",
               "LTTng-UST with vpid and vtid")
    events |= {f"typed event, {what}": f"SDT_EVENT, {what}" for what in typed}
    rows = [(title, *(_record_cell(f"{column}: {what}") for column in columns),
             goal("record", f"{columns[0]}: {what}, 1 thread")) for title, what in events.items()]
    rows.append(("`rdtsc` alone", _record_cell("rdtsc alone"), "", "", "", ""))
    return lines(("one thread, ns, the least", "inline site", "call site", "LTTng-UST",
                  "with vpid and vtid", "goal (inline)"), rows, "record")


def _record_cell(what):
    least = (results.row(MAIN, "record", f"{what}, 1 thread") or {}).get("least")
    return EMPTY if least is None else number(least)


def attach():
    titles = {
        "a request to enable one probe, from posted to done: the first of a process":
            "sdt: a request to enable one probe, posted to done, first",
        "… processor time of it and of the disable after it":
            "sdt: processor time of the first enable and disable",
        "… later ones": "sdt: a request to enable one probe, posted to done, later",
        "a request to disable it": "sdt: a request to disable one probe, posted to done, all",
        "`sdt count -d 0.001`, from start to end": "sdt count -d 0.001, from start to end",
        "`sdt count`, from start until armed": "sdt count, until armed",
        "bpftrace, from start until armed": "bpftrace, until armed",
        "bpftrace, from the interrupt until off": "bpftrace, from interrupted until off",
        "`perf probe`, which makes the event": "perf probe, to make the event",
        "`perf stat`, from start until armed": "perf stat, until armed",
        "`perf stat`, from the interrupt until off": "perf stat, from interrupted until off",
    }
    return lines(("milliseconds", "median", "least", "goal"),
                 [(title, cell("attach", what, unit=""),
                   cell("attach", what, field="least", unit=""), goal("attach", what))
                  for title, what in titles.items()], "attach")


def compiling():
    compilers = ("gcc", "clang", "g++", "clang++")
    forms = {"inline site": "inline site", "call site": "call site", "`sdt.h` by itself": "sdt.h",
             "`<sys/sdt.h>`": "<sys/sdt.h>"}
    return lines(("ms per probe", *compilers, "goal"),
                 [(title, *(cell("compile", f"{compiler}: {form}", digits=2)
                            for compiler in compilers), goal("compile", f"gcc: {form}"))
                  for title, form in forms.items()], "compile")


# Where the row's own name does not say enough beside those of other areas.
WHAT = {"difference": "100 000 sites, added from start to exit",
        "gcc: inline site": "gcc compiles a probe at an inline site",
        "clang: inline site": "clang compiles a probe at an inline site"}


def machines():
    """What was measured on more than one machine, side by side."""
    chosen = [("hit", f"{what}, 1 thread", None, "ns") for what in
              (*plot.CHOSEN, "sdtlink, call site: empty handler, breakpoint",
               "uprobe on a 5-byte nop: perf count")]
    chosen += [("record", f"{what}, 1 thread", None, "ns") for what in
               ("rdtsc alone", "sdtlink, inline site: 3 integers", "LTTng-UST: 3 integers")]
    chosen += [("live", f"{what}, above an empty handler", None, "ns") for what in
               ("sdtlink: histogram", "sdtlink: count by a string of 16 bytes",
                "sdtlink: latency, both ends")]
    chosen += [("startup", "sdt_attachable()", None, "us"),
               ("startup", "difference", None, "us")]
    chosen += [("compile", f"{compiler}: inline site", None, "ms")
               for compiler in ("gcc", "clang")]
    chosen += [("tool", "sdtlink / cp", kind, "x")
               for kind in ("tool, few sections", "tool, many sections")]
    chosen += [("small", "sdtlink, CPU time", "small, no probes", "ms")]
    names = [name for name in results.machines()
             if any(results.row(name, area, what, kind) for area, what, kind, _ in chosen)]
    rows, sources = [], {}
    for area, what, kind, unit in chosen:
        found = [results.row(name, area, what, kind) or {} for name in names]
        values = [row.get("value", row.get("least")) for row in found]
        if sum(value is not None for value in values) < 2:
            continue
        cells = [EMPTY if value is None else number(value, 2 if unit == "x" else None)
                 for value in values]
        said = WHAT.get(what, what.removesuffix(", 1 thread")) + (f" ({kind})" if kind else "")
        rows.append((said, unit, *cells))
        sources.update({(area, name): None
                        for name, value in zip(names, values) if value is not None})
    out = lines(("", "", *(PEOPLE.get(name, name) for name in names)), rows)
    for area, name in sources:
        out += ["", *source(area, name)]
    return out


# ---- the other pages ----

def launcher():
    titles = {
        "LLVM's optimiser: 44 archives": "LLVM's optimiser, 44 archives",
        "OpenSSL client: two archives": "OpenSSL client, libssl.a and libcrypto.a",
        "1000 objects of 10 KB": "1000 objects of 10 KB", "one object": "one object",
        "one object, `-static`": "one object, -static",
        "1000 objects of 10 KB with four probes each": "1000 objects, 4 probes each",
    }
    rows = []
    for title, what in titles.items():
        added = f"{what}: added processor time"
        kinds = [f"launcher, {linker}" for linker in LINKERS]
        times = [row["value"] for kind in kinds
                 if (row := results.row(MAIN, "launcher", f"{added}, absolute", kind))]
        note = (results.row(MAIN, "launcher", added, kinds[0]) or {}).get("note", "")
        time = f"{short(min(times))} to {short(max(times))} ms" if times else note.split(",")[0]
        rows.append((title, time, *(cell("launcher", added, kind) for kind in kinds),
                     goal("launcher", f"{added}, absolute", kinds[0]) or
                     goal("launcher", added, kinds[0])))
    return lines(("added processor time", "", *LINKERS.values(), "goal"), rows, "launcher")


def live():
    titles = {
        "predicate that is false": "predicate that is false",
        "predicate that is false: an integer, made a double, multiplied and compared":
            "predicate that is false, of a product of doubles",
        "count": "count", "count by an integer": "count by an integer", "histogram": "histogram",
        "count by a string of 16 bytes": "count by a string of 16 bytes",
        "latency, both ends, which read the clock": "latency, both ends",
        "the same, the slowest kept, with two integers and a string of 16 bytes":
            "latency, both ends, the slowest kept with 2 integers and a string",
    }
    return lines(("", "ns above an empty handler, the least", "goal",
                  "instructions above it, without rseq(2)"),
                 [(title, cell("live", f"sdtlink: {what}, above an empty handler", field="least",
                               unit=""), goal("live", f"sdtlink: {what}, above an empty handler"),
                   cell("live", f"{what}, above an empty handler", unit=""))
                  for title, what in titles.items()], "live")


def page():
    frames = {"the whole recording": "the whole recording, zoomed", "a half of it":
              "a half of it, moved", "a thousandth of it": "a thousandth of it, moved"}
    rows = [("size, bytes per event", cell("page", "bytes an event", unit=""), ""),
            ("loading", "", cell("page", "loading 1000000 events"))]
    rows += [(f"a frame of {title}", cell("page", f"a frame: {what}"),
              cell("page", f"a frame, with painting: {what}")) for title, what in frames.items()]
    rows.append(("searching all arguments, in parts of 12 ms", "",
                 cell("page", "searching all arguments")))
    return lines(("", "script", "with painting"), rows, "page")


TABLES = {
    **{area: lambda area=area: every_row(area)
       for area in ("hit", "latency", "disabled", "every-function", "many-functions")},
    "tool": tool, "linear": linear, "small": small, "grown": grown,
    "link": link, "startup": startup,
    "functions": functions, "record": record, "attach": attach, "compile": compiling,
    "machines": machines, "launcher": launcher, "live": live, "page": page,
}
