# SPDX-License-Identifier: BSD-2-Clause
"""Members of structures in expressions, by debug information, of a probe and of a function.

The program prints all members at each hit.
"""
import json

import pytest

from attached import ask
from conftest import INCLUDES
from test_functions import build
from test_launcher import launch  # pylint: disable=unused-import

pytestmark = pytest.mark.nosan  # sanitizers put calls of their own into functions

PATHS = ["kind", "method", "flags", "level", "wide", "is_last", "state", "body.bytes", "body.rate",
         "octets[1]", "address", "host", "codes[1][2]", "next->method"]
PROBES = ["web:request", "fn::*handle*:entry"]


@pytest.fixture(name="exe", params=["gcc", "clang"])
def _exe(request, launch):
    return build(launch, "members.cc", *INCLUDES, "-O2", "-g", compiler=request.param)


def keys(launch, exe, pattern, expression, count="4"):
    result = ask(launch.sdt, "count", "--json", pattern, "by", expression, "--", exe, count)
    lines = result.stdout.splitlines()
    rows = {str(row["key"]): row["count"] for row in map(json.loads, (
        line for line in lines if line.startswith("{")))}
    return rows, [line.split() for line in lines if not line.startswith("{")]


def tally(values):
    return {value: values.count(value) for value in values}


@pytest.mark.parametrize("pattern", PROBES)
def test_members_are_what_the_program_has(launch, exe, pattern):
    """Bases, unions, bit-fields, texts, arrays, and what a pointer in it points to."""
    for i, path in enumerate(PATHS):
        expression = f"int(req->{path} * 10)" if path.endswith("rate") else f"req->{path}"
        rows, printed = keys(launch, exe, pattern, expression)
        values = [line[i] for line in printed]
        if path.endswith("rate"):
            values = [str(int(float(value) * 10)) for value in values]
        elif path == "is_last":
            values = [str(value == "1").lower() for value in values]
        elif path == "next->method":
            values = [value for value in values if value != "-"]
        assert {key.lower(): count for key, count in rows.items()} == \
            {key.lower(): count for key, count in tally(values).items()}, path


def test_pointers_to_pointers_and_references(launch, exe):
    rows, _ = keys(launch, exe, "fn::*handle*:entry", "all[0]->method")
    assert rows == {"NEXT": 4}
    rows, printed = keys(launch, exe, "fn::*handle*:entry", "all[1]->codes[0][1]")
    assert rows == tally([str(10 * i + 1) for i in range(len(printed))])
    rows, printed = keys(launch, exe, "fn::*handle*:entry", "same.kind")
    assert rows == tally([line[0] for line in printed])


@pytest.mark.parametrize("pattern", PROBES)
def test_conditions_choose_hits(launch, exe, pattern):
    predicate = '/req->body.bytes >= 2000 && req->method == "GET" && req->state == "BUSY"/'
    rows, printed = keys(launch, exe, f"{pattern} {predicate}", "req->host", "8")
    wanted = [line[11] for line in printed if int(line[7]) >= 2000 and line[1] == "GET"]
    assert len(wanted) == 3 and rows == tally(wanted)
    result = ask(launch.sdt, "trace", "--json", f"{pattern} {predicate}", "--", exe, "8")
    assert result.stdout.count('"provider"') == 3


def test_a_null_pointer_has_no_members(launch, exe):
    result = ask(launch.sdt, "count", "web:request", "by", "req->next->next->kind", "--", exe, "4")
    assert "hits had no value, or no key" in result.stderr
    rows, _ = keys(launch, exe, "web:request /!(req->next->kind == 1 || req->next->kind != 1)/",
                   "req->method")
    assert rows == {"POST": 2}


@pytest.mark.parametrize("expression, message", [
    ("req->methd", "request has no member 'methd'; did you mean 'method'?"),
    ("req->zzz", "request has no member 'zzz', but kind, method"),
    ("req->body", "this is a structure: name a member of it"),
    ("req->codes", "this is an array: write an element of it, as [0]"),
    ("req->codes[2][0]", "this array has 2 elements, from 0 on"),
    ("req->codes[i][0]", "here, an index is a number from 0 on"),
    ("req->kind->x", "short int has no members"),
    ("req->kind[0]", "has no elements"),
    ("req->huge", "a value of this type cannot be read: __int128"),
    ("i->x", "only an argument that is a pointer has members"),
    ("req->", "expected the name of a member"),
])
def test_what_is_wrong_is_said(launch, expression, message):
    exe = build(launch, "members.cc", *INCLUDES, "-O2", "-g")
    result = ask(launch.sdt, "count", "web:request", "by", expression, "--", exe, "1", status=None)
    assert message in result.stderr


def test_a_pointer_to_a_pointer_has_no_members(launch):
    exe = build(launch, "members.cc", *INCLUDES, "-O2", "-g")
    result = ask(launch.sdt, "count", "fn::*handle*:entry", "by", "all->kind", "--", exe, "1",
                 status=None)
    assert "'all' points to a pointer: write all[0]->kind" in result.stderr


def test_a_latency_says_what_is_wrong_where_it_begins(launch):
    """That has the argument, and its end has none of that name."""
    exe = build(launch, "members.cc", *INCLUDES, "-O2", "-g")
    result = ask(launch.sdt, "lat", "handle", "by", "req->zzz", "--", exe, "1", status=None)
    assert "request has no member 'zzz', but kind, method" in result.stderr


def test_without_debug_information_the_message_says_what_to_do(launch):
    exe = build(launch, "members.cc", *INCLUDES, "-O2")
    result = ask(launch.sdt, "hist", "web:request", "req->kind", "--", exe, "1", status=None)
    assert "there is no debug information (compile with -g, or install the debug file)" \
        in result.stderr


def test_a_recording_has_no_members(launch):
    exe = build(launch, "members.cc", *INCLUDES, "-O2", "-g")
    ask(launch.sdt, "record", "-o", "out", "--", exe, "1")
    result = ask(launch.sdt, "report", "--filter", "req->kind == 1", "out", status=None)
    assert "members are read from the running process" in result.stderr
