# SPDX-License-Identifier: BSD-2-Clause
"""`sdt report`: synthetic recordings, value for value as babeltrace2 reads them."""
import csv
import io
import json
import math
import os
import pty
import re
import subprocess

import pytest

import recorded
from conftest import TOOL_BUILD
from recordings import TYPES, Trace

TOOL = TOOL_BUILD / "sdt" / "sdt"

# Each type with values at its ends.
VALUES = {
    **{f"int{n}": [0, -1, -2**(n - 1), 2**(n - 1) - 1] for n in (8, 16, 32, 64)},
    **{f"{kind}{n}": [0, 1, 2**(n - 1), 2**n - 1] for kind in ("uint", "hex")
       for n in (8, 16, 32, 64)},
    "bool": [0, 1, 1, 0],
    "pointer": [0, 1, 2**63, 2**64 - 1],
    "float": [0.0, -1.5, 0.10000000149011612, 3.0000000054977558e38],
    "double": [-0.0, -2.0, 5e-324, 1.7976931348623157e308],
    "string": ["", "/index.html", 'a "b" \\ c\n\t', "žluťoučký 日本"],
    "bytes": [b"", b"\0", b"\xff\xfe", bytes(range(256))],
}


def run(sdt, *args, **kwargs):
    return sdt.command(TOOL, *args, **kwargs)


def report(sdt, *args, **kwargs):
    return run(sdt, "report", *args, "rec", **kwargs)


def objects(sdt, *args, **kwargs):
    return [json.loads(line) for line in report(sdt, "--json", *args, **kwargs).stdout.splitlines()]


def of_babeltrace(kind, name, payload):
    """A value of theirs in the form of our JSON."""
    value = payload[name]
    return value.hex() if kind == "bytes" else value


@pytest.fixture
def rec(sdt):
    return sdt.path("rec")


def test_every_type_value_for_value(sdt, rec):
    """One event with all types, at the ends of each."""
    trace = Trace(rec)
    kinds = sorted(TYPES)
    kind = trace.define("web", "all", *(f"a_{name}:{name}" for name in kinds))
    for n in range(4):
        trace.stream(2).event(10 + n, kind, *(VALUES[name][n] for name in kinds), tid=5000 + n)
    trace.write()
    ours, theirs = objects(sdt), recorded.babeltrace(sdt)[0]
    assert len(ours) == len(theirs) == 4
    for n, (our, (name, time, pid, tid, cpu, payload)) in enumerate(zip(ours, theirs)):
        assert (f"{our['provider']}:{our['name']}", our["time"], our["pid"], our["tid"],
                our["cpu"]) == (name, time, pid, tid, cpu)
        assert (time, tid, cpu) == (trace.nanoseconds(10 + n), 5000 + n, 2)
        assert our["function"] == "serve"
        for kind_name in kinds:
            written, key = VALUES[kind_name][n], f"a_{kind_name}"
            written = written.hex() if kind_name == "bytes" else written
            value = our["args"][key]
            assert value == of_babeltrace(kind_name, key, payload) == written, kind_name
            assert isinstance(value, float) == (kind_name in ("double", "float"))


def test_arrays_of_every_type(sdt, rec):
    """Of no element, one, and all of VALUES; after a string, so that nothing is aligned."""
    others = ("hex", "bool", "string", "bytes")
    kinds = [kind for kind in sorted(TYPES) if not kind.startswith(others)]
    values = {**VALUES, "float": [0.0, -1.5, 0.10000000149011612, 2.0**127]}
    trace = Trace(rec)
    kind = trace.define("web", "arrays", "s:string", *(f"a_{name}:{name}[]" for name in kinds))
    for n in (0, 1, 4):
        trace.stream().event(n, kind, "x" * n, *(values[name][:n] for name in kinds))
    trace.write()
    rows = recorded.babeltrace(sdt)[0]
    for n, ours, theirs in zip((0, 1, 4), objects(sdt), [row[5] for row in rows], strict=True):
        for name in kinds:
            assert ours["args"][f"a_{name}"] == theirs[f"a_{name}"] == values[name][:n], name
    found = objects(sdt, "--filter", "a_int16 == 4 && a_double > 3 && a_float")
    assert [row["args"]["s"] for row in found] == ["xxxx"]
    text = report(sdt).stdout.splitlines()[2]
    assert 's="x"' in text and "a_int8=[0]" in text and "a_pointer=[0x0]" in text


def test_arrays_of_what_is_no_number_are_unknown(sdt, rec):
    trace = Trace(rec)
    kind = trace.define("web", "odd", "n:int32", "a:string[]")
    kind.fields[1][1] = "int32"
    trace.stream().event(1, kind, 5, 6)
    kind.fields[1][1] = "string[]"
    trace.write()
    result = report(sdt, "--json", status=1)
    assert json.loads(result.stdout)["args"] == {"n": 5}
    assert "'a' has type 'string[]', which this version cannot read" in result.stderr


def test_members_of_json(sdt, rec):
    """The contract for other tools."""
    trace = Trace(rec)
    trace.stream(1).event(5, trace.define("web", "request", "path:string", "n:int32"), "/x", 3)
    trace.write()
    line = report(sdt, "--json").stdout
    assert line == ('{"time": 1700000000000000005, "cpu": 1, "pid": 4711, "tid": 4711, '
                    '"provider": "web", "name": "request", "function": "serve", '
                    '"args": {"path": "/x", "n": 3}}\n')


def test_two_processes_and_many_cpus_in_order_of_time(sdt, rec):
    first, second = Trace(rec, pid=100), Trace(rec, program="db server", pid=200, offset_s=0,
                                               frequency=3_000_000, offset=17 * 10**14 * 3)
    for trace, times in ((first, range(0, 9000, 3)), (second, range(1, 3000, 2))):
        kind = trace.define("p", f"n{trace.pid}", "i:uint32")
        for i, time in enumerate(times):
            stream = trace.stream(i % 5)
            stream.event(time, kind, i)
            if len(stream.events) == 7:
                stream.packet(room=8 * (i % 3))
        trace.write()
    ours = objects(sdt)
    theirs = recorded.babeltrace(sdt)[0]
    assert [o["time"] for o in ours] == sorted(o["time"] for o in ours) == [t[1] for t in theirs]
    assert len(ours) == 3000 + 1500
    key = [(o["time"], o["pid"], o["cpu"], o["args"]["i"]) for o in ours]
    assert sorted(key) == sorted((t[1], t[2], t[4], t[5]["i"]) for t in theirs)


def test_cpus_in_order_of_ticks_within_a_nanosecond(sdt, rec):
    """Or else the order would change when a clock's frequency is measured again."""
    trace = Trace(rec, frequency=4 * 10**9)
    kind = trace.define("p", "n", "i:uint32")
    for tick in range(1000):
        trace.stream(tick * 7 % 3).event(tick, kind, tick)
    trace.write()
    ours = objects(sdt)
    assert len({o["time"] for o in ours}) == 250
    assert [o["args"]["i"] for o in ours] == list(range(1000))


def test_packets_whose_last_event_does_not_fill_its_words(sdt, rec):
    """And packets without events. Longer events have a length of more than 10 bits."""
    trace = Trace(rec)
    kind = trace.define("p", "n", "s:string")
    for n in range(20):
        trace.stream().event(n, kind, "x" * 50 * n)
        if n % 3 == 2:
            trace.stream().packet().packet(begin=n, end=n)
    trace.write()
    assert [(o["time"], o["args"]["s"]) for o in objects(sdt)] == \
        [(t[1], t[5]["s"]) for t in recorded.babeltrace(sdt)[0]] == \
        [(trace.nanoseconds(n), "x" * 50 * n) for n in range(20)]


def test_timestamps_beyond_44_bits(sdt, rec):
    """The event has the low bits only; the packet's begin has them all."""
    trace = Trace(rec, offset_s=0)
    kind = trace.define("p", "n")
    edge = 399 << 44
    for time in (edge - 5, edge - 1, edge + 1, edge + 2**43):
        trace.stream().event(time, kind)
    trace.write()
    assert [o["time"] for o in objects(sdt)] == [t[1] for t in recorded.babeltrace(sdt)[0]] == \
        [edge - 5, edge - 1, edge + 1, edge + 2**43]


def test_losses(sdt, rec):
    trace = Trace(rec)
    kind = trace.define("p", "n")
    stream = trace.stream()
    stream.event(1, kind).packet()
    stream.discarded = 5
    stream.event(10, kind).packet(sequence=4)
    stream.discarded = 12
    stream.event(20, kind).packet()
    trace.stream(1).event(3, kind)
    trace.write()
    theirs = [t for t in recorded.babeltrace(sdt)[0] if t[0] in ("discarded", "packets")]
    assert sum(n for what, n in theirs if what == "discarded") == 12
    assert sum(n for what, n in theirs if what == "packets") == 3
    shown = report(sdt, "--summary").stdout
    assert re.search(r"^STREAM +PROCESS +EVENTS +DISCARDED +PACKETS LOST +DAMAGED$", shown, re.M)
    assert re.search(r"^web-4711/cpu0 +4711 +3 +12 +3 +0$", shown, re.M)
    assert re.search(r"^web-4711/cpu1 +4711 +1 +0 +0 +0$", shown, re.M)
    for form in ([], ["--json"], ["--csv"]):
        assert "12 events discarded, 3 packets lost: see sdt report --summary" in \
            report(sdt, *form).stderr


def test_text(sdt, rec):
    trace = Trace(rec)
    request = trace.define("web", "request", "path:string", "n:int32", "f:float", "h:hex16",
                           "b:bool", "raw:bytes", "p:pointer")
    done = trace.define("web", "done")
    trace.stream().event(7, request, "/x", -3, 0.10000000149011612, 255, 1, b"\1\xab", 4096
                         ).event(1_000_000_009, done, tid=9)
    trace.write()
    env = {"TZ": "UTC-2"}
    lines = report(sdt, env=env).stdout.splitlines()
    assert lines == [
        "TIME                           CPU  PID/TID          PROBE        ARGUMENTS",
        "2023-11-15 00:13:20.000000007    0  4711/4711        web:request  "
        'path="/x" n=-3 f=0.1 h=0xff b=true raw=01ab p=0x1000',
        "2023-11-15 00:13:21.000000009    0  4711/9           web:done"]
    assert [line.split()[0] for line in report(sdt, "-r").stdout.splitlines()[1:]] == \
        ["0.000000000", "1.000000002"]
    assert [line.split()[0] for line in report(sdt, "--delta").stdout.splitlines()[1:]] == \
        ["0.000000000", "1.000000002"]
    assert len(report(sdt, "--limit=1").stdout.splitlines()) == 2


def test_nothing_of_the_data_reaches_the_terminal_as_a_command(sdt, rec):
    trace = Trace(rec, program="we\033b")
    evil = "\033]0;x\007\x9b1m\u202e\r\n\x7f"
    kind = trace.define("p\033[1m", "n\u202e", "s:string", function="f\033")
    trace.stream().event(1, kind, evil).event(2, kind, b"\xff\xc3(\xed\xa0\x80")
    trace.write()
    for form in ([], ["--json"], ["--csv"], ["--summary"], ["-f", "s == \"\033\""]):
        shown = report(sdt, *form, text=False)
        text = shown.stdout.decode() + shown.stderr.decode()
        assert not set(text) & {"\033", "\007", "\x9b", "\u202e", "\x7f"}
    first, second = objects(sdt)
    assert (first["args"]["s"], first["provider"], first["function"]) == (evil, "p\033[1m", "f\033")
    assert second["args"]["s"] == "\ufffd\ufffd(\ufffd\ufffd\ufffd"
    assert r's="\xff\xc3(\xed\xa0\x80"' in report(sdt).stdout


def test_numbers_that_json_does_not_have(sdt, rec):
    trace = Trace(rec)
    kind = trace.define("p", "n", "d:double", "f:float")
    for value in (math.nan, math.inf, -math.inf):
        trace.stream().event(1, kind, value, value)
    trace.stream().event(2, kind, -0.0, 1e15)
    trace.write()
    *none, last = objects(sdt)
    assert [o["args"] for o in none] == [{"d": None, "f": None}] * 3
    assert math.copysign(1, last["args"]["d"]) == -1 and last["args"] == {"d": 0, "f": 1e15}
    assert re.findall(r"d=(\S+) f=(\S+)", report(sdt).stdout) == \
        [("nan", "nan"), ("inf", "inf"), ("-inf", "-inf"), ("-0", "1e+15")]


def rows(text):
    return list(csv.reader(io.StringIO(text, newline="")))


def test_csv_of_one_probe_has_a_column_for_each_argument(sdt, rec):
    trace = Trace(rec)
    request = trace.define("web", "request", "path:string", "n:int32")
    other = trace.define("web", "other", "x:bool")
    trace.stream().event(1, request, 'a,"b"', -1).event(2, other, 1).event(3, request, "", 7)
    trace.write()
    assert rows(report(sdt, "--csv", "-f", 'name == "request"').stdout) == [
        ["time", "cpu", "pid", "tid", "provider", "name", "function", "path", "n"],
        ["1700000000000000001", "0", "4711", "4711", "web", "request", "serve", 'a,\\"b\\"', "-1"],
        ["1700000000000000003", "0", "4711", "4711", "web", "request", "serve", "", "7"]]
    together = rows(report(sdt, "--csv").stdout)
    assert [row[7] for row in together] == ["args", 'path="a,\\"b\\"" n=-1', "x=true",
                                            'path="" n=7']
    # The first event alone is of one probe.
    assert rows(report(sdt, "--csv", "-n1").stdout)[0][7:] == ["path", "n"]


def test_sites_of_one_probe_with_other_fields(sdt, rec):
    """Each event is shown with the fields of its own site."""
    trace = Trace(rec)
    a, b = trace.define("p", "n", "x:int8"), trace.define("p", "n", "x:string", function="other")
    trace.stream().event(1, a, -1).event(2, b, "s")
    trace.write()
    assert [(o["function"], o["args"]["x"]) for o in objects(sdt)] == \
        [("serve", -1), ("other", "s")]
    assert rows(report(sdt, "--csv").stdout)[0][-1] == "args"
    assert re.search(r"^p:n +2 ", report(sdt, "--summary").stdout, re.M)


LEAST = "(-9223372036854775808 * 9223372036854775808 * 2)"  # of 128 bits
FILTERS = [
    (f"!({LEAST} / -1) && !-{LEAST} && {LEAST} % -1 == 0 && {LEAST} < 0", [0, 1, 2, 3]),
    ('name == "b"', [2, 3]), ('provider != "web"', []), ('provider ^= "we"', [0, 1, 2, 3]),
    ('n > 2', [1]), ('n >= 2 && n <= 2', [0]), ('!(n == 2)', [1, 2, 3]), ('n != 2', [1]),
    ('s ^= "/in"', [0]), ('s == ""', [1]), ('s', [0]), ('u == 18446744073709551615', [2]),
    ('u > 9223372036854775807', [2]), ('u == -1', []), ('n * 2 + 1 == 5', [0]),
    ('n % 2 == 1 || d < 0', [1, 3]), ('d == -0.5', [3]), ('d', [2, 3]), ('h & 0x10', [2]),
    ('h & 0x10 == 0x10', [2]), ('tid == 7 || cpu == 1', [1, 2]), ('pid == 4711', [0, 1, 2, 3]),
    ('function == "serve" && module == "web"', [0, 1, 2, 3]), ('1 / (n - 2) == 1', [1]),
    ('arg.name == 1', [2]), ('n == "2"', []), ('"a" < "b"', [0, 1, 2, 3]), ('- n == -2', [0]),
    ('true', [0, 1, 2, 3]), ('ok == true', [3]), ('0.5e1 == 5', [0, 1, 2, 3]),
    ('s == "\\x2fin\\x64ex"', [0]), ('n + s == 2', []), ('(((n))) == 3', [1]),
    ('!s && name == "a"', [1]), ('u - 18446744073709551614 == 1', [2]),
    ('-9 % 4 == -1 && n', [0, 1]),
]


@pytest.mark.parametrize("expression, chosen", FILTERS, ids=[f[0] for f in FILTERS])
def test_filter(sdt, rec, expression, chosen):
    trace = Trace(rec)
    a = trace.define("web", "a", "n:int32", "s:string")
    b = trace.define("web", "b", "u:uint64", "d:double", "h:hex8", "ok:bool", "name:uint8")
    trace.stream().event(0, a, 2, "/index").event(1, a, 3, "", tid=7)
    trace.stream(1).event(2, b, 2**64 - 1, 0.25, 0x30, 0, 1)
    trace.stream().event(3, b, 0, -0.5, 0, 1, 0)
    trace.write()
    assert [o["time"] % 10 for o in objects(sdt, "--filter", expression)] == chosen


@pytest.mark.parametrize("expression, chosen", [
    ('name == "query-begin"', [0, 2]), ('name == "query__begin"', [0, 2]),
    ('name == "query_begin"', [1]), ('name ^= "query-"', [0, 2]), ('name ^= "query_"', [1]),
    ('name != "query-begin"', [1]), ('provider == "my__db"', [2]), ('provider == "my-db"', [2]),
    ('s == "a-b"', [0]), ('s == "a__b"', [1]), ('name > "query-a" && name < "query-c"', [0, 2]),
])
def test_both_spellings_of_names_in_filters(sdt, rec, expression, chosen):
    """As in patterns; text of arguments is what it is."""
    trace = Trace(rec)
    kinds = [trace.define(*names, "s:string") for names in (
        ("db", "query__begin"), ("db", "query_begin"), ("my__db", "query__begin"))]
    for n, (kind, text) in enumerate(zip(kinds, ("a-b", "a__b", ""))):
        trace.stream().event(n, kind, text)
    trace.write()
    assert [o["time"] % 10 for o in objects(sdt, "--filter", expression)] == chosen


def test_names_are_spelled_as_everywhere(sdt, rec):
    """For people as `sdtlink list` shows them; in JSON and CSV, C identifiers."""
    trace = Trace(rec)
    trace.stream().event(0, trace.define("my__db", "query__begin", "row__count:int8"), 1)
    trace.write()
    assert "  my-db:query-begin  row__count=1\n" in report(sdt).stdout
    assert "my-db:query-begin" in report(sdt, "--summary").stdout
    [event] = objects(sdt)
    assert (event["provider"], event["name"]) == ("my__db", "query__begin")
    assert ",my__db,query__begin," in report(sdt, "--csv").stdout


@pytest.mark.parametrize("expression, column, problem", [
    ("n >", 3, 'expected a name, a number, a "text" or ('),
    ("n > && 3", 4, 'expected a name, a number, a "text" or ('),
    ("", 0, 'expected a name, a number, a "text" or ('),
    ("(n", 2, "expected ) or an operator"),
    ("n = 3", 2, "expected an operator; equality is =="),
    ("n 3", 2, "expected an operator"),
    ("1 < n < 3", 6, "comparisons do not chain: write a < b && b < c"),
    ('"x', 2, 'the text has no closing "'),
    ('"\\q"', 2, "no such escape in a text"),
    ("99999999999999999999", 0, "not a number that fits 64 bits, and no time such as 10ms"),
    ("12ab", 0, "not a number that fits 64 bits, and no time such as 10ms"),
    ("3min", 0, "not a number that fits 64 bits, and no time such as 10ms"),
    ("len(a, 3)", 5, "only str() takes two values, an address and a length"),
    ("arg.", 4, "expected the name of an argument"),
    ("(" * 65 + "1" + ")" * 65, 65, "nested too deeply"),
    ("!" * 65 + "1", 65, "nested too deeply"),
    ("\033n = 1", 0, 'expected a name, a number, a "text" or ('),
])
def test_wrong_filters(sdt, rec, expression, column, problem):
    Trace(rec).write()
    refused = report(sdt, "-f", expression, status=2)
    lines = refused.stderr.splitlines()
    assert lines[0] == f"sdt: error: {problem}" and refused.stdout == ""
    assert lines[2] == " " * (2 + column) + "^" and "\033" not in refused.stderr


def test_long_filters(sdt, rec):
    """Long is not deep."""
    trace = Trace(rec)
    trace.stream().event(1, trace.define("p", "n", "x:int8"), 1)
    trace.write()
    assert len(objects(sdt, "-f", "x" + " + x" * 10_000 + " == 10001")) == 1
    nested = "(1 || 1 && 1 < 1 + 1 * " * 60 + "1" + ")" * 60
    assert len(objects(sdt, "-f", nested)) == 1


def test_an_argument_that_no_probe_has(sdt, rec):
    trace = Trace(rec)
    trace.define("p", "n", "x:int8")
    trace.write()
    refused = report(sdt, "-f", "x == 1 || y == 1", status=1)
    assert "no probe of this recording has an argument 'y'\n  x == 1 || y == 1\n" + 12 * " " + \
        "^" in refused.stderr


@pytest.mark.parametrize("args, words", [
    (["report"], "no recording"), (["report", ""], "no recording"),
    (["report", "--json", "--csv", "a"], "are mutually exclusive"),
    (["report", "-r", "-d", "a"], "are mutually exclusive"),
    (["report", "-r", "--json", "a"], "are for text output only"),
    (["report", "-n", "x", "a"], "--limit needs a number"),
    (["report", "--nonsense", "a"], "unrecognized option"),
    ([], "no command"), (["nonsense"], "nonsense: no such command"),
], ids=" ".join)
def test_wrong_command_lines(sdt, args, words):
    result = run(sdt, *args, status=2)
    assert words in result.stderr and result.stdout == ""


def test_help_and_version(sdt):
    assert run(sdt, "--help").stdout.startswith("Usage: sdt record")
    assert run(sdt, "report", "--help").stdout.startswith("Usage: sdt report")
    assert re.fullmatch(r"sdt \(sdtlink\) \d+\.\d+\.\d+\n", run(sdt, "--version").stdout)
    with open("/dev/full", "w", encoding="ascii") as full:
        result = subprocess.run([TOOL, "--help"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert result.returncode == 1 and b"sdt: error: cannot write" in result.stderr


def on_a_terminal(sdt, *args, **env):
    """What appears on a terminal."""
    master, slave = pty.openpty()
    with subprocess.Popen([TOOL, "report", *args, "rec"], stdout=slave, stderr=slave,
                          cwd=sdt.dir, env={**os.environ, **env}) as process:
        os.close(slave)
        shown = b""
        try:
            while data := os.read(master, 4096):
                shown += data
        except OSError:
            pass
        os.close(master)
    assert process.returncode == 0
    return shown.decode()


def test_colour_and_pager_on_a_terminal_only(sdt, rec):
    trace = Trace(rec)
    trace.stream().event(1, trace.define("web", "request"))
    trace.write()
    assert "\033[1mweb:request" in on_a_terminal(sdt, PAGER="", NO_COLOR="")
    assert "\033" not in on_a_terminal(sdt, PAGER="", NO_COLOR="1")
    assert "WEB:REQUEST" in on_a_terminal(sdt, PAGER="tr a-z A-Z", NO_COLOR="1")
    assert "WEB" not in report(sdt, env={"PAGER": "tr a-z A-Z"}).stdout
    assert "\033" not in report(sdt, env={"NO_COLOR": ""}).stdout


def test_a_pager_that_ends_early(sdt, rec):
    trace = Trace(rec)
    kind = trace.define("web", "request")
    for time in range(50_000):
        trace.stream().event(time, kind)
    trace.write()
    head = subprocess.run(f"'{TOOL}' report rec | head -n 2", shell=True, cwd=sdt.dir,
                          capture_output=True, text=True, check=True)
    assert head.stdout.count("\n") == 2 and head.stderr == ""
