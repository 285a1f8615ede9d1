# SPDX-License-Identifier: BSD-2-Clause
"""Several recordings in one report: order, processes, clocks and messages.

The machines are invented: a client and a server whose clocks differ by what the test says, and a
network whose delays it says. babeltrace2 is the other reader of the order, protoc of Perfetto's
format, Chromium of the page.
"""
import json
import random
import re
import shutil
import sqlite3
import statistics

import pytest

import recorded
from conftest import Toolbox
from recordings import Trace
from report_page import read as read_page
from test_sdt_export import perfetto
from test_sdt_html import rows, window  # noqa: F401  (a fixture)
from test_sdt_report import TOOL, run

START = 1_700_000_000_000_000_000
SECOND, MS, US = 10**9, 10**6, 10**3
LEAST = 50 * US  # a message takes at least so long
SENT = "--match=client:send,server:receive by conn"
ANSWERED = "--match=server:answer client:answered by conn"


def machine(sdt, name, ahead=0, program="app", pid=4711, **kwargs):
    """The recording of one host, whose clock is AHEAD of the true time."""
    trace = Trace(sdt.path(name), program=program, pid=pid, host=name, **kwargs)
    trace.ahead = ahead
    return trace


def at(trace, time, kind, *values, cpu=0, **kwargs):
    """True TIME, which is after 100 s."""
    trace.stream(cpu).event(100 * SECOND + time + trace.ahead, kind, *values, **kwargs)


def merged(sdt, *args, status=0):
    """The events, and what was said about them."""
    result = run(sdt, "report", "--json", *args, status=status)
    return [json.loads(line) for line in result.stdout.splitlines()], result.stderr


class Network:
    """Requests of a client that a server answers; with their true times."""

    def __init__(self, sdt, ahead, requests=40, seed=1, least_back=LEAST):
        chance = random.Random(seed)
        self.client, self.server = machine(sdt, "web1"), machine(sdt, "db1", ahead)
        send = self.client.define("client", "send", "conn:uint32")
        answered = self.client.define("client", "answered", "conn:uint32")
        receive = self.server.define("server", "receive", "conn:uint32")
        answer = self.server.define("server", "answer", "conn:uint32")
        self.there, self.back = [], []
        for conn in range(requests):
            time = conn * 10 * MS
            self.there.append(LEAST + chance.randrange(2 * MS))
            self.back.append(least_back + chance.randrange(2 * MS))
            at(self.client, time, send, conn)
            time += self.there[-1]
            at(self.server, time, receive, conn)
            time += MS
            at(self.server, time, answer, conn)
            time += self.back[-1]
            at(self.client, time, answered, conn)
        self.client.write()
        self.server.write()


def clocks(text):
    """How far each host is ahead, in ns, as standard error has it."""
    found = {}
    for line in text.splitlines():
        if line.startswith("sdt: clock of "):
            host, rest = line.removeprefix("sdt: clock of ").split(" ", 1)
            words = rest.split(": ", 1)[1].split()
            found[host] = (float(words[0]) * SECOND * (-1 if words[2] == "behind," else 1)
                           if words[1] == "s" else 0, rest)
    return found


# ---- One order, and whose events they are. ----

def test_order_is_that_of_another_reader(sdt):
    """Three processes of three hosts, with events at the same time: order and values."""
    chance = random.Random(7)
    for n, name in enumerate(("a", "b", "c")):
        trace = machine(sdt, name, pid=100 + n, offset=n * 1000)
        kind = trace.define("p", "n", "n:uint32")
        for cpu in range(2):
            for time in sorted(chance.randrange(5000) for _ in range(200)):
                at(trace, time, kind, chance.randrange(1000), cpu=cpu)
        trace.write()
    events, _ = merged(sdt, "a", "b", "c")
    shutil.copytree(sdt.path("a"), sdt.path("all"))
    for name in ("b", "c"):
        shutil.copytree(sdt.path(name), sdt.path("all"), dirs_exist_ok=True)
    theirs, *_ = recorded.read(sdt, "all")
    assert len(events) == len(theirs) == 1200
    assert [event["time"] for event in events] == [event.time for event in theirs]
    assert sorted((event["time"], event["pid"], event["args"]["n"]) for event in events) == \
        sorted((event.time, event.pid, event.fields["n"]) for event in theirs)
    # Again, and the other way round: what is at the same time is in the order of the arguments.
    assert merged(sdt, "a", "b", "c")[0] == events
    turned, _ = merged(sdt, "c", "b", "a")
    assert [event["time"] for event in turned] == [event["time"] for event in events]
    assert turned != events


def test_hosts_are_named_in_every_form(sdt):
    Network(sdt, 0, requests=1)
    text = run(sdt, "report", "web1", "db1").stdout.splitlines()
    assert text[0].split()[:3] == ["TIME", "HOST", "CPU"]
    assert [line.split()[2] for line in text[1:]] == ["web1", "db1", "db1", "web1"]
    table = run(sdt, "report", "--csv", "web1", "db1").stdout.splitlines()
    assert table[0].startswith("time,host,cpu,pid") and table[1].split(",")[1] == "web1"
    assert "host" not in merged(sdt, "web1")[0][0], "one recording is as before"
    assert "db1/app-4711/cpu0" in run(sdt, "report", "--summary", "web1", "db1").stdout


def twins(sdt):
    """Process and thread 1 of two containers on one machine, and of another machine, each with a
    slice open at the same time."""
    for name, boot, space, program in (("rec", "ab" * 16, 11, "one"), ("rec", "ab" * 16, 12, "two"),
                                       ("other", "cd" * 16, 11, "three")):
        trace = machine(sdt, name, pid=1, program=program, boot=boot, space=space)
        begin = trace.define("w", "x_begin", "who:string")
        end = trace.define("w", "x_end", "who:string")
        first = {"one": 0, "two": 10, "three": 20}[program]
        at(trace, first, begin, program, tid=1)
        at(trace, first + 100, end, program, tid=1)
        trace.write()


def test_equal_numbers_do_not_mix_on_the_page(sdt):
    twins(sdt)
    run(sdt, "report", "--html=out.html", "rec", "other")
    description, events = read_page(sdt.path("out.html").read_text())
    assert [process[1:3] for process in description["processes"]] == [
        ["one", 1], ["two", 1], ["three", 1]]
    assert len({process[0] for process in description["processes"]}) == 3
    assert [machine["host"] for machine in description["machines"]] == ["rec", "other"]
    for number, (_, mark, *_, begin, values) in enumerate(events):
        if mark == "end":
            assert events[begin][6]["who"] == values["who"], number
    assert sum(event[1] == "end" for event in events) == 3
    assert not any(pair[3] for pair in description["pairs"]), "they do not overlap"


def test_equal_numbers_do_not_mix_in_perfetto(sdt):
    twins(sdt)
    events, tracks = perfetto(sdt, "other")
    owners = {dict(track["process"])["pid"]: dict(track["process"])["process_name"]
              for track in tracks.values() if "process" in track}
    assert sorted(name.strip('"') for name in owners.values()) == [
        "one on rec, process 1", "three on other, process 1", "two on rec, process 1"]
    assert len({(pid, where) for _, pid, where, *_ in events}) == 3
    for pid in {event[1] for event in events}:
        assert [event[0] for event in events if event[1] == pid] == ["begin", "end"]


# ---- Clocks. ----

@pytest.mark.parametrize("ahead", [5 * SECOND, -5 * SECOND, 300 * US], ids=str)
def test_messages_both_ways_put_clocks_right(sdt, ahead):
    """Within half of what the two fastest messages took, which the output says; then no message
    arrives before it was sent, and durations across hosts are right within that."""
    network = Network(sdt, ahead)
    events, said = merged(sdt, SENT, ANSWERED, "web1", "db1")
    error = (min(network.there) + min(network.back)) / 2
    found, words = clocks(said)["db1"]
    assert abs(found - ahead) <= error + 1 and "by 40 messages to it and 40 from it" in words
    assert f"± {error / US:.3g} us" in words
    by_conn = {}
    for event in events:
        by_conn.setdefault(event["args"]["conn"], []).append(event)
    for conn, four in by_conn.items():
        assert [event["name"] for event in four] == ["send", "receive", "answer", "answered"]
        took = four[1]["time"] - four[0]["time"]
        assert abs(took - network.there[conn]) <= error + 1 and took >= 0
    # As recorded, they are seconds apart.
    if abs(ahead) > SECOND:
        plain, said = merged(sdt, "web1", "db1")
        assert [event["name"] for event in plain] != [event["name"] for event in events]
        assert "not shifted, ± an unknown error" in said


def test_messages_one_way_shift_by_the_least(sdt):
    """Nothing bounds the other side: so little that no message arrives before it was sent."""
    network = Network(sdt, -5 * SECOND)
    events, said = merged(sdt, SENT, "web1", "db1")
    found, words = clocks(said)["db1"]
    assert found == -5 * SECOND + min(network.there)
    assert "leave one side open" in words and "an unknown error" in words
    took = [event["time"] for event in events if event["name"] == "receive"]
    sent = [event["time"] for event in events if event["name"] == "send"]
    assert min(b - a for a, b in zip(sent, took, strict=True)) == 0
    # The other way round there is nothing to put right.
    assert clocks(merged(sdt, SENT, "db1", "web1")[1])["web1"][0] == 5 * SECOND - min(network.there)


def test_three_hosts_in_a_row(sdt):
    """c speaks with b only: its clock is known through b's, with both errors."""
    chance, hosts = random.Random(3), {}
    for name, ahead in (("a", 0), ("b", 3 * SECOND), ("c", -2 * SECOND)):
        hosts[name] = machine(sdt, name, ahead)
        hosts[name].kinds = [hosts[name].define("net", which, "id:uint64", "from:string")
                             for which in ("out", "in")]
    delays = {}
    for n in range(60):
        one, other = chance.choice([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")])
        delay = LEAST + chance.randrange(MS)
        delays.setdefault((one, other), []).append(delay)
        at(hosts[one], n * 5 * MS, hosts[one].kinds[0], n, one)
        at(hosts[other], n * 5 * MS + delay, hosts[other].kinds[1], n, one)
    for trace in hosts.values():
        trace.write()
    events, said = merged(sdt, "--match=net:out net:in by id", "a", "b", "c")
    least = {key: min(values) for key, values in delays.items()}
    b = (least["a", "b"] + least["b", "a"]) / 2
    c = b + (least["b", "c"] + least["c", "b"]) / 2
    assert abs(clocks(said)["b"][0] - 3 * SECOND) <= b + 1
    assert abs(clocks(said)["c"][0] + 2 * SECOND) <= c + 1
    seen = set()
    for event in events:
        assert event["name"] == "out" or event["args"]["id"] in seen
        seen.add(event["args"]["id"])


def test_pairs_that_contradict_are_refused(sdt):
    """The client's numbers begin again, and the server has lost the first half."""
    client, server = machine(sdt, "web1"), machine(sdt, "db1")
    kinds = [client.define("client", "send", "conn:uint32"),
             client.define("client", "answered", "conn:uint32"),
             server.define("server", "receive", "conn:uint32"),
             server.define("server", "answer", "conn:uint32")]
    at(server, 0, kinds[2], 1)
    at(client, 50 * MS, kinds[0], 1)
    at(server, 51 * MS, kinds[3], 2)
    at(client, 52 * MS, kinds[1], 2)
    client.write()
    server.write()
    events, said = merged(sdt, SENT, ANSWERED, "web1", "db1", status=1)
    assert not events and "less than no time" in said
    assert "from web1 to db1 in -50.0 ms (key 1" in said and "from db1 to web1 in 1.00 ms" in said
    assert "choose a key that no two messages have at once" in said
    run(sdt, "report", "--html=out.html", SENT, ANSWERED, "web1", "db1", status=1)
    assert not sdt.path("out.html").exists()


def test_a_key_of_two_processes_is_ambiguous(sdt):
    """Each of two clients numbers its messages from 0: those that are open at once say nothing."""
    network = Network(sdt, SECOND, requests=10)
    other = machine(sdt, "web2", pid=5)
    send = other.define("client", "send", "conn:uint32")
    for conn in range(3):
        at(other, conn * 10 * MS + 1, send, conn)
    other.write()
    _, said = merged(sdt, SENT, ANSWERED, "web1", "db1", "web2")
    assert "3 keys were ambiguous" in said
    assert abs(clocks(said)["db1"][0] - SECOND) <= statistics.mean(
        (min(network.there[3:]), min(network.back))) + 1


def test_hosts_that_no_message_joins_with_the_first(sdt):
    """Their order is right among themselves, and it is said that nothing is known of the first."""
    Network(sdt, 5 * SECOND)
    alone = machine(sdt, "alone")
    at(alone, 0, alone.define("p", "n"))
    alone.write()
    events, said = merged(sdt, SENT, ANSWERED, "alone", "web1", "db1")
    assert [event["name"] for event in events if event["args"].get("conn") == 3] == [
        "send", "receive", "answer", "answered"]
    assert "none reach the first host" in clocks(said)["db1"][1]
    assert "an unknown error" in clocks(said)["db1"][1] and "not shifted" in clocks(said)["web1"][1]


def test_messages_that_never_arrive_are_told(sdt):
    Network(sdt, SECOND, requests=10)
    _, said = merged(sdt, "--match=client:send,server:receive /conn < 4/ by conn", "web1", "db1")
    assert "by 4 messages" in said
    _, said = merged(sdt, "--match=client:send,server:receive /conn > 99/ by conn", "web1", "db1")
    assert "no message went from one host to another: of 0" in said and "of 10 one end" in said


def note(sdt, name, *lines):
    (sdt.path(name) / ".clock").write_text("".join(f"clock {line}\n" for line in lines))


def test_what_kernels_say_of_their_clocks(sdt):
    """Without messages: the sum of both errors; the worst of a recording; unknown if one says
    nothing."""
    for name, boot in (("a", "ab" * 16), ("b", "cd" * 16)):
        trace = machine(sdt, name, boot=boot)
        at(trace, 1, trace.define("p", "n"))
        trace.write()
        note(sdt, name, f"{boot} 5000000 1000", f"{boot} 5000000 2000000")
    assert "± 4.00 ms, as recorded" in clocks(merged(sdt, "a", "b")[1])["b"][1]
    note(sdt, "b", f"{'cd' * 16} 5000000 -1")
    assert "an unknown error" in clocks(merged(sdt, "a", "b")[1])["b"][1]
    # A clock that was set meanwhile.
    note(sdt, "b", f"{'cd' * 16} 5000000 1000", f"{'cd' * 16} 3005000000 1000")
    _, said = merged(sdt, "a", "b")
    assert "the clock of b was set by 3.000000 s while it was recorded" in said
    assert "± 3.00 s, as recorded" in clocks(said)["b"][1]


def test_a_clock_that_was_set_between_two_programs(sdt):
    """One start of one kernel: the second program began after its clock went back by an hour."""
    for pid, hour in ((1, 3600), (2, 0)):
        trace = machine(sdt, "rec", pid=pid, boot="ab" * 16, wall=9 * 10**15 + hour * SECOND,
                        offset_s=1_700_000_000 + hour)
        at(trace, pid * MS, trace.define("p", "n"))
        trace.write()
    events, said = merged(sdt, "rec")
    assert [event["pid"] for event in events] == [1, 2]
    assert events[1]["time"] - events[0]["time"] == MS
    assert "the clock of rec was set by -3600.000000 s before this began" in said


def test_messages_put_rows_right(sdt):
    """The same times in a database as in a report."""
    if b"built without libsqlite3" in TOOL.read_bytes():
        pytest.skip("this sdt was built without libsqlite3")
    Network(sdt, 5 * SECOND)
    run(sdt, "export", "--sqlite=out.db", SENT, ANSWERED, "web1", "db1")
    events, _ = merged(sdt, SENT, ANSWERED, "web1", "db1")
    database = sqlite3.connect(sdt.path("out.db"))
    for probe in ("client:send", "server:receive"):
        assert [time for time, in database.execute(f'SELECT time FROM "{probe}" ORDER BY event')] \
            == [event["time"] for event in events
                if f"{event['provider']}:{event['name']}" == probe]
    database.close()


# ---- What is refused. ----

def test_recordings_that_are_one_are_refused(sdt):
    Network(sdt, 0, requests=1)
    shutil.copytree(sdt.path("db1"), sdt.path("copy"))
    _, said = merged(sdt, "web1", "db1", "copy", status=1)
    assert "copy/app-4711 is a copy of db1/app-4711" in said
    _, said = merged(sdt, "web1", "db1", "./web1/", status=1)
    assert "web1 and ./web1/ are one recording" in said


def instructions(sdt, *directories):
    """Of a summary; no load changes them."""
    out = sdt.path("callgrind.out")
    sdt.command("valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}", TOOL,
                "report", "--summary", *directories)
    return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M)[1])


@pytest.mark.nosan  # callgrind
def test_four_times_as_many_hosts_take_four_times_as_long(sdt):
    names = [f"host{n}" for n in range(320)]
    for n, name in enumerate(names):
        trace = machine(sdt, name)
        begin, end = trace.define("web", "get__begin"), trace.define("web", "get__end")
        for i in range(10):
            at(trace, i * SECOND + n, begin)
            at(trace, i * SECOND + n + MS, end)
        trace.write()
    assert instructions(sdt, *names) < 5 * instructions(sdt, *names[:80])


def test_a_recording_of_another_version_is_named(sdt):
    Network(sdt, 0, requests=1)
    machine(sdt, "new", version=2).write()
    _, said = merged(sdt, "web1", "new", status=1)
    assert "new/app-4711/metadata: the recording has version '2'" in said
    _, said = merged(sdt, "web1", "nothing", status=1)
    assert "cannot read nothing" in said


def test_recordings_apart_are_told(sdt):
    for name, time in (("a", 0), ("b", 1), ("late", 500 * SECOND)):
        trace = machine(sdt, name)
        kind = trace.define("p", "n")
        at(trace, time, kind)
        at(trace, time + 10, kind)
        trace.write()
    events, said = merged(sdt, "a", "b", "late")
    assert len(events) == 6 and said.count("no other recording overlaps") == 1
    assert "late: no other recording overlaps with it in time" in said


@pytest.mark.parametrize("match, problem", [
    ("client:send by conn", "two patterns are needed"),
    ("client:send,server:receive by conn, path", "a message has one key"),
    ("client:send,server:nothing by conn", "server:nothing: no recording has such a probe"),
    ("client:send client:send by conn", "sends and receives"),
    ("client:send,server:receive by nothing", "nothing"),
], ids=range(5))
def test_wrong_messages(sdt, match, problem):
    Network(sdt, 0, requests=1)
    result = sdt.command(TOOL, "report", f"--match={match}", "web1", "db1", status=None)
    assert result.returncode in (1, 2) and problem in result.stderr and not result.stdout


# ---- The page. ----

def test_the_page_shows_clocks(sdt, window):  # noqa: F811
    Network(sdt, 5 * SECOND)
    run(sdt, "report", "--html=out.html", SENT, ANSWERED, "web1", "db1")
    window.open(sdt.path("out.html"))
    first, second = rows(window, "clocks")
    assert first[:3] == ["web1", "web1", "0 ns"] and second[:2] == ["db1", "db1"]
    assert second[2].startswith("+5") and "40 messages" in second[4]


# ---- Requests that cross processes. ----

def parts(network, conn):
    """(process of the client, of the server): true times from the first to the last event."""
    server = MS
    return network.there[conn] + server + network.back[conn], server


def test_a_request_is_one_row_of_the_page(sdt, window):  # noqa: F811
    """Each request once, with a part for each process, which are as long as they were."""
    network = Network(sdt, 5 * SECOND)
    run(sdt, "report", "--html=out.html", "--match=conn", SENT, ANSWERED, "web1", "db1")
    description, _ = read_page(sdt.path("out.html").read_text())
    requests = description["requests"]
    assert requests["by"] == "conn" and requests["all"] == len(requests["list"]) == 40
    hosts = {process[0]: process[4] for process in description["processes"]}
    for conn, (key, first, last, client, server) in enumerate(requests["list"]):
        assert key == str(conn) and [hosts[part[0]] for part in (client, server)] == ["web1", "db1"]
        assert (last - first, server[2] - server[1]) == parts(network, conn)
        assert [client[1:], server[3]] == [[first, last, 2], 2]
        assert first <= server[1] and server[2] <= last
    window.resize(1280, 900)
    window.open(sdt.path("out.html"))
    shown = rows(window, "requests")
    assert len(shown) == 40 and shown[7][0] == "7" and shown[7][3] == "2"
    assert "app on web1 (4711)" in shown[7][4] and "app on db1 (4711)" in shown[7][4]
    boxes = window.run("[...document.querySelectorAll('#requests tbody tr')[7]"
                       ".querySelectorAll('.part')].map(part => [parseFloat(part.style.left), "
                       "parseFloat(part.style.width), part.getBoundingClientRect().width])")
    whole, server = parts(network, 7)
    assert len(boxes) == 2 and boxes[0][:2] == [0, 100]
    assert abs(boxes[1][1] - 100 * server / whole) < 0.1
    assert abs(boxes[1][2] / boxes[0][2] - server / whole) < 0.02, "as drawn"
    window.run("document.querySelectorAll('#requests tbody button')[7].click()")
    window.frame()
    start = float(window.run("document.getElementById('timeline').dataset.from"))
    assert abs(start - (70 * MS - whole * 0.1)) < MS / 10, "a tenth of it is before it"


def test_a_request_is_one_row_in_perfetto(sdt):
    network = Network(sdt, -5 * SECOND)
    sdt.path("web1").rename(sdt.path("rec"))
    events, tracks = perfetto(sdt, "--match=conn", SENT, ANSWERED, "db1")
    found = [event for event in events if str(event[2]).startswith("conn ")]
    assert len(found) == 160
    names = {track["uuid"]: track.get("name", "").strip('"') for track in tracks.values()}
    children = [names[track["parent_uuid"]] for track in tracks.values()
                if track.get("parent_uuid") and names[track["parent_uuid"]].startswith("conn ")]
    assert sorted(children) == sorted(f"conn {n}" for n in range(40) for _ in range(2))
    for conn in range(40):
        spans = {}
        for what, _, where, time, name, _ in found:
            if where == f"conn {conn}":
                spans.setdefault(what, []).append((time, name))
        both = [end[0] - begin[0] for begin, end in zip(spans["begin"], spans["end"], strict=True)]
        by_name = dict(zip((name for _, name in spans["begin"]), both, strict=True))
        whole, server = parts(network, conn)
        assert by_name == {"app on web1 (4711)": whole, "app on db1 (4711)": server}


def test_keys_that_look_like_markup(sdt, window):  # noqa: F811
    key = "</script><img src=x onerror=\"document.title='owned'\">"
    for name in ("a", "b"):
        trace = machine(sdt, name)
        kind = trace.define("p", "n", "id:string")
        at(trace, 1, kind, key)
        at(trace, 5 * MS, kind, key)
        at(trace, 6 * MS, kind, "other")
        trace.write()
    run(sdt, "report", "--html=out.html", "--match=id", "a", "b")
    window.open(sdt.path("out.html"))
    assert [row[0] for row in rows(window, "requests")] == [key, "other"]
    assert window.run("document.title") == "a, b – sdt report"


def test_requests_instead_of_events(sdt):
    """As text and as JSON; with a limit, the slowest, still in order."""
    network = Network(sdt, 0, requests=8)
    found, errors = merged(sdt, "--match=conn", "web1", "db1")
    assert [row["request"] for row in found] == [str(conn) for conn in range(8)]
    for conn, row in enumerate(found):
        there, back = network.there[conn], network.back[conn]
        assert (row["time"] - START - 100 * SECOND, row["duration"], row["events"]) == (
            conn * 10 * MS, there + MS + back, 4)
        assert [(part["host"], part["program"], part["pid"], part["duration"], part["events"],
                 part["time"] - row["time"]) for part in row["parts"]] == [
            ("web1", "app", 4711, there + MS + back, 2, 0), ("db1", "app", 4711, MS, 2, there)]
    slowest = sorted(found, key=lambda row: -row["duration"])[:3]
    assert merged(sdt, "--match=conn", "-n", "3", "web1", "db1")[0] == \
        sorted(slowest, key=lambda row: row["time"])
    one, _ = merged(sdt, "--match=conn", "--filter", "conn == 3 && provider == 'server'"
                    .replace("'", '"'), "web1", "db1")
    assert [(row["request"], row["duration"], len(row["parts"])) for row in one] == [("3", MS, 1)]
    lines = run(sdt, "report", "--match=conn", "web1", "db1").stdout.splitlines()
    assert lines[0].split() == ["REQUEST", "BEGIN", "DURATION", "EVENTS", "PROCESSES"]
    assert len(lines) == 9
    for conn, line in enumerate(lines[1:]):
        assert re.match(rf"{conn} +2023-11-14 \S+ +\S+ .s +4 +web1:app-4711 \S+ .s, "
                        r"db1:app-4711 1\.00 ms$", line), line


def test_a_request_that_no_event_has(sdt):
    Network(sdt, 0, requests=1)
    args = ["--match=conn", "--filter=conn == 77", "web1", "db1"]
    assert merged(sdt, *args)[0] == [] and run(sdt, "report", *args).stdout == ""


@pytest.mark.parametrize("args, problem", [
    (["report", "--csv", "--match=conn"], "prints requests, as text or with --json or --html"),
    (["report", "--summary", "--match=conn"], "prints requests, as text or with --json or --html"),
    (["report", "--delta", "--match=conn"], "--snapshot and --tree are of events"),
    (["export", "--chrome=o", "--match=conn"], "is for --otlp and --perfetto"),
    (["report", "--html=o", "--match=conn", "--match=id"], "there is one key of requests"),
    (["report", "--html=o", "--match=nothing"], "nothing"),
], ids=range(6))
def test_wrong_keys(sdt, args, problem):
    Network(sdt, 0, requests=1)
    result = sdt.command(TOOL, *args, "web1", "db1", status=None)
    assert result.returncode in (1, 2) and problem in result.stderr
    assert not sdt.path("o").exists()
