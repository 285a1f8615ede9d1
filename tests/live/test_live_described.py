# SPDX-License-Identifier: BSD-2-Clause
"""`--describe` of `sdt lat`, `count`, `hist`, `trace`, `list` and conditions of `record`: names,
types, units and enumerators for probes of <sys/sdt.h>, which have none. The program says what it
passes."""
import json
import re

import pytest

import attached
from conftest import INCLUDE
from attached import Target, ask, json_lines

SOURCE = r"""
#include <stdio.h>
#include <string.h>
#include <sys/sdt.h>

static __attribute__((noinline)) void run(const char *sql, int number, long took)
{
    STAP_PROBE3(db, query__start, sql, number, took);
    STAP_PROBE2(db, query__done, number, number % 3);
}

static __attribute__((noinline)) void other(double share, const char *data, unsigned n)
{
    unsigned long bits;
    memcpy(&bits, &share, sizeof bits);
    STAP_PROBE3(db, other, bits, data, n);
}

int main(void)
{
    static const char *const texts[] = {"SELECT 1", "UPDATE x", "SELECT 2"};
    char line[64];
    puts("here");
    while (fflush(stdout) == 0 && fgets(line, sizeof line, stdin)) {
        for (int i = 0; i < 300; i++)
            run(texts[i % 3], i, i % 2 ? 3 : 20);
        for (int i = 0; i < 4; i++)
            other(i / 4.0, "abcdef", (unsigned)i);
        puts("ok");
    }
    return 0;
}
"""
DESCRIPTION = """
probe db:query-start (sql: string, id: uint8, took: int64 "ms")
probe db:query-done (id: int8, state: enum {0 idle, 1 busy, 2 "at the end"})
probe db:other (share: double, data: string, n: length)
"""


@pytest.fixture(scope="module")
def exe(tmp_path_factory):
    from conftest import Toolbox  # pylint: disable=import-outside-toplevel
    tools = Toolbox(tmp_path_factory.mktemp("described"))
    source = tools.write("described.c", SOURCE)
    return attached.build(tools, source, "described",
                         flags=("-Wall", "-Wextra", f"-I{INCLUDE / 'sdt-compat'}"))


@pytest.fixture(autouse=True)
def fixture_file(sdt):
    sdt.write("db.probes", DESCRIPTION)


def look(sdt, exe, *args, file="db.probes"):
    return ask(sdt, args[0], f"--describe={file}", *args[1:], "--", exe, input="go\n")


def rows(sdt, exe, *args):
    """Key → count."""
    output = look(sdt, exe, args[0], "--json", *args[1:]).stdout
    found = [json.loads(line) for line in output.splitlines() if line[:1] == "{"]
    return {tuple(row["key"]) if isinstance(row["key"], list) else row["key"]: row["count"]
            for row in found}


def test_lat(sdt, exe):
    output = look(sdt, exe, "lat", "query-start", "query-done", "by", "sql", "-n", "1").stdout
    assert re.search(r"^KEY +COUNT .*\nSELECT 1 +100 .*\nSELECT 2 +100 .*\nUPDATE x +100 ", output,
                     re.M)
    slowest = re.search(r"^    db:query-start  sql=\"(.*)\" id=(\d+) took=(\d+)ms\n"
                        r"    db:query-done  id=(-?\d+) state=(.*)\n", output, re.M)
    sql, first, took, second, state = slowest.groups()
    assert int(took) == (3 if int(first) % 2 else 20) and (int(first) - int(second)) % 256 == 0
    assert sql in ("SELECT 1", "UPDATE x", "SELECT 2")
    assert state in ('idle', 'busy', '"at the end"')
    assert rows(sdt, exe, "lat", "query-start", "query-done", "by", "state") == {
        "idle": 100, "busy": 100, "at the end": 100}
    assert rows(sdt, exe, "lat", "query-start", "/took > 10ms && sql ^= \"SEL\"/", "query-done",
                "by", "sql, id % 2") == {("SELECT 1", 0): 50, ("SELECT 2", 0): 50}


@pytest.mark.parametrize("words, found", [
    (["query-done", "by", "id"], {i - 256 * (i > 127): 2 if i < 44 else 1 for i in range(256)}),
    (["query-start", "by", "id"], {i: 2 if i < 44 else 1 for i in range(256)}),
    (["query-start", "/took == 20ms/", "by", "sql"],
     {"SELECT 1": 50, "UPDATE x": 50, "SELECT 2": 50}),
    (["query-done", '/state == "busy" && id < 0/', "by", "state"], {"busy": 42}),
    (["other", "/share > 0.25/", "by", "data"], {"ab": 1, "abc": 1})])
def test_count(sdt, exe, words, found):
    """Integers are converted as in C; text as long as it is said to be."""
    assert rows(sdt, exe, "count", "--top=0", *words) == found


def test_hist_trace_record_and_list(sdt, exe):
    output = look(sdt, exe, "hist", "--json", "query-done", "id").stdout
    [row] = [json.loads(line) for line in output.splitlines() if line[:1] == "{"]
    assert (row["min"], row["max"], row["count"]) == (-128, 127, 300)
    output = look(sdt, exe, "trace", "--json", "-r", "0", "query-start", "/id == 7 && took < 5ms/")
    events = [json.loads(line) for line in output.stdout.splitlines() if line[:1] == "{"]
    assert [event["args"] for event in events] == [{"sql": "UPDATE x", "id": 7, "took": 3},
                                                   {"sql": "SELECT 2", "id": 7, "took": 3}]
    look(sdt, exe, "record", "-o", "rec", "-e", 'query-done /state == "at the end" && id == 5/')
    events = json_lines(ask(sdt, "report", "--json", "rec").stdout)
    assert [event["args"] for event in events] == [{"id": 5, "state": "at the end"}]
    with Target(exe) as target:
        for who in ("-p", target.pid), (exe,):
            output = ask(sdt, "list", "--describe=db.probes", *who, "query-start").stdout
            assert re.search(r"sql: string, id: uint8, took: int64", output), output


def test_what_is_wrong_is_said(sdt, exe):
    sdt.write("bad.probes", "probe db:query-start (sql: strin)\n")
    for command in (["lat", "query-start", "query-done"], ["count", "query-start", "by", "id"],
                    ["hist", "query-start", "id"], ["trace", "query-start"]):
        result = ask(sdt, command[0], "--describe=bad.probes", *command[1:], "--", exe, status=1)
        assert "bad.probes:1:28: expected a type" in result.stderr
    assert "bad.probes:1:28" in ask(sdt, "list", "--describe=bad.probes", "-p", "1",
                                    status=1).stderr
    sdt.write("others.probes", "probe db:query-strat (sql: string)\n")
    assert "others.probes: describes none of the probes that match" in \
        look(sdt, exe, "count", "query-start", "by", "arg1", file="others.probes").stderr
    for word in ("--describe=", "--describe=db.probes"):
        ask(sdt, "count", word, "query-start", "--", exe, status=2)
    sdt.write("clash.probes", "probe db:query-start (id, _, id2)\n"
                              "probe db:query-done (arg1)\n")  # arg1 is there already
    assert rows(sdt, exe, "count", "query-done", "by", "arg1 % 2")
