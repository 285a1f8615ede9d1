# SPDX-License-Identifier: BSD-2-Clause
"""OTLP as others read it: a receiver, protoc's reading of its bodies, and a check of JSON. Both
encodings come out as the same Python values, with the names of fields of the .proto."""
import base64
import http.server
import json
import re
import ssl
import subprocess
import threading
import time

from conftest import ROOT

PROTO = ROOT / "tests" / "opentelemetry.proto"
REQUESTS = {"resource_spans": "ExportTraceServiceRequest",
            "resource_logs": "ExportLogsServiceRequest",
            "resource_metrics": "ExportMetricsServiceRequest"}
PATHS = {"/v1/traces": "ExportTraceServiceRequest", "/v1/logs": "ExportLogsServiceRequest",
         "/v1/metrics": "ExportMetricsServiceRequest"}


def read_schema():
    """Message -> field -> (type, is it repeated); and the values of enumerations."""
    text = re.sub(r"//.*", "", PROTO.read_text())
    text = re.sub(r"oneof \w+ \{(.*?)\}", r"\1", text, flags=re.S)
    field = r"(repeated |optional )?(\w+) (\w+) = \d+;"
    messages = {name: {key: (kind, label == "repeated ")
                       for label, kind, key in re.findall(field, body)}
                for name, body in re.findall(r"message (\w+) \{(.*?)\}", text, re.S)}
    enums = {name: {key: int(value) for key, value in re.findall(r"(\w+) = (\d+);", body)}
             for name, body in re.findall(r"enum (\w+) \{(.*?)\}", text, re.S)}
    return messages, enums


MESSAGES, ENUMS = read_schema()


def camel(name):
    return re.sub(r"_(\w)", lambda m: m[1].upper(), name)


# ---- JSON ----

def json_value(kind, name, value):
    """VALUE of a field, which must be spelt as OTLP's JSON has it."""
    if kind in MESSAGES:
        return json_message(kind, value)
    if kind == "bytes" and name.endswith(("trace_id", "span_id")):
        assert re.fullmatch("[0-9a-f]+", value), name
        return bytes.fromhex(value)
    if kind == "bytes":
        return base64.b64decode(value, validate=True)
    if kind in ("int64", "fixed64"):
        assert isinstance(value, str) and re.fullmatch("-?[0-9]+", value), name
        return int(value)
    if kind in ENUMS:
        assert type(value) is int and value in ENUMS[kind].values(), name
        return value
    if kind == "double":
        assert type(value) in (int, float) or value in ("NaN", "Infinity", "-Infinity"), name
        return float(value)
    assert type(value) is {"string": str, "bool": bool}[kind], name
    return value


def json_message(kind, message):
    assert type(message) is dict
    fields = {camel(name): (name, *field) for name, field in MESSAGES[kind].items()}
    read = {}
    for key, value in message.items():
        assert key in fields, f"{key}: {kind} has no such field"
        name, type_of, is_list = fields[key]
        assert not is_list or type(value) is list
        read[name] = ([json_value(type_of, name, one) for one in value] if is_list else
                      json_value(type_of, name, value))
    return complete(kind, read)


def unique(pairs):
    assert len({key for key, _ in pairs}) == len(pairs), "a member occurs twice"
    return dict(pairs)


def read_lines(path):
    """The requests of a file."""
    text = path.read_text()
    assert text == "" or text.endswith("\n")
    for line in text.splitlines():
        request = json.loads(line, object_pairs_hook=unique)
        [key] = request
        yield json_message(REQUESTS[re.sub("([A-Z])", lambda m: "_" + m[1].lower(), key)], request)


# ---- Protocol Buffers ----

def unquote(text):
    special = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}
    return re.sub(rb"\\(\d{3}|.)", lambda m: bytes([int(m[1], 8)]) if len(m[1]) == 3 else
                  special.get(m[1], m[1]), text[1:-1].encode())


def text_value(kind, value):
    if kind == "bytes":
        return unquote(value)
    if kind == "string":
        return unquote(value).decode()
    if kind == "bool":
        return value == "true"
    if kind == "double":
        return float(value)
    return ENUMS[kind][value] if kind in ENUMS else int(value)


def text_message(kind, lines):
    """One message of protoc's text, up to its brace."""
    read = {}
    for line in lines:
        line = line.strip()
        if line == "}":
            break
        name = re.match(r"\w+", line)[0]
        assert name in MESSAGES[kind], f"{line}: a field of {kind} that protoc does not know"
        type_of, is_list = MESSAGES[kind][name]
        value = (text_message(type_of, lines) if line.endswith("{") else
                 text_value(type_of, line.split(": ", 1)[1]))
        if is_list:
            read.setdefault(name, []).append(value)
        else:
            assert name not in read
            read[name] = value
    return complete(kind, read)


def read_body(path, body):
    kind = PATHS[path]
    text = subprocess.run(["protoc", f"--decode={kind}", f"-I{PROTO.parent}", PROTO], input=body,
                          capture_output=True, check=True).stdout.decode()
    return text_message(kind, iter(text.splitlines()))


# ---- Both ----

def complete(kind, read):
    """With lists and texts that are empty, which proto3 does not write, unless in a oneof."""
    for name, (type_of, is_list) in MESSAGES[kind].items():
        if is_list:
            read.setdefault(name, [])
        elif kind not in ("AnyValue", "KeyValue") and type_of == "string":
            read.setdefault(name, "")
    return read


def any_value(value):
    assert len(value) <= 1, "AnyValue is one of its members"
    for name, one in value.items():
        if name == "array_value":
            return [any_value(element) for element in one["values"]]
        return one
    return None


def attributes(message):
    names = [item["key"] for item in message["attributes"]]
    assert len(set(names)) == len(names), "a key occurs twice"
    return {item["key"]: any_value(item.get("value", {})) for item in message["attributes"]}


def items(requests, signal="spans"):
    """(attributes of the resource, scope, span or record) of each."""
    outer, inner, last = {"spans": ("resource_spans", "scope_spans", "spans"),
                          "logs": ("resource_logs", "scope_logs", "log_records")}[signal]
    found = []
    for request in requests:
        for resource in request.get(outer, []):
            for scope in resource[inner]:
                for item in scope[last]:
                    found.append((attributes(resource["resource"]), scope["scope"]["name"], item))
    return found


class Receiver:
    """A receiver of OTLP over HTTP. ANSWERS are taken one after the other, each (status, headers,
    body) or a function of the handler; then, and without any, everything is accepted."""

    def __init__(self, *answers, certificate=None):
        self.answers, self.seen, self.connections = list(answers), [], 0
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                outer.connections += 1
                super().setup()

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.seen.append((self.path, dict(self.headers), body, time.monotonic()))
                answer = outer.answers.pop(0) if outer.answers else (200, {}, b"")
                if callable(answer):
                    answer(self)
                    return
                status, headers, content = answer
                self.send_response(status)
                for name, value in {"Content-Length": str(len(content)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
            self.server.handle_error = lambda *_: None  # of a client that does not believe us
            self.url = self.url.replace("http:", "https:")
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def requests(self):
        return [read_body(path, body) for path, _, body, _ in self.seen]
