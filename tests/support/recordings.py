# SPDX-License-Identifier: BSD-2-Clause
"""Write recordings as the runtime's recorder does, and lies where a test wants them.

A recording is a directory of CTF 1.8 traces: metadata (TSDL, and comments in it for `sdt`) and one
stream for each CPU. babeltrace2 reads them as well, and knows nothing of us.
"""
import struct
import uuid

# Type → (TSDL, format of struct; None: not a plain number).
TYPES = {
    **{f"int{n}": (f"integer {{ size = {n}; align = 8; signed = true; }}", f"<{c}")
       for n, c in ((8, "b"), (16, "h"), (32, "i"), (64, "q"))},
    **{f"uint{n}": (f"integer {{ size = {n}; align = 8; }}", f"<{c}")
       for n, c in ((8, "B"), (16, "H"), (32, "I"), (64, "Q"))},
    **{f"hex{n}": (f"integer {{ size = {n}; align = 8; base = 16; }}", f"<{c}")
       for n, c in ((8, "B"), (16, "H"), (32, "I"), (64, "Q"))},
    "bool": ('enum : integer { size = 8; align = 8; } { "false" = 0, "true" = 1 }', "<B"),
    "pointer": ("integer { size = 64; align = 8; base = 16; }", "<Q"),
    "float": ("floating_point { exp_dig = 11; mant_dig = 53; align = 8; }", "<d"),
    "double": ("floating_point { exp_dig = 11; mant_dig = 53; align = 8; }", "<d"),
    "string": ("string { encoding = UTF8; }", None),
    "bytes": (None, None),
}
PLAIN = set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:/+,~@=-")
HEADER = 80
# A packet without events ends before the word that aligns the first one.
EMPTY = 76

TSDL = """/* CTF 1.8 */
/* sdt-recording {version} */
/* sdt-process {pid} {program} {host} */
{machine}trace {{
    major = 1;
    minor = 8;
    uuid = "{uuid}";
    byte_order = le;
    packet.header := struct {{
        integer {{ size = 32; align = 8; }} magic;
        integer {{ size = 8; align = 8; }} uuid[16];
        integer {{ size = 32; align = 8; }} stream_id;
    }};
}};
env {{
    hostname = "{host}";
    domain = "ust";
    procname = "{program}";
}};
clock {{
    name = sdt;
    absolute = true;
    freq = {frequency};
    offset_s = {offset_s};
    offset = {offset};
}};
typealias integer {{ size = 64; align = 8; map = clock.sdt.value; }} := clock_t;
stream {{
    id = 0;
    packet.context := struct {{
        clock_t timestamp_begin;
        clock_t timestamp_end;
        integer {{ size = 64; align = 8; }} content_size;
        integer {{ size = 64; align = 8; }} packet_size;
        integer {{ size = 64; align = 8; }} packet_seq_num;
        integer {{ size = 64; align = 8; }} events_discarded;
        integer {{ size = 32; align = 8; }} cpu_id;
    }};
    event.header := struct {{
        integer {{ size = 44; align = 64; map = clock.sdt.value; }} timestamp;
        integer {{ size = 20; align = 1; }} id;
    }};
    event.context := struct {{
        integer {{ size = 22; align = 32; }} vpid;
        integer {{ size = 22; align = 32; }} vtid;
    }};
}};
"""


def word(text):
    """As the comments for `sdt` spell a word."""
    data = text if isinstance(text, bytes) else text.encode()
    return "".join(chr(c) if c in PLAIN else f"%{c:02X}" for c in data) or "-"


def element(kind):
    """Of an array, "int32[]": as in TYPES. There, a float is one."""
    if kind == "float[]":
        return "floating_point { exp_dig = 8; mant_dig = 24; align = 8; }", "<f"
    return TYPES.get(kind.removesuffix("[]"), (None, None)) if kind.endswith("[]") else (None, None)


def encode(kind, value):
    if element(kind)[1]:
        return struct.pack("<H", len(value)) + b"".join(struct.pack(element(kind)[1], item)
                                                        for item in value)
    form = TYPES[kind][1]
    if form:
        return struct.pack(form, value)
    data = value.encode() if isinstance(value, str) else value
    return data + b"\0" if kind == "string" else struct.pack("<H", len(data)) + data


class Event:
    """A class of events: a site."""

    def __init__(self, number, provider, name, *fields, place="web.c:12", function="serve",
                 module="web"):
        self.number, self.provider, self.name = number, provider, name
        self.fields = [field.split(":", 1) for field in fields]
        self.place, self.function, self.module = place, function, module

    def comment(self):
        words = [str(self.number), *map(word, (self.provider, self.name, self.place,
                                               self.function, self.module)),
                 *(f"{word(name)}:{word(kind)}" for name, kind in self.fields)]
        return f"/* sdt-event {' '.join(words)} */\n"

    def tsdl(self):
        """Readers drop one underscore, which keeps names from being words of TSDL."""
        fields = []
        for name, kind in self.fields:
            if kind == "bytes":
                fields += [f"integer {{ size = 16; align = 8; }} __{name}_length;",
                           f"integer {{ size = 8; align = 8; base = 16; }} "
                           f"_{name}[__{name}_length];"]
            elif element(kind)[0]:
                fields += [f"integer {{ size = 16; align = 8; }} __{name}_length;",
                           f"{element(kind)[0]} _{name}[__{name}_length];"]
            elif kind in TYPES:
                fields.append(f"{TYPES[kind][0]} _{name};")
        body = "\n        ".join(fields)
        return (f'event {{\n    name = "{self.provider}:{self.name}";\n    id = {self.number};\n'
                f"    stream_id = 0;\n    fields := struct {{\n        {body}\n    }} align(64);\n"
                "};\n")

    def encode(self, time, values, pid, tid, number=None, length=None):
        """Without the zeros up to a multiple of 8 bytes."""
        payload = b"".join(encode(kind, value)
                           for (_, kind), value in zip(self.fields, values, strict=True))
        length = 16 + len(payload) if length is None else length
        return struct.pack("<QQ", time & ((1 << 44) - 1) |
                           (self.number if number is None else number) << 44,
                           pid | (length & 0x3ff) << 22 | tid << 32 | length >> 10 << 54) + payload


def align(data):
    return data + bytes(-len(data) % 8)


class Stream:
    """The packets of one CPU. `event` adds to the last packet, `packet` closes it."""

    def __init__(self, trace, cpu):
        self.trace, self.cpu, self.data = trace, cpu, b""
        self.sequence, self.discarded, self.events = 0, 0, []

    def event(self, time, kind, *values, pid=None, tid=None, **lies):
        pid = self.trace.pid if pid is None else pid
        self.events.append((time, kind.encode(time, values, pid, pid if tid is None else tid,
                                              **lies)))
        return self

    def packet(self, room=0, **lies):
        """ROOM bytes stay empty at its end; LIES replace members of the header."""
        body = b"".join(align(data) for _, data in self.events)
        # Content ends with the last field: in the zeros after it readers look for another event.
        content = HEADER + len(body) - (-len(self.events[-1][1]) % 8) if body else EMPTY
        times = [time for time, _ in self.events] or [0]
        fields = {"magic": 0xC1FC1FC1, "stream": 0, "begin": times[0], "end": times[-1],
                  "content": 8 * content, "size": 8 * (HEADER + len(body) + room),
                  "sequence": self.sequence, "discarded": self.discarded, "cpu": self.cpu}
        fields.update(lies)
        self.data += struct.pack("<I16sIQQQQQQII", fields["magic"], self.trace.uuid.bytes,
                                 *(fields[n] for n in ("stream", "begin", "end", "content", "size",
                                                       "sequence", "discarded", "cpu")), 0)
        self.data += body + bytes(room)
        self.sequence, self.events = fields["sequence"] + 1, []
        return self


class Trace:
    """What one process recorded. Times of its events are cycles of its clock. BOOT: 32 digits, of
    its machine's start; None: as of earlier versions, which do not say it."""

    def __init__(self, directory, program="web", pid=4711, host="machine", frequency=10**9,
                 offset_s=1_700_000_000, offset=0, version=1, boot=None, space=0, wall=0):
        self.path = directory / f"{program}-{pid}"
        self.program, self.pid, self.host, self.version = program, pid, host, version
        self.frequency, self.offset_s, self.offset = frequency, offset_s, offset
        self.machine = f"/* sdt-machine {boot} {space} 1 {wall} */\n" if boot else ""
        self.uuid = uuid.uuid5(uuid.NAMESPACE_DNS, f"{host} {self.path}")
        self.classes, self.streams = [], {}

    def define(self, provider, name, *fields, **kwargs):
        kind = Event(len(self.classes) + 1, provider, name, *fields, **kwargs)
        self.classes.append(kind)
        return kind

    def stream(self, cpu=0):
        return self.streams.setdefault(cpu, Stream(self, cpu))

    def metadata(self):
        words = {"program": word(self.program), "host": word(self.host)}
        return TSDL.format(**{**vars(self), **words}) + "".join(
            kind.comment() + kind.tsdl() for kind in self.classes)

    def nanoseconds(self, time):
        return self.offset_s * 10**9 + (self.offset + time) * 10**9 // self.frequency

    def write(self):
        """Close what is open, and write everything."""
        self.path.mkdir(parents=True, exist_ok=True)
        (self.path / "metadata").write_text(self.metadata())
        for cpu, stream in self.streams.items():
            if stream.events:
                stream.packet()
            (self.path / f"cpu{cpu}").write_bytes(stream.data)
        return self.path
