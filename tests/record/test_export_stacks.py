# SPDX-License-Identifier: BSD-2-Clause
"""Callers in `sdt export --sqlite` and `--parquet`: those that the source says, in SQLite and in
the reader of Parquet; and DuckDB, where node finds it."""
import json
import sqlite3

import parquet
import pytest

import recorded
from attached import ask
from recordings import Trace
from test_export_parquet import DUCKDB, node
from test_sdt_report import TOOL, rec, run  # noqa: F401  (a fixture)

# Twice as long in `slow` as there are calls of `fast`.
SOURCE = """#include <sdt/probe.h>
#include <time.h>
static volatile int sink;
namespace shop {
__attribute__((noinline)) static void work(int stack, long ns)
{
    SDT_PROBE(calls, job__begin, stack);
    struct timespec pause = {0, ns};
    nanosleep(&pause, nullptr);
    SDT_PROBE(calls, job__end);
    sink = sink + stack;
}
__attribute__((noinline)) static void fast(int n) { work(n, 1); sink = sink + 1; }
__attribute__((noinline)) static void slow(int n) { work(n, 5000000); sink = sink + 2; }
}
int main()
{
    for (int i = 0; i < 20; i++)
        (i % 5 ? shop::fast : shop::slow)(i);
    return 0;
}
"""
FAST, SLOW = (f"main;shop::{name}(int);shop::work(int, long)" for name in ("fast", "slow"))


@pytest.fixture(autouse=True)
def library():
    if b"built without libsqlite3" in TOOL.read_bytes():
        pytest.skip("this sdt was built without libsqlite3")


@pytest.fixture
def jobs(sdt):
    exe = recorded.build(sdt, sdt.write("jobs.cc", SOURCE), "-O2", compiler="g++", name="jobs")
    ask(sdt, "record", "--stack", "-o", "rec", "--", exe)
    return exe


def query(sdt, statement):
    with sqlite3.connect(sdt.path("out.db")) as database:
        return database.execute(statement).fetchall()


def inner(functions):
    """Without what called main()."""
    return "main;" + functions.split(";main;", 1)[1]


def test_sqlite_has_each_stack_once(sdt, jobs):
    """And a join counts hits, or adds times, as a flame graph does."""
    run(sdt, "export", "--sqlite=out.db", "rec")
    assert sorted(inner(text) for [text] in query(sdt, "SELECT functions FROM stacks")) == [
        FAST, SLOW]
    counts = query(sdt, 'SELECT functions, count(*) FROM "calls:job-begin" JOIN stacks '
                        "USING (stack) GROUP BY functions")
    assert {inner(text): count for text, count in counts} == {FAST: 16, SLOW: 4}
    times = {inner(text): time for text, time in query(
        sdt, "SELECT functions, sum(duration) FROM slices JOIN stacks USING (stack) "
             "GROUP BY functions")}
    assert set(times) == {FAST, SLOW} and times[SLOW] >= 20e6
    # An argument of that name has another one.
    assert [n for [n] in query(sdt, 'SELECT arg_stack FROM "calls:job-begin"')] == list(range(20))


def test_parquet_has_them_as_text(sdt, jobs):
    run(sdt, "export", "--parquet=out", "rec")
    [path] = sdt.path("out").glob("*/calls.job-begin.parquet")
    file = parquet.File(path)
    assert [inner(row["stack"]) for row in file.rows] == [
        FAST if i % 5 else SLOW for i in range(20)]
    assert file.encodings[0]["stack"] == parquet.DICTIONARY
    assert file.types["stack"] == (parquet.BYTES, parquet.UTF8)


def test_duckdb_takes_them_apart(sdt, jobs):
    run(sdt, "export", "--parquet=out", "rec")
    [rows] = node(sdt, DUCKDB % json.dumps([
        "SELECT function, count(*) FROM (SELECT unnest(string_split(stack, ';')) AS function "
        "FROM 'out/*/calls.job-end.parquet') WHERE function LIKE 'shop::%' GROUP BY function "
        "ORDER BY function"]), "@duckdb/node-api")
    assert rows == [["shop::fast(int)", "16"], ["shop::slow(int)", "4"],
                    ["shop::work(int, long)", "20"]]


def test_a_program_that_is_gone_has_addresses(sdt, jobs):
    jobs.unlink()
    run(sdt, "export", "--sqlite=out.db", "rec")
    texts = [text for [text] in query(sdt, "SELECT functions FROM stacks")]
    assert texts and all("jobs+0x" in text and "work" not in text for text in texts)


def test_without_callers_there_are_none(sdt, rec):
    trace = Trace(rec)
    trace.stream().event(1, trace.define("web", "tick", "n:int8"), 1)
    trace.write()
    run(sdt, "export", "--sqlite=out.db", "rec")
    run(sdt, "export", "--parquet=out", "rec")
    assert query(sdt, 'SELECT stack, n FROM "web:tick"') == [(None, 1)]
    assert not query(sdt, "SELECT * FROM stacks")
    [row] = parquet.File(sdt.path("out") / "host=machine" / "web.tick.parquet").rows
    assert row["stack"] is None
