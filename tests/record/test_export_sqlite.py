# SPDX-License-Identifier: BSD-2-Clause
"""`sdt export --sqlite`: what Python's own SQLite finds in the database."""
import os
import re
import resource
import sqlite3

import pytest

from recordings import TYPES, Trace, word
from test_record_full import in_own_mounts
from test_sdt_report import TOOL, VALUES, rec, run  # noqa: F401  (a fixture)

START = 1_700_000_000_000_000_000


@pytest.fixture(autouse=True)
def library():
    if b"built without libsqlite3" in TOOL.read_bytes():
        pytest.skip("this sdt was built without libsqlite3")


def export(sdt, *args, status=0):
    return run(sdt, "export", "--sqlite=out.db", *(args or ("rec",)), status=status)


def query(sdt, statement):
    """Rows as dictionaries."""
    database = sqlite3.connect(sdt.path("out.db"))
    database.row_factory = sqlite3.Row
    rows = [dict(row) for row in database.execute(statement)]
    database.close()
    return rows


def test_every_type_value_for_value(sdt, rec):
    trace = Trace(rec)
    kinds = sorted(TYPES)
    kind = trace.define("web", "all", *(f"a_{name}:{name}" for name in kinds))
    for n in range(4):
        trace.stream(2).event(10 + n, kind, *(VALUES[name][n] for name in kinds), tid=5000 + n)
    trace.write()
    export(sdt)
    rows = query(sdt, 'SELECT * FROM "web:all" ORDER BY event')
    assert len(rows) == 4
    for n, row in enumerate(rows):
        assert {key: row[key] for key in list(row)[:10]} == {
            "event": n, "time": START + 10 + n, "recording": "rec", "host": "machine",
            "process": "web", "pid": 4711, "tid": 5000 + n, "cpu": 2, "function": "serve",
            "place": "web.c:12"}
        for name in kinds:
            value = VALUES[name][n]
            if isinstance(value, int) and value > 2**63 - 1:
                value = f"0x{value:016x}"
            assert row[f"a_{name}"] == value, name
            assert isinstance(row[f"a_{name}"], type(value))
    types = {row["name"]: row["type"] for row in query(sdt, "PRAGMA table_info('web:all')")}
    assert [types[f"a_{name}"] for name in ("int8", "uint64", "bool", "float", "string", "bytes")] \
        == ["INTEGER", "INTEGER", "INTEGER", "REAL", "TEXT", "BLOB"]
    big = query(sdt, 'SELECT a_uint64 FROM "web:all" ORDER BY a_uint64')
    assert [row["a_uint64"] for row in big] == [0, 1, f"0x{2**63:016x}", "0x" + "f" * 16]


def test_tables_whose_names_sqlite_takes_for_others(sdt, rec):
    """It knows no difference between `Read` and `read`, and has `sqlite_…` for itself."""
    trace = Trace(rec)
    stream = trace.stream()
    for n, (provider, name) in enumerate([("web", "Read"), ("web", "read"), ("web", "READ"),
                                          ("sqlite_vfs", "x_begin"), ("sqlite_vfs", "x_end")]):
        stream.event(n, trace.define(provider, name, "n:int32"), n)
    trace.write()
    export(sdt)
    names = {"web:READ": 2, "web:Read_2": 0, "web:read_3": 1, "_sqlite_vfs:x_begin": 3,
             "_sqlite_vfs:x_end": 4}
    for name, n in names.items():
        assert [row["n"] for row in query(sdt, f'SELECT n FROM "{name}"')] == [n]
    assert query(sdt, 'SELECT "end" FROM "_sqlite_vfs:x_begin to x_end"') == [{"end": 4}]


def test_a_probe_with_a_hundred_thousand_arguments_is_refused_soon(sdt, rec):
    """Hostile: 500 sites, none of which has an argument that another one has."""
    trace = Trace(rec)
    for site in range(500):
        trace.define("web", "wide", *(f"a{site}_{i}:uint8" for i in range(200)))
    trace.write()
    said = run(sdt, "export", "--sqlite=out.db", "rec", status=1, timeout=10).stderr
    assert "too many columns" in said
    assert not sdt.path("out.db").exists()


def test_names_of_values_are_text_and_so_are_arrays(sdt, rec):
    trace = Trace(rec)
    kind = trace.define("web", "state", "state:int32:0=idle:1=in%20use", "list:int16[]")
    kind.fields[0][1], names = "int32", kind.fields[0][1]
    for n in range(3):
        trace.stream().event(n, kind, n, list(range(n)))
    kind.fields[0][1] = names
    path = trace.write()
    metadata = (path / "metadata").read_text()
    (path / "metadata").write_text(metadata.replace(word(names), names))
    export(sdt)
    assert [(row["state"], row["list"]) for row in query(sdt, 'SELECT * FROM "web:state"')] == [
        ("idle", "[]"), ("in use", "[0]"), ("2", "[0, 1]")]


def test_names_and_texts_of_any_kind(sdt, rec):
    """What ends a name or a text in SQL, what is not UTF-8, and what SQL takes for one name."""
    trace = Trace(rec, program='we"b', host="a'b\nc")
    odd = 'a"b\'c\nd); DROP TABLE x;--'
    kind = trace.define('p"q', 'n\'m', f"{odd}:string", "Time:string", "x:int8", "X:int8",
                        "x:int8", "arg_x:int8")
    trace.stream().event(1, kind, odd, b"\xff\xfeok", 1, 2, 3, 4)
    trace.define("slices", "index")
    trace.write()
    export(sdt)
    [table] = query(sdt, "SELECT name FROM sqlite_master WHERE name LIKE 'p%'")
    quoted = table["name"].replace('"', '""')
    [row] = query(sdt, f'SELECT * FROM "{quoted}"')
    assert (row["host"], row["process"]) == ("a'b\nc", 'we"b')
    assert list(row.items())[11:] == [(odd, odd), ("arg_Time", "\ufffd\ufffdok"), ("x", 1),
                                      ("arg_X", 2), ("arg_x_2", 3), ("arg_arg_x", 4)]


def test_pairs_are_views(sdt, rec):
    """As sdt lat: an end without a begin is in none, one whose begin overlaps has no duration."""
    trace = Trace(rec)
    begin = trace.define("web", "get__begin", "path:string", "id:int32")
    end = trace.define("web", "get__end", "id:int32", "ok:bool")
    other = trace.define("db", "out", "id:int32")
    into = trace.define("db", "in", "id:int32")
    stream = trace.stream()
    stream.event(1, end, 0, 1).event(10, begin, "/a", 1).event(15, into, 7)
    stream.event(30, end, 1, 0).event(40, begin, "/b", 2).event(41, begin, "/b", 3)
    stream.event(45, other, 7).event(50, end, 3, 1).event(60, end, 2, 1)
    trace.write()
    result = export(sdt, "--pair=db:in db:out match id", "rec")
    assert "1 of 3 hits began what had not ended" in result.stderr
    rows = query(sdt, 'SELECT * FROM "web:get-begin to get-end" ORDER BY time')
    assert [(row["path"], row["id"], row["end_id"], row["ok"], row["duration"],
             row["time"] - START) for row in rows] == [
        ("/a", 1, 1, 0, 20, 10), ("/b", 2, 2, 1, None, 40), ("/b", 3, 3, 1, 9, 41)]
    assert [(row["event"], row["end"]) for row in rows] == [(1, 3), (4, 8), (5, 7)]
    assert [(row["pair"], row["duration"]) for row in query(
        sdt, "SELECT pair, duration FROM slices ORDER BY time")] == [
        ("web:get-begin to get-end", 20), ("db:in to out", 30),
        ("web:get-begin to get-end", None), ("web:get-begin to get-end", 9)]


def test_no_pair_is_an_empty_view(sdt, rec):
    trace = Trace(rec)
    trace.stream().event(1, trace.define("web", "tick"))
    trace.write()
    export(sdt)
    assert query(sdt, "SELECT pair, avg(duration) FROM slices GROUP BY pair") == []
    assert len(query(sdt, 'SELECT * FROM "web:tick"')) == 1


def test_more_pairs_than_sqlite_joins(sdt, rec):
    """It joins 500 SELECTs at most."""
    trace = Trace(rec)
    kinds = [trace.define("web", f"n{n}_{word}") for n in range(501) for word in ("begin", "end")]
    for n, kind in enumerate(kinds):
        trace.stream().event(n, kind)
    trace.write()
    export(sdt)
    assert query(sdt, "SELECT count(DISTINCT pair) AS pairs, sum(duration) AS sum FROM slices") \
        == [{"pairs": 501, "sum": 501}]


def two_recordings(sdt):
    """Of two hosts, and of two versions of a program: in the second one `size` has become wider,
    `path` is new, and `code` has become a text."""
    for host, fields, values in (("one", ("size:uint32", "code:int32"), (5, 404)),
                                 ("two", ("size:int64", "path:string", "code:string"),
                                  (-2**40, "/x", "gone"))):
        trace = Trace(sdt.path(host), host=host)
        begin = trace.define("web", "get__begin", *fields)
        trace.stream().event(1, begin, *values).event(8, trace.define("web", "get__end"))
        trace.write()


def test_several_recordings_in_one_file(sdt):
    two_recordings(sdt)
    export(sdt, "one", "two")
    rows = query(sdt, 'SELECT * FROM "web:get-begin" ORDER BY recording')
    assert [(row["recording"], row["host"], row["size"], row["path"], row["code"])
            for row in rows] == [("one", "one", 5, None, "404"),
                                 ("two", "two", -2**40, "/x", "gone")]
    assert query(sdt, "SELECT host, duration FROM slices ORDER BY host") == [
        {"host": "one", "duration": 7}, {"host": "two", "duration": 7}]


def test_types_that_no_column_holds(sdt, rec):
    trace = Trace(rec)
    for kind, value in (("int8", -1), ("uint64", 2**64 - 1), ("bool", 1)):
        trace.stream().event(1, trace.define("web", "tick", f"v:{kind}"), value)
    trace.write()
    result = export(sdt)
    assert result.stderr.count("'v' has types at its sites that no column can hold") == 1
    assert [row["v"] for row in query(sdt, 'SELECT v FROM "web:tick" ORDER BY event')] == [
        "-1", str(2**64 - 1), "true"]


def test_filter_of_several_recordings(sdt):
    """A name that only one of them has is no mistake; one that none has is."""
    two_recordings(sdt)
    export(sdt, "--filter=path == \"/x\"", "one", "two")
    assert [row["host"] for row in query(sdt, 'SELECT host FROM "web:get-begin"')] == ["two"]
    result = export(sdt, "--filter=nope == 1", "one", "two", status=1)
    assert "no probe of this recording has an argument 'nope'" in result.stderr


def test_rows_come_once(sdt):
    two_recordings(sdt)
    result = export(sdt, "one", "two", "one/", status=1)
    assert "one and one/ are one recording" in result.stderr
    assert not sdt.path("out.db").exists()


@pytest.mark.parametrize("args, words", [
    (("--sqlite=x", "--chrome=y", "rec"), "one output at a time"),
    (("--sqlite=", "rec"), "an output needs a name"),
    (("--sqlite=x", "-c", "rec"), "--cpus is for --chrome and --perfetto"),
    (("--sqlite=x",), "no recording: name its directory"),
])
def test_wrong_command_lines(sdt, args, words):
    result = run(sdt, "export", *args, status=2)
    assert words in result.stderr and os.listdir(sdt.path(".")) == []


def test_failures_leave_the_output_as_it_was(sdt, rec):
    trace = Trace(rec)
    kind = trace.define("web", "text", "text:string")
    for n in range(1000):
        trace.stream().event(n, kind, "x" * 1000)
    trace.write()
    sdt.write("out.db", "before")

    def unchanged():
        assert sorted(os.listdir(sdt.path("."))) == ["out.db", "rec"]
        assert sdt.path("out.db").read_text() == "before"

    limit = resource.prlimit(0, resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limit[1]))
        assert re.search("cannot write out.db: (File too large|disk I/O error)",
                         export(sdt, status=1).stderr)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    unchanged()
    assert "none: " in export(sdt, "rec", "none", status=1).stderr
    unchanged()
    sdt.write("out.db-wal", "")
    assert "cannot replace out.db: another program has it open, or was killed: out.db-wal exists" \
        in export(sdt, status=1).stderr
    sdt.path("out.db-wal").unlink()
    unchanged()
    export(sdt)
    assert len(query(sdt, 'SELECT * FROM "web:text"')) == 1000


def test_a_full_disk(sdt, rec):
    trace = Trace(rec)
    kind = trace.define("web", "text", "text:string")
    for n in range(1000):
        trace.stream().event(n, kind, "x" * 1000)
    trace.write()
    sdt.path("small").mkdir()
    result = in_own_mounts(
        sdt, "mount -t tmpfs -o size=64k none small; echo before > small/out.db; "
        f"{TOOL} export --sqlite=small/out.db rec || ls small; cat small/out.db")
    assert "cannot write small/out.db: database or disk is full" in result.stderr
    assert result.stdout.split() == ["out.db", "before"]


def test_a_damaged_recording_has_the_rest_and_status_1(sdt, rec):
    trace = Trace(rec)
    kind = trace.define("web", "tick")
    trace.stream().event(1, kind).packet().event(2, kind).packet(magic=1)
    trace.write()
    assert "warning" in export(sdt, status=1).stderr
    assert len(query(sdt, 'SELECT * FROM "web:tick"')) == 1


def test_losses_are_told(sdt, rec):
    """A count of rows is not one of hits."""
    trace = Trace(rec)
    trace.stream().event(1, trace.define("web", "tick")).packet(discarded=7)
    trace.write()
    assert "rec: 7 events discarded, 0 packets lost" in export(sdt).stderr
