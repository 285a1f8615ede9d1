# SPDX-License-Identifier: BSD-2-Clause
"""A second reader of the page of `sdt report --html`: its elements, and its events by the
description in export_html.c."""
import base64
import json
import struct
from html.parser import HTMLParser

MARKS = ["instant", "begin", "end", "async begin", "async end", "overlapped end", "",
         "async overlapped end"]


class Elements(HTMLParser):
    """(tag, attributes) in order, and the text of each script and style."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.raw, self.inside = [], [], None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.inside = tag
            self.raw.append((tag, dict(attrs), ""))

    def handle_endtag(self, tag):
        self.inside = None if tag == self.inside else self.inside

    def handle_data(self, data):
        if self.inside:
            tag, attrs, text = self.raw[-1]
            self.raw[-1] = (tag, attrs, text + data)


class Records:
    """The bytes of the events, by the description in export_html.c."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def text(self):
        start, size = self.at, self.number()
        if size % 2:
            after, self.at = self.at, start - size // 2
            text = self.text()
            self.at = after
            return text
        self.at += size // 2
        return self.data[self.at - size // 2:self.at]

    def value(self, kind):
        if kind == "i":
            number = self.number()
            return -(number >> 1) - 1 if number & 1 else number >> 1
        if kind in "uxb":
            return self.number()
        if kind == "d":
            self.at += 8
            return struct.unpack("<d", self.data[self.at - 8:self.at])[0]
        return self.text()


def read(text):
    """The description, and (time, mark, class, thread, cpu, begin, arguments) of each event; begin:
    of an end, the number of the event that it belongs to."""
    raw = {attrs.get("id"): body for tag, attrs, body in Elements(text).raw if tag == "script"}
    description = json.loads(raw["description"])
    records, events = Records(base64.b64decode(raw["events"])), []
    classes = {each["id"]: each for each in description["classes"]}
    threads = {number: (pid, tid) for number, pid, tid in description["threads"]}
    time = thread = cpu = 0
    while records.at < len(records.data):
        time += records.number()
        word = records.number()
        if not word & 8:
            thread, cpu = records.number(), records.number()
        mark, kind = MARKS[word & 7], classes[word >> 4]
        begin = len(events) - records.number() if mark.endswith("end") else None
        values = {name: records.value(letter) for name, letter in kind["fields"]}
        events.append((time, mark, kind, threads[thread], cpu, begin, values))
    assert len(events) == description["events"]
    return description, events
