# SPDX-License-Identifier: BSD-2-Clause
"""What expressions mean of arguments of all types: in a running process (`sdt count`), and of a
recording of the same run (`sdt report --filter`), which must be the same. How many hits a condition
holds for is calculated here as well, from the values that programs/live_types.cc says it passes.
"""
import collections
import json
import struct

import pytest

import attached
from attached import Target, ask, json_lines

N = 60
NAMES = [b"", b"idle", b"GET /index.html", b"x" * 300, b"\xff"]


def floats(number):
    return struct.unpack("f", struct.pack("f", number))[0]


def values(i):
    """As the program has them; texts as they are looked at, None is what is not there."""
    state, colour = i % 6 - 1, 40000 if i % 2 else i % 8 + 1
    sizes = [i - 9, -1, 300, i]
    count = 0 if i % 11 == 10 else i % 5
    return {
        "title": NAMES[i % 5][:256], "view": b"" if i % 10 == 9 else NAMES[2][:i % 17],
        "flag": i % 3 == 0, "state": state, "colour": colour, "wait": i * 10 - 50,
        "state_name": {-1: "broken", 0: "idle", 1: "busy", 2: "in use"}.get(state),
        "colour_name": {40000: "red", 7: "green"}.get(colour), "ratio": floats(i / 8),
        "exact": 0.7 * i, "maybe": [b"<null>", b"<fault>", b"there", b"there"][i % 4],
        "text": b"a text"[:i % 13], "bytes": b"\x01\0\x7f\xff\0"[:i % 5],
        "from": [sizes[k] if k < count else None for k in range(4)], "from_count": i % 5,
        "parts": [floats(i / 4), -0.5][:i % 3] + [None] * (2 - i % 3), "part_count": i % 3}


def has(value, test):
    return value is not None and test(value)


CONDITIONS = [
    ("one", 'title == "idle"', lambda v: v["title"] == b"idle"),
    ("one", 'title ^= "GET /" && len(title) == 15', lambda v: v["title"] == NAMES[2]),
    ("one", "len(title) == 256", lambda v: len(v["title"]) == 256),
    ("one", r'title == "\xff"', lambda v: v["title"] == b"\xff"),
    ("one", "!title", lambda v: not v["title"]),
    ("one", 'view == "GET"', lambda v: v["view"] == b"GET"),
    ("one", 'view ^= "GET /in"', lambda v: v["view"].startswith(b"GET /in")),
    ("one", "len(view) > 3", lambda v: len(v["view"]) > 3),
    ("one", "view", lambda v: bool(v["view"])),
    ("one", "view == title", lambda v: v["view"] == v["title"]),
    ("one", "view < title", lambda v: v["view"] < v["title"]),
    ("one", "flag", lambda v: v["flag"]),
    ("one", "flag == true && !(flag == false)", lambda v: v["flag"]),
    ("one", "flag + 1 == 2", lambda v: v["flag"]),
    ("one", 'state == "idle"', lambda v: v["state"] == 0),
    ("one", 'state == "broken"', lambda v: v["state"] == -1),
    ("one", '"in use" == state', lambda v: v["state"] == 2),
    ("one", 'state != "idle"', lambda v: v["state_name"] not in (None, "idle")),
    ("one", 'state ^= "b"', lambda v: (v["state_name"] or "").startswith("b")),
    ("one", 'state > "busy"', lambda v: has(v["state_name"], lambda name: name > "busy")),
    ("one", "state == 1 || state < 0", lambda v: v["state"] in (1, -1)),
    ("one", 'colour == "red" && state == "busy"', lambda v: v["colour"] == 40000
     and v["state"] == 1),
    ("one", 'colour == "green" || colour == 1', lambda v: v["colour"] in (7, 1)),
    ("one", "wait > 100", lambda v: v["wait"] > 100),
    ("one", "wait > 100ms", lambda v: v["wait"] > 100),
    ("one", "0.1s < wait && wait < 200000us", lambda v: 100 < v["wait"] < 200),
    ("one", "wait == 99500us || wait >= 199500us", lambda v: v["wait"] >= 200),
    ("one", "-wait == 50ms || wait == 10000000ns", lambda v: v["wait"] in (-50, 10)),
    ("one", "wait * 2 > 0.2s", lambda v: v["wait"] * 2 > 200),
    ("one", "wait + 5500us > 105ms", lambda v: v["wait"] + 5.5 > 105),
    ("one", "wait / 10ms == 3 && wait % 7us == 5us", lambda v: v["wait"] == 30),
    ("one", "wait * 0.5 >= 50ms", lambda v: v["wait"] * 0.5 >= 50),
    ("one", "int(wait) > 100ms && wait > 100", lambda v: v["wait"] > 100),
    ("one", "wait + state == 251ms - 1ms", lambda v: v["wait"] + v["state"] == 250),
    ("one", 'str(title, 3) == "GET"', lambda v: v["title"][:3] == b"GET"),
    ("one", 'len(str(title, 2)) == 2 && str(view, state) == ""',
     lambda v: len(v["title"]) > 1 and (v["state"] < 1 or not v["view"])),
    ("one", 'str(name, 2) == "on" && str(provider, 0 - 1) == ""', lambda v: True),
    ("one", "-wait == 50", lambda v: v["wait"] == -50),
    ("one", "ratio >= 2.5", lambda v: v["ratio"] >= 2.5),
    ("one", "ratio * 2.5 > 3", lambda v: v["ratio"] * 2.5 > 3),
    ("one", "exact + ratio < 7.1 - -ratio", lambda v: v["exact"] + v["ratio"] < 7.1 + v["ratio"]),
    ("one", "ratio / exact > 0.17857142857142855", lambda v: v["exact"]
     and v["ratio"] / v["exact"] > 0.17857142857142855),
    ("one", "exact * wait > 1000.5", lambda v: v["exact"] * v["wait"] > 1000.5),
    ("one", "ratio > state", lambda v: v["ratio"] > v["state"]),
    ("one", "exact - 0.7 * (wait + 50) / 10 == 0", lambda v: v["exact"] - 0.7 * (
        v["wait"] + 50) / 10 == 0),
    ("one", "wait >= exact && exact <= 2 * ratio", lambda v: v["wait"] >= v["exact"]
     and v["exact"] <= 2 * v["ratio"]),
    ("one", "int(ratio * 8) % 2 == 1", lambda v: int(v["ratio"] * 8) % 2 == 1),
    ("one", "int(exact * 10) == 70", lambda v: int(v["exact"] * 10) == 70),
    ("one", "int(exact * 10) == 7", lambda v: int(v["exact"] * 10) == 7),
    ("one", "int(-exact) < -20", lambda v: int(-v["exact"]) < -20),
    ("one", 'maybe == "<null>"', lambda v: v["maybe"] == b"<null>"),
    ("one", 'maybe == "<fault>" || maybe == "there"', lambda v: v["maybe"] != b"<null>"),
    ("one", 'title == "idle" && title == "idle" && provider == "types"',
     lambda v: v["title"] == b"idle"),
    ("two", 'text == "a text"', lambda v: v["text"] == b"a text"),
    ("two", 'text ^= "a t" && len(text) < 6', lambda v: 3 <= len(v["text"]) < 6),
    ("two", r'bytes == "\x01\x00\x7f"', lambda v: v["bytes"] == b"\x01\0\x7f"),
    ("two", r'bytes ^= "\x01\x00"', lambda v: v["bytes"].startswith(b"\x01\0")),
    ("two", "len(bytes) == 3", lambda v: len(v["bytes"]) == 3),
    ("two", "from[0] < 0", lambda v: has(v["from"][0], lambda x: x < 0)),
    ("two", "from[1] == -1", lambda v: v["from"][1] == -1),
    ("two", "from[2] == 300 && from[3] > 5", lambda v: has(v["from"][3], lambda x: x > 5)),
    ("two", "arg.from[len(from) - 1] == 300", lambda v: v["from_count"] == 3 and v["from"][2]),
    ("two", "!(from[3] == from[0])", lambda v: True),
    ("two", "from[0] + from[1] > 10", lambda v: None not in v["from"][:2]
     and v["from"][0] - 1 > 10),
    ("two", "parts[0] > 3.5", lambda v: has(v["parts"][0], lambda x: x > 3.5)),
    ("two", "parts[1] == -0.5", lambda v: v["parts"][1] == -0.5),
    ("two", "int(parts[0] * 4) == 19", lambda v: has(v["parts"][0], lambda x: int(x * 4) == 19)),
    ("two", "parts[0] + parts[1] > 3.25", lambda v: None not in v["parts"]
     and v["parts"][0] + v["parts"][1] > 3.25),
    ("two", "len(parts) == 2 && parts == 2", lambda v: v["part_count"] == 2),
    ("two", "parts[len(parts) - 1] == -0.5", lambda v: v["parts"][1] == -0.5),
    ("two", 'name == "two" && provider ^= "typ"', lambda v: True),
]


@pytest.fixture
def exe(sdt):
    return attached.build(sdt, "live_types.cc", name="types", flags=["-std=c++17"])


def live(sdt, exe, words):
    rows = json_lines(ask(sdt, "count", *words, "--json", "--", exe, N).stdout)
    return {json.dumps(row.get("key")): row["count"] for row in rows}


def reported(sdt, condition):
    return len(json_lines(ask(sdt, "report", "--json", "--filter", condition, "rec").stdout))


@pytest.mark.plain
@pytest.mark.parametrize("probe", ["one", "two"])
def test_a_condition_means_the_same_live_and_in_a_recording(sdt, exe, probe):
    ask(sdt, "record", "-o", "rec", "--", exe, N)
    found, expected = {}, {}
    for name, condition, test in CONDITIONS:
        if name != probe:
            continue
        count = sum(bool(test(values(i))) for i in range(N))
        expected[condition] = (count, count)
        found[condition] = (live(sdt, exe, [f"types:{probe} /{condition}/"]).get("null", 0),
                            reported(sdt, f'name == "{probe}" && ({condition})'))
    assert found == expected and len(found) > 15
    assert 0 < sum(0 < count < N for count, _ in expected.values())


def counts(key):
    return collections.Counter(json.dumps(key(values(i))) for i in range(N))


@pytest.mark.parametrize("probe, expression, key", [
    ("one", "state", lambda v: v["state_name"] or v["state"]),
    ("one", "colour", lambda v: v["colour_name"] or v["colour"]),
    ("one", "int(state)", lambda v: v["state"]), ("one", "flag", lambda v: v["flag"]),
    ("one", "view", lambda v: v["view"].decode()), ("one", "wait", lambda v: v["wait"]),
    ("two", "text", lambda v: v["text"].decode()), ("two", "len(from)", lambda v: v["from_count"]),
    ("one", "flag, state", lambda v: [v["flag"], v["state_name"] or v["state"]])])
def test_keys_are_shown_as_arguments_are(sdt, exe, probe, expression, key):
    assert live(sdt, exe, [f"types:{probe}", "by", expression]) == counts(key)


WORDS = ["GET", "PUT", "POST", "DELETE"]


def test_text_whose_length_is_known(sdt):
    """Nothing ends it in memory; live, its address is an argument."""
    exe = attached.build(sdt, "live_words.c", name="words")
    rows = live(sdt, exe, ["words:word", "by", "str(at, size)"])
    assert rows == {json.dumps(word): N // 4 for word in WORDS}
    assert live(sdt, exe, ['words:word /str(at, size) == "POST"/']) == {"null": N // 4}
    assert live(sdt, exe, ['words:word /str(at, size) ^= "P"/', "by", "len(str(at, size))"]) == {
        "3": N // 4, "4": N // 4}
    assert live(sdt, exe, ["words:word", "by", "str(at, 0 - size)"]) == {'""': N}
    assert live(sdt, exe, ["words:word", "by", "str(nowhere, size)"]) == {'"<fault>"': N}
    assert live(sdt, exe, ["words:word", "by", "str(at, 1000000)"]) == {
        json.dumps("GET PUT POST DELETE"[at:]): N // 4 for at in (0, 4, 8, 13)}


def test_text_of_a_recording_is_what_was_recorded(sdt):
    exe = attached.build(sdt, "live_words.c", name="words")
    ask(sdt, "record", "-o", "rec", "--", exe, N)
    assert reported(sdt, 'str(text, 2) == "PO"') == N // 4 == reported(sdt, 'str(text) == "PUT"')
    for condition in ('str(at, size) == "PUT"', 'str(at) == ""', 'str(at + 1, 2) == "x"'):
        result = ask(sdt, "report", "--filter", condition, "rec", status=1)
        assert "str() takes an argument that was recorded as text: the memory" in result.stderr
    result = ask(sdt, "report", "--filter", 'text == "PUT" || tekst == "GET"', "rec", status=1)
    assert "no probe of this recording has an argument 'tekst'" in result.stderr
    result = ask(sdt, "report", "--filter", "nowhre > 1", "rec", status=1)
    assert "argument 'nowhre'; did you mean 'nowhere'?\n  nowhre > 1\n  ^" in result.stderr
    result = ask(sdt, "report", "--filter", 'size(text) == 1', "rec", status=1)
    assert "there are only int(), len() and str() here" in result.stderr


def test_a_histogram_of_elements(sdt, exe):
    result = ask(sdt, "hist", "types:two", "from[0]", "--json", "--", exe, N)
    [row] = json_lines(result.stdout)
    there = [v["from"][0] for v in map(values, range(N)) if v["from"][0] is not None]
    assert (row["count"], row["min"], row["max"]) == (len(there), min(there), max(there))
    assert f"{N - len(there)} hits had no value" in result.stderr


def test_a_histogram_of_floating_point_numbers(sdt, exe):
    """Of the numbers cut off; what is no number, or too large, has no value."""
    [row] = json_lines(ask(sdt, "hist", "types:one", "ratio * 100", "--json", "--", exe, N).stdout)
    there = [int(values(i)["ratio"] * 100) for i in range(N)]
    assert (row["count"], row["min"], row["max"]) == (N, min(there), max(there))
    assert row["mean"] == sum(there) / N
    result = ask(sdt, "hist", "types:one", "1 / exact * 1e19", "--json", "--", exe, N)
    [row] = json_lines(result.stdout)
    there = [int(1 / v["exact"] * 1e19) for v in map(values, range(1, N))]
    there = [number for number in there if number < 1 << 63]
    assert (row["max"], row["count"]) == (max(there), len(there)) and len(there) == N - 2
    assert "2 hits had no value" in result.stderr


def test_names_of_values_in_lists_of_processes(sdt):
    with Target(attached.build(sdt, "live_enum.c", name="enum")) as target:
        [site] = [site for site in attached.sites(sdt, target.pid) if site["name"] == "work"]
        assert site["fields"] == [{"name": "state", "type": "int32", "enumerators": [
            {"value": 0, "name": "idle"}, {"value": -1, "name": "in use"}]}]
        assert "state: int32 {0 idle, -1 in use}" in ask(sdt, "list", "-p", target.pid).stdout


@pytest.mark.parametrize("args, message", [
    (["count", 'types:one /state == "idel"/'],
     "this never holds; the names of its values are broken, idle, busy, in use\n"
     '  state == "idel"\n        ^'),
    (["count", "types:one /state == idle/"],
     "'idle' is the name of a value of 'state': write it in quotes\n  state == idle\n           ^"),
    (["count", "types:one /state[0] == 1/"], "only an array has elements"),
    (["count", "types:two /from[-1] == 1/"], "an array index is an integer, from 0 on"),
    (["count", "types:two /from[parts[0]] == 1/"], "an array index is an integer, from 0 on"),
    (["count", "types:two /from[1 == 1/"], "expected ] or an operator"),
    (["count", "types:one /len(state) == 1/"], "len() takes a text or an array"),
    (["count", "types:two /str(from) == \"\"/"], "str() takes an address"),
    (["count", "types:one /str(title, ratio) == \"\"/"], "the length of str() is an integer"),
    (["count", "types:one /len(title, 3) == 3/"], "only str() takes two values"),
    (["count", "types:one /wait > 10min/"], "not a number that fits 64 bits, and no time"),
    (["count", "types:one /ratio % 2 > 1/"], "this needs integers: int(x) makes one"),
    (["count", "types:one", "by", "ratio"], "a key is an integer or a text: int(x)"),
    (["hist", "types:two", "bytes"], "a histogram needs numbers")])
def test_what_is_refused(sdt, exe, args, message):
    assert message in ask(sdt, *args, "--", exe, N, status=1).stderr
