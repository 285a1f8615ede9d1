# SPDX-License-Identifier: BSD-2-Clause
"""`sdt export --otlp --match`: spans of one request that crosses processes have one trace, and
messages make parents. The machines are invented; the observer is a schema of OTLP/JSON."""
import pytest

import otlp
from recordings import Trace
from test_sdt_report import run

SENT = "--match=client:send server:receive by conn"
ANSWERED = "--match=server:answer client:answered by conn"
MS = 10**6


class Machine:
    """Events of one process, which all have a time in ms."""

    def __init__(self, sdt, name, pid=4711):
        self.trace = Trace(sdt.path(name), program=name, host=name, pid=pid)
        self.name, self.kinds = name, {}

    def at(self, time, what, *values, **kwargs):
        fields = [f"{name}:uint32" for name in ("conn", "other")[:len(values)]]
        kind = self.kinds.setdefault((what, len(values)), None) or self.trace.define(
            self.name, what.replace("-", "__"), *fields)
        self.kinds[what, len(values)] = kind
        self.trace.stream().event(10**11 + time * MS, kind, *values, **kwargs)


@pytest.fixture(name="pair")
def fixture_pair(sdt):
    """Two requests of a client, each with an answer of a server, which asks nobody."""
    client, server = Machine(sdt, "client"), Machine(sdt, "server")
    for conn in (7, 8):
        start = conn * 100
        client.at(start, "call-begin", conn)
        client.at(start + 1, "send", conn)
        server.at(start + 2, "receive", conn)
        server.at(start + 3, "serve-begin", conn)
        server.at(start + 4, "query-begin")
        server.at(start + 5, "query-end")
        server.at(start + 6, "serve-end", conn)
        server.at(start + 7, "answer", conn)
        client.at(start + 8, "answered", conn)
        client.at(start + 9, "call-end", conn)
    server.at(2000, "idle-begin")
    server.at(2001, "idle-end")
    for machine in (client, server):
        machine.trace.write()
    return sdt


def spans(sdt, *args, recordings=("client", "server"), status=0):
    """(name, conn) → span; nested ones without a number have that of the request by time."""
    result = run(sdt, "export", "--otlp=out.json", *args, *recordings, status=status)
    found = {}
    for _, _, span in otlp.items(list(otlp.read_lines(sdt.path("out.json")))):
        conn = (span["start_time_unix_nano"] // MS - 10**5) % 10**7 // 100
        conn = otlp.attributes(span).get("conn", conn % 100)
        found[span["name"].split(":")[1], conn] = span
    return found, result.stderr


def traces(found):
    return {key: span["trace_id"].hex() for key, span in found.items()}


def parents(found):
    """Of each span that has one: which it is."""
    ids = {span["span_id"]: key for key, span in found.items()}
    return {key: ids[span["parent_span_id"]] for key, span in found.items()
            if span.get("parent_span_id")}


def test_without_match_each_process_has_its_own(pair):
    found, _ = spans(pair)
    assert len(set(traces(found).values())) == 5
    assert set(parents(found)) == {("query", 7), ("query", 8)}


def test_a_request_is_a_trace(pair):
    found, _ = spans(pair, "--match=conn")
    for conn in (7, 8):
        assert len({traces(found)[name, conn] for name in ("call", "serve", "query")}) == 1
    assert len(set(traces(found).values())) == 3  # two requests, and what is of none
    assert set(parents(found)) == {("query", 7), ("query", 8)}


def test_each_host_alone_has_the_same_ids(pair):
    together = traces(spans(pair, "--match=conn")[0])
    alone = {}
    for name in ("client", "server"):
        alone.update(traces(spans(pair, "--match=conn", recordings=[name])[0]))
    assert alone == together
    other = traces(spans(pair, "--match=conn + 1")[0])
    assert other["call", 7] != together["call", 7]


@pytest.mark.parametrize("key", [[], ["--match=conn"]], ids=["messages", "key"])
def test_messages_make_parents(pair, key):
    found, _ = spans(pair, SENT, ANSWERED, *key)
    assert parents(found) == {(name, conn): (parent, conn) for conn in (7, 8)
                              for name, parent in (("serve", "call"), ("query", "serve"))}
    assert len(set(traces(found).values())) == 3


def test_begins_are_messages_as_well(pair):
    found, _ = spans(pair, "--match=client:call-begin server:serve-begin by conn")
    assert parents(found)["serve", 7] == ("call", 7)
    assert traces(found)["serve", 8] == traces(found)["call", 8] != traces(found)["serve", 7]


def test_the_span_after_the_first_is_nobodys_child(sdt):
    """Nor is one in a thread that had a span when the message came, or got one of another trace."""
    client, server = Machine(sdt, "client"), Machine(sdt, "server")
    client.at(100, "call-begin", 1)
    for time, conn in ((101, 1), (111, 2), (121, 3), (122, 3)):
        client.at(time, "send", conn)
    client.at(190, "call-end", 1)
    server.at(102, "receive", 1)
    for start in (103, 105):
        server.at(start, "serve-begin", start)
        server.at(start + 1, "serve-end", start)
    server.at(110, "outer-begin")
    server.at(112, "receive", 2)
    server.at(113, "outer-end")
    server.at(114, "late-begin", 9)
    server.at(115, "late-end", 9)
    for machine in (client, server):
        machine.trace.write()
    found, _ = spans(sdt, SENT)
    assert parents(found) == {("serve", 103): ("call", 1)}
    found, _ = spans(sdt, SENT, "--match=conn")  # other requests
    assert parents(found) == {}


def test_what_is_ambiguous_or_late_is_no_parent(sdt):
    clients = [Machine(sdt, f"client{i}") for i in range(2)]
    server = Machine(sdt, "server")
    for client in clients:
        client.name = "client"
        client.at(100, "call-begin", 1)
        client.at(101, "send", 1)
        client.at(109, "call-end", 1)
    server.at(102, "receive", 1)
    server.at(103, "serve-begin", 1)
    server.at(104, "serve-end", 1)
    for machine in (*clients, server):
        machine.trace.write()
    found, errors = spans(sdt, SENT, recordings=["client0", "client1", "server"])
    assert parents(found) == {} and "1 key was ambiguous" in errors


def test_what_comes_before_it_is_sent_makes_no_parent(sdt):
    """In one process, whose clock nothing puts right."""
    machine = Machine(sdt, "client")
    machine.at(100, "receive", 5, tid=2)
    machine.at(101, "early-begin", tid=2)
    machine.at(102, "early-end", tid=2)
    machine.at(103, "call-begin", 5)
    machine.at(104, "send", 5)
    machine.at(105, "call-end", 5)
    machine.at(106, "late-begin", tid=2)
    machine.at(107, "late-end", tid=2)
    machine.trace.write()
    found, _ = spans(sdt, "--match=client:send client:receive by conn", recordings=["client"])
    assert len(found) == 3 and parents(found) == {}


def test_the_programs_own_trace_is_that_of_the_request(sdt):
    """Where one process knows it, the other one's spans are in it, and so are single events."""
    mine = "0af7651916cd43dd8448eb211c80319c"
    client, server = Machine(sdt, "client"), Machine(sdt, "server")
    begin = client.trace.define("client", "call__begin", "conn:uint32", "trace_id:string")
    client.trace.stream().event(10**11 + 100 * MS, begin, 7, mine)
    server.at(101, "lonely", 7)
    server.at(102, "serve-begin", 7)
    server.at(103, "serve-end", 7)
    client.at(104, "call-end", 7)
    client.trace.write()
    server.trace.write()
    found, _ = spans(sdt, "--match=conn")
    assert set(traces(found).values()) == {mine}
    logs = otlp.items(list(otlp.read_lines(sdt.path("out.json"))), "logs")
    assert [record["trace_id"].hex() for _, _, record in logs] == [mine]
