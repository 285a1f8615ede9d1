# SPDX-License-Identifier: BSD-2-Clause
"""Enumerations of which only the debug information of the process's file has the names: keys,
predicates, conditions of recordings and the slowest pairs know them as reports do. The program does
what it is told, so counts are calculated here; the file may have gone, or have another name."""
import json
import re

import pytest

import attached
import recorded
from attached import SDT, Target, ask, json_lines

N = 60
NAMES = {"SHUT": 0, "OPEN": 5, "AJAR": -1}


@pytest.fixture
def exe(sdt):
    return attached.build(sdt, "live_doors.c", "doors", ("-O2", "-g"))


def shown(sdt, exe, *args, **kwargs):
    result = ask(sdt, *args, "--", exe, input=f"doors {N}\n", **kwargs)
    return result.stdout.replace("here\n", "").replace("ok\n", "")


def rows(sdt, exe, *args):
    return json_lines(shown(sdt, exe, args[0], "--json", *args[1:]))


def test_keys_have_names(sdt, exe):
    assert {row["key"]: row["count"] for row in rows(sdt, exe, "count", "doors:end", "by", "door")
            } == {name: N / 3 for name in NAMES}
    table = shown(sdt, exe, "count", "doors:end", "by", "door")
    assert {line.split()[1] for line in table.splitlines()[1:]} == set(NAMES)
    both = rows(sdt, exe, "hist", "doors:begin", "n", "by", "door")
    assert {row["key"] for row in both} == set(NAMES)  # of two functions


def test_predicates_know_them(sdt, exe):
    [row] = rows(sdt, exe, "count", "doors:end", '/door == "OPEN" && n >= 30/')
    assert row["count"] == N / 3 / 2
    [row] = rows(sdt, exe, "hist", "doors:end", '/door != "SHUT"/', "n")
    assert row["count"] == N / 3 * 2
    wrong = ask(sdt, "count", "doors:end", '/door == "OPNE"/', "--", exe, input="doors 1\n",
                status=1).stderr
    assert "the names of its values are SHUT, OPEN, AJAR" in wrong


def test_the_slowest_show_them(sdt, exe):
    text = shown(sdt, exe, "lat", "doors:begin", "doors:end", "-n", "3")
    assert len(re.findall(r"doors:begin  door=(?:SHUT|OPEN|AJAR) n=", text)) == 3
    assert len(re.findall(r"doors:end  door=(?:SHUT|OPEN|AJAR) n=", text)) == 3
    lines = [row for row in rows(sdt, exe, "lat", "doors:begin", "doors:end", "-n", "2")
             if "outlier" in row]
    assert {row["end"]["args"]["door"] for row in lines} <= set(NAMES)


def test_conditions_of_recordings_know_them(sdt, exe):
    ask(sdt, "record", "-o", "rec", "-e", 'doors:end /door == "AJAR"/', "--", exe,
        input=f"doors {N}\n")
    assert [event.fields["door"] for event in recorded.read(sdt)[0]] == [-1] * (N // 3)
    result = ask(sdt, "record", "-o", "flown", "--when", 'doors:end /door == "AJAR" && n == 5/',
                 "--", exe, input=f"doors {N}\n")
    assert ", 1 snapshot\n" in result.stderr
    lines = json_lines(shown(sdt, exe, "trace", "--json", "-r", "0", "doors:end",
                             '/door == "OPEN"/'))
    assert len(lines) == N / 3


def test_an_argument_that_is_sometimes_a_number_has_none(sdt, exe):
    """At one of the sites it would be wrong."""
    keys = {row["key"] for row in rows(sdt, exe, "count", "doors:odd", "by", "door")}
    assert keys == set(range(N)) | {-1}
    [row] = rows(sdt, exe, "count", "doors::push:odd", '/door == "AJAR"/')
    assert row["count"] == N / 3


def test_lists_for_scripts_have_them(sdt, exe):
    with Target(exe) as target:
        listed = {(site["function"], site["name"]): site["fields"][0].get("enumerators")
                  for site in attached.sites(sdt, target.pid)}
    names = [{"value": value, "name": name} for name, value in NAMES.items()]
    assert listed == {("push", "begin"): names, ("push", "odd"): None, ("push", "end"): names,
                      ("number", "odd"): None, ("again", "begin"): names,
                      ("again", "sign"): names}


def test_a_file_that_has_gone(sdt, exe):
    """And another one that has its name."""
    with Target(exe) as target:
        exe.unlink()
        other = attached.build(sdt, "live_target.c", "other")
        other.rename(exe)
        process = attached.subprocess.Popen(
            [SDT, "count", "--json", "doors:end", "by", "door", "-p", str(target.pid)],
            stdout=-1, text=True)
        attached.patience.until(lambda: attached.is_in_poll(process) and "off" not in
                               {attached.states(sdt, target.pid)["end"]}, process)
        target.do(f"doors {N}")
        process.send_signal(attached.signal.SIGINT)
        assert {row["key"] for row in json_lines(process.communicate()[0])} == set(NAMES)


def test_a_length_is_not_among_the_names(sdt, exe):
    """It belongs to the text before it."""
    wrong = ask(sdt, "count", "doors:sign", "/nothing == 1/", "--", exe, input="doors 1\n",
                status=1).stderr
    assert "the probe has no argument 'nothing', but door, sign\n" in wrong
    wrong = ask(sdt, "count", "doors:sign", "/leters == 1/", "--", exe, input="doors 1\n",
                status=1).stderr
    assert "did you mean" not in wrong and "door, sign\n" in wrong
    assert json.loads(sdt.sdtlink("list", "--json", "--match=doors:sign", exe).stdout)[0][
        "fields"] == [{"name": "door", "type": "int32",
                       "enumerators": [{"value": v, "name": n} for n, v in NAMES.items()]},
                      {"name": "sign", "type": "string"}]
