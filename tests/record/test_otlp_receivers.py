# SPDX-License-Identifier: BSD-2-Clause
"""`sdt export --otlp` to a receiver: where requests go, what it answers, and what is said of what
it does not take."""
import struct
import time

import pytest

import otlp
from test_sdt_otlp import send, simple, spans, to_file
from test_sdt_report import rec  # noqa: F401  (a fixture)


def answer(number=2, text="", rejected=0):
    """A partial success; or, with nothing rejected and NUMBER 1, a Status with a message."""
    message = bytes([0x12, len(text)]) + text.encode()
    if number == 1:
        return message
    inner = bytes([0x08, rejected]) + message
    return bytes([0x0a, len(inner)]) + inner


@pytest.mark.parametrize("tail", ["", "/", "/v1/traces", "/prefix", "/prefix/"])
def test_where_requests_go(sdt, rec, tail):
    """By one connection; with the headers that are asked for."""
    simple(rec, 600, 1)
    prefix = "/prefix" if "prefix" in tail else ""
    headers = {"OTEL_EXPORTER_OTLP_HEADERS": "api-key = s%2Cx=%3D , X-Other=1"}
    with otlp.Receiver() as receiver:
        result = send(sdt, receiver.url + tail, env=headers, status=0)
        requests = receiver.requests() if not prefix else []
    assert result.stdout == f"{receiver.url}{prefix}: 600 spans, 1 log record\n"
    assert result.stderr == ""
    assert sorted(path for path, *_ in receiver.seen) == [
        f"{prefix}/v1/{what}" for what in ("logs", "traces", "traces")]
    assert receiver.connections == 1
    for _, seen, _, _ in receiver.seen:
        assert seen["Content-Type"] == "application/x-protobuf"
        assert seen["api-key"] == "s,x==" and seen["X-Other"] == "1" and "Expect" not in seen
    assert prefix or len(spans(requests)) == 600


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_later(sdt, rec, status):
    """Again, after a while; what was delivered is delivered once."""
    simple(rec, 1)
    with otlp.Receiver((status, {}, answer(1, "busy"))) as receiver:
        result = send(sdt, receiver.url, status=0)
        first, second = receiver.requests()
    assert first == second and receiver.seen[1][3] - receiver.seen[0][3] > 0.45
    assert result.stdout == f"{receiver.url}: 1 span\n"
    assert f"/v1/traces: it answers {status}, busy; trying again for up to 10 s" in result.stderr


def test_later_when_the_receiver_says(sdt, rec):
    simple(rec, 1)
    with otlp.Receiver((503, {"Retry-After": "2"}, b"")) as receiver:
        result = send(sdt, receiver.url, status=0)
    assert len(receiver.seen) == 2 and receiver.seen[1][3] - receiver.seen[0][3] > 1.9
    assert "it answers 503, and asks to wait for 2 s; trying again" in result.stderr


def test_later_than_we_wait(sdt, rec):
    simple(rec, 600, 2)
    with otlp.Receiver((429, {"Retry-After": "3600"}, b"")) as receiver:
        result = send(sdt, receiver.url, status=1)
    assert len(receiver.seen) == 1 and result.stdout == ""
    problem = "it answers 429, and asks to wait for 3600 s"
    assert f"{receiver.url}/v1/traces: {problem}: 600 of 600 spans not delivered" in result.stderr
    assert f"{receiver.url}/v1/logs: {problem}: 2 of 2 log records not delivered" in result.stderr
    assert result.stderr.count("remedy:") == 1


def end_connection(handler):
    handler.close_connection = True


def test_a_connection_that_ends(sdt, rec):
    simple(rec, 1)
    with otlp.Receiver(end_connection) as receiver:
        result = send(sdt, receiver.url, status=0)
    assert len(receiver.seen) == 2 and result.stdout == f"{receiver.url}: 1 span\n"


@pytest.mark.parametrize("half", [
    b"HTTP/1.1 20",
    b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n\x0a\x02",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n\x0a"],
    ids=["status", "body", "chunk"])
def test_half_an_answer(sdt, rec, half):
    """Whether it was taken is unknown: it is sent again, and the ids tell that it is the same."""
    def answer(handler):
        handler.wfile.write(half)
        end_connection(handler)
    simple(rec, 1)
    with otlp.Receiver(answer) as receiver:
        result = send(sdt, receiver.url, status=0)
        first, second = (request["resource_spans"] for request in receiver.requests())
    assert first == second and result.stdout == f"{receiver.url}: 1 span\n"


def test_no_answer(sdt, rec):
    simple(rec, 1)
    with otlp.Receiver(*[lambda handler: time.sleep(3)] * 3) as receiver:
        result = send(sdt, receiver.url, env={"OTEL_EXPORTER_OTLP_TIMEOUT": "400"}, status=1)
    assert "timed out" in result.stderr and "1 of 1 span not delivered" in result.stderr
    assert len(receiver.seen) == 1


def test_no_receiver(sdt, rec):
    """One that is not there is looked for again; then the rest is counted, not tried."""
    simple(rec, 2000, 1)
    with otlp.Receiver() as receiver:
        pass
    before = time.monotonic()
    result = send(sdt, receiver.url, env={"OTEL_EXPORTER_OTLP_TIMEOUT": "1500"}, status=1)
    assert time.monotonic() - before > 0.45
    assert "trying again for up to 1.5 s" in result.stderr
    assert result.stderr.count("trying again") == 1
    assert "2000 of 2000 spans not delivered" in result.stderr
    assert "1 of 1 log record not delivered" in result.stderr and result.stdout == ""
    assert "the ids are the same each time" in result.stderr


@pytest.mark.parametrize("status", [400, 413])
def test_a_request_that_is_refused(sdt, rec, status):
    """It is not sent again; the next one is."""
    simple(rec, 600)
    with otlp.Receiver((status, {}, answer(1, "no such span"))) as receiver:
        result = send(sdt, receiver.url, status=1)
    assert len(receiver.seen) == 2 and result.stdout == f"{receiver.url}: 88 spans\n"
    assert f"it answers {status}, no such span: 512 of 600 spans not delivered" in result.stderr


@pytest.mark.parametrize("status", [301, 401, 404, 500])
def test_a_receiver_that_takes_no_spans(sdt, rec, status):
    """Then no others are sent; log records are."""
    simple(rec, 600, 600)
    with otlp.Receiver((status, {"Location": "/"}, b"<html>no")) as receiver:
        result = send(sdt, receiver.url, status=1)
    assert [path for path, *_ in receiver.seen] == ["/v1/traces", "/v1/logs", "/v1/logs"] or [
        path for path, *_ in receiver.seen] == ["/v1/traces", "/v1/logs"]
    assert result.stdout == f"{receiver.url}: 600 log records\n"
    assert f"it answers {status}: 600 of 600 spans not delivered" in result.stderr


def test_partial_success(sdt, rec):
    """What is rejected is counted, and not sent again."""
    simple(rec, 600)
    answers = [(200, {}, answer(2, "too old", 3)), (200, {}, answer(2, "", 100))]
    with otlp.Receiver(*answers) as receiver:
        result = send(sdt, receiver.url, status=1)
    assert len(receiver.seen) == 2 and result.stdout == f"{receiver.url}: 509 spans\n"
    assert "the receiver says: too old: 91 of 600 spans not delivered" in result.stderr


def test_a_success_with_advice(sdt, rec):
    simple(rec, 600)
    with otlp.Receiver(*[(200, {}, answer(2, "use v2"))] * 2) as receiver:
        result = send(sdt, receiver.url, status=0)
    assert result.stdout == f"{receiver.url}: 600 spans\n"
    assert result.stderr.count("the receiver says: use v2") == 1


@pytest.mark.parametrize("body", [
    b"\xff" * 40, b"\x0a\xff\xff\xff\xff\x0f", b"\x0a\x02\x08", b"\x0b\x0c", b"<html>", bytes(300),
    b"\x0a\x03\x12\x7fx", b"\x12" + b"\xff" * 9 + b"\x01", b"a" * 200_000,
    b"\x0a\x04\x12\x02\xff\x1b"], ids=range(10))
@pytest.mark.parametrize("status", [200, 400])
def test_hostile_answers(sdt, rec, status, body):
    """They are read as far as they are messages."""
    simple(rec, 1)
    with otlp.Receiver((status, {}, body)) as receiver:
        result = send(sdt, receiver.url, status=0 if status == 200 else 1)
    assert len(receiver.seen) == 1 and "\x1b" not in result.stderr


def test_a_certificate_that_nobody_knows(sdt, rec):
    """Nothing is sent to who has it, and there is no second attempt."""
    simple(rec, 1)
    sdt.command("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", 2, "-subj",
                "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem",
                "-out", "cert.pem")
    both = sdt.write("both.pem", "".join(sdt.path(name).read_text()
                                         for name in ("key.pem", "cert.pem")))
    with otlp.Receiver(certificate=both) as receiver:
        result = send(sdt, receiver.url, status=1)
    assert not receiver.seen and "trying again" not in result.stderr
    assert "certificate" in result.stderr and "1 of 1 span not delivered" in result.stderr


def test_more_is_rejected_than_was_sent(sdt, rec):
    simple(rec, 1)
    partial = b"\x08" + b"\xff" * 9 + b"\x01"
    with otlp.Receiver((200, {}, struct.pack("BB", 0x0a, len(partial)) + partial)) as receiver:
        result = send(sdt, receiver.url, status=1)
    assert "the receiver rejects them: 1 of 1 span not delivered" in result.stderr


def test_without_the_library(sdt, rec):
    """libcurl is loaded when it is needed, and a file needs none."""
    simple(rec, 1)
    for name in ("libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4"):
        sdt.write(name, "")
    env = {"LD_LIBRARY_PATH": str(sdt.path("."))}
    result = send(sdt, "http://localhost:1", env=env, status=1)
    assert "libcurl.so.4: this library is not there, which sends OTLP to a URL" in result.stderr
    assert "--otlp=FILE" in result.stderr
    assert len(spans(to_file(sdt, env=env))) == 1
