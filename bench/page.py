# SPDX-License-Identifier: BSD-2-Clause
"""What a million events cost in the page of `sdt report --html`: bytes, loading, frames, a search.

Headless Chromium without a graphics card, in a window of 1400 × 1000. Times are processor time of
the page's thread, median of the frames; painting is part of "with painting". The whole recording is
the dearest view: each pixel stands for hundreds of events.
"""
import statistics
import sys

import harness

sys.path.insert(0, str(harness.ROOT / "tests"))
sys.path.insert(0, str(harness.ROOT / "tests" / "support"))
import browser  # noqa: E402
import recordings  # noqa: E402

KEYS = {"the whole recording, zoomed": "+-" * 15, "a half of it, moved": "+" + "da" * 15,
        "a thousandth of it, moved": "+" * 15 + "da" * 15}


def _record(directory, count):
    """Requests of four threads with queries in them, as a web server has them."""
    trace = recordings.Trace(directory, program="server")
    begin = trace.define("web", "request_begin", "path:string", "bytes:uint32")
    end = trace.define("web", "request_end", "status:int32")
    start, done = trace.define("db", "query-start", "sql:string"), \
        trace.define("db", "query-done", "rows:uint32")
    log = trace.define("web", "log", "text:string")
    stream, state = trace.stream(), 1
    for n in range(count // 5):
        state = state * 1103515245 + 12345 & 0x7FFFFFFF
        now, tid = n * 9000, 4711 + n % 4
        stream.event(now, begin, f"/product/{state % 500}", state % 9000, tid=tid)
        stream.event(now + 500, start, "SELECT price FROM products WHERE id = ?", tid=tid)
        stream.event(now + 700 + state % 7000, done, state % 300, tid=tid)
        stream.event(now + 7800, log, "cache miss" if state & 64 else "cache hit", tid=tid)
        stream.event(now + 8000, end, 200, tid=tid)
        if len(stream.events) > 5000:
            stream.packet()
    trace.write()


class Clock:
    """Seconds of processor time of the page's thread: in its script, and altogether."""

    def __init__(self, window):
        self.window = window
        window.call("Performance.enable", timeDomain="threadTicks")
        self.before = self.read()

    def read(self):
        values = {each["name"]: each["value"]
                  for each in self.window.call("Performance.getMetrics")["metrics"]}
        return values["ScriptDuration"], values["TaskDuration"]

    def lap(self):
        before, self.before = self.before, self.read()
        return [now - then for now, then in zip(self.before, before)]


def _press(window, key):
    window.run("(async () => { const c = document.getElementById('timeline');"
               f"c.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}'}}));"
               "await new Promise(r => requestAnimationFrame(() => setTimeout(r, 0))) })()")


def measure(bench):
    area, count = "page", 100_000 if bench.quick else 1_000_000
    if not browser.PROGRAM:
        bench.skip(area, "no chromium")
        return
    _record(bench.work / "recording", count)
    output = bench.work / "page.html"
    bench.command(bench.tool.parent.parent / "sdt" / "sdt", "report", f"--html={output}",
                  bench.work / "recording")
    bench.record(area, "bytes an event", output.stat().st_size / count, "bytes")
    window = browser.Browser(bench.work / "profile", 1400, 1000)
    try:
        clock = Clock(window)
        window.open(output)
        bench.record(area, f"loading {count} events", clock.lap()[1], "s")
        for what, keys in KEYS.items():
            window.run("document.getElementById('zoom-all').click()")
            frames = []
            for i, key in enumerate(keys):
                bench.progress(i, len(keys), f"frames of {what}")
                clock.lap()
                _press(window, key)
                frames.append(clock.lap())
            script, task = (1e3 * statistics.median(column) for column in zip(*frames[-20:]))
            bench.record(area, f"a frame: {what}", script, "ms")
            bench.record(area, f"a frame, with painting: {what}", task, "ms")
        clock.lap()
        window.run("location.hash = '#find=hit'")
        window.until("/match(es)?$/.test(document.getElementById('found').textContent)")
        bench.record(area, "searching all arguments", clock.lap()[1], "s",
                     note=window.run("document.getElementById('found').textContent"))
    finally:
        window.close()
