# SPDX-License-Identifier: BSD-2-Clause
"""Functions in `sdt export --sqlite` and `--parquet`: two tables, whatever number of functions a
recording has; in Python's SQLite and the reader of Parquet."""
import json
import sqlite3

import parquet
import pytest

from recordings import Trace
from test_sdt_report import TOOL, rec, run  # noqa: F401  (a fixture)


@pytest.fixture(autouse=True)
def library():
    if b"built without libsqlite3" in TOOL.read_bytes():
        pytest.skip("this sdt was built without libsqlite3")


def query(sdt, statement):
    with sqlite3.connect(sdt.path("out.db")) as database:
        return database.execute(statement).fetchall()


def define(trace, function, parameters=(), result=()):
    """Its entry and its return."""
    return (trace.define("fn", "entry", "frame:pointer", *parameters, function=function),
            trace.define("fn", "return", "frame:pointer", *result, function=function))


def calls(rec, *more):
    """Of functions with other parameters and results; MORE: the host."""
    trace = Trace(rec, **dict(more))
    stream, time = trace.stream(), 0
    for function, parameters, values, result, value in (
            ("open_it", ("path:string", "flags:hex32"), ('a"b\n', 0x41), ("result:int32",), -1),
            ("_ZN3web5countEv", (), (), ("result:uint64",), 2**64 - 1),
            ("name_of", ("path:int8", "frame:int8"), (7, 8), ("result:string",), 'x"y'),
            ("nothing", ("flags:bool", "list:int16[]"), (1, [1, 2]), (), None)):
        entry, leave = define(trace, function, parameters, result)
        stream.event(time, entry, 0x7f00, *values)
        stream.event(time + 5, leave, 0x7f00, *([value] if result else []))
        time += 10
    trace.define("web", "tick")
    stream.event(time, trace.classes[-1])
    trace.write()


def test_sqlite(sdt, rec):
    calls(rec)
    result = run(sdt, "export", "--sqlite=out.db", "rec")
    assert not result.stderr
    assert [name for [name] in query(sdt, "SELECT name FROM sqlite_master WHERE type = 'table' "
                                          "ORDER BY name")] == [
        "fn:entry", "fn:return", "stacks", "web:tick"]
    rows = query(sdt, 'SELECT function, frame, arguments FROM "fn:entry" ORDER BY event')
    assert [(name, frame, text and json.loads(text)) for name, frame, text in rows] == [
        ("open_it", 0x7f00, {"path": 'a"b\n', "flags": 0x41}), ("web::count()", 0x7f00, None),
        ("name_of", 0x7f00, {"path": 7, "frame": 8}),
        ("nothing", 0x7f00, {"flags": True, "list": [1, 2]})]
    assert query(sdt, 'SELECT function, result, duration FROM "fn:return" ORDER BY event') == [
        ("open_it", "-1", 5), ("web::count()", str(2**64 - 1), 5), ("name_of", 'x"y', 5),
        ("nothing", None, 5)]
    assert query(sdt, 'SELECT function, arguments ->> \'$.path\', result, duration FROM '
                      '"fn:entry to return" ORDER BY event LIMIT 1') == [
        ("open_it", 'a"b\n', "-1", 5)]
    assert query(sdt, "SELECT pair, duration FROM slices ORDER BY time") == [
        (f"fn::{name}", 5) for name in ("open_it", "web::count()", "name_of", "nothing")]


def test_parquet(sdt, rec):
    """Hosts whose programs have other functions have files of the same columns."""
    calls(rec)
    other = Trace(sdt.path("rec2"), host="other")
    other.stream().event(1, define(other, "f", ("x:double",))[0], 1, 0.5)
    other.write()
    for directory in ("rec", "rec2"):
        run(sdt, "export", f"--parquet=out-{directory}", directory)
    files = sorted(path.name for path in sdt.path("out-rec").glob("*/*"))
    assert files == ["fn.entry.parquet", "fn.return.parquet", "web.tick.parquet"]
    many, one = (parquet.File(next(sdt.path(f"out-{name}").glob("*/fn.entry.parquet")))
                 for name in ("rec", "rec2"))
    assert many.types == one.types
    assert [(row["function"], row["arguments"] and json.loads(row["arguments"]))
            for row in many.rows[1:3] + one.rows] == [
        ("web::count()", None), ("name_of", {"path": 7, "frame": 8}), ("f", {"x": 0.5})]


def test_ten_thousand_functions(sdt, rec):
    """Are two tables and one view, with a row for each hit."""
    trace = Trace(rec)
    stream = trace.stream()
    for n in range(10000):
        entry, leave = define(trace, f"function_{n}", (f"a{n}:int32",), ("result:int32",))
        stream.event(2 * n, entry, 64, n).event(2 * n + 1, leave, 64, n)
        if n % 1000 == 999:
            stream.packet()
    trace.write()
    run(sdt, "export", "--sqlite=out.db", "rec")
    assert query(sdt, "SELECT type, count(*) FROM sqlite_master GROUP BY type") == [
        ("table", 3), ("view", 2)]
    assert query(sdt, "SELECT count(*), count(DISTINCT pair), sum(duration) FROM slices") == [
        (10000, 10000, 10000)]
    assert query(sdt, 'SELECT arguments, result FROM "fn:entry to return" '
                      "WHERE function = 'function_77'") == [('{"a77": 77}', "77")]
    run(sdt, "export", "--parquet=out", "rec")
    assert len(list(sdt.path("out").glob("*/*"))) == 2
