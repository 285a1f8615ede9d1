# SPDX-License-Identifier: BSD-2-Clause
"""`sdt report --html`: the page's data, read by a second reader, and the page in headless Chromium:
what is drawn, found and zoomed to; names that would like to be markup."""
import base64
import hashlib
import re
import subprocess

import pytest

import browser as chromium
from conftest import ROOT
from recordings import Trace
from report_page import Elements, read
from test_sdt_report import VALUES, rec, run  # noqa: F401  (a fixture)

HOSTILE = "</script><img src=x onerror=\"document.title='owned'\"><!--<script>"
NOTHING = "#000000"  # a pixel on which nothing is drawn


def page(sdt, *args, **kwargs):
    run(sdt, "report", "--html=out.html", *args, "rec", **kwargs)
    return sdt.path("out.html").read_text()


# ---- what the page holds ----

def test_every_type_value_for_value(sdt, rec):
    trace = Trace(rec)
    kinds = sorted(VALUES)
    kind = trace.define("web", "all", *(f"a_{name}:{name}" for name in kinds))
    for n in range(4):
        trace.stream(2).event(10 + n, kind, *(VALUES[name][n] for name in kinds), tid=9)
    trace.write()
    description, events = read(page(sdt))
    assert description["start"] == str(trace.nanoseconds(10)) and len(events) == 4
    for n, (time, mark, each, thread, cpu, _, values) in enumerate(events):
        assert (time, mark, thread, cpu) == (n, "instant", (4711, 9), 2)
        assert description["probes"][each["probe"]] == "web:all"
        for name in kinds:
            written = VALUES[name][n]
            written = written.encode() if isinstance(written, str) else written
            assert values[f"a_{name}"] == written, name


def test_slices_are_those_of_export(sdt, rec):
    """Begins, ends, ends that come after those of slices around them, pairs by a value; and the
    filter."""
    trace = Trace(rec)
    begin, end = trace.define("web", "x_begin", "n:int32"), trace.define("web", "x_end")
    inner, _ = trace.define("web", "y_begin"), trace.define("web", "y_end")
    one, other = trace.define("web", "in", "id:uint64"), trace.define("web", "out", "id:uint64")
    stream = trace.stream()
    stream.event(0, begin, 7).event(1, inner).event(2, end).event(3, end)
    stream.event(4, one, 1).event(5, one, 2).event(6, other, 1)
    trace.write()
    description, events = read(page(sdt, "-p", "in web:out match id"))
    assert [(time, mark, begin) for time, mark, *_, begin, _ in events] == [
        (0, "begin", None), (1, "begin", None), (2, "end", 0), (3, "instant", None),
        (4, "async begin", None), (5, "async begin", None), (6, "async end", 4)]
    assert [event[2].get("slice") for event in events[:2]] == ["web:x", "web:y"]
    assert [pair[:4] for pair in description["pairs"]] == [
        ["web:in", "id", 2, 0], ["web:x_begin", "", 1, 0], ["web:y_begin", "", 1, 0]]
    description, events = read(page(sdt, "-f", "n == 7"))
    assert len(events) == 1 and description["filter"] == "n == 7"
    assert len(read(page(sdt, "--limit=3"))[1]) == 3


def test_texts_that_repeat_are_written_once(sdt, rec):
    """10000 events with one of three long texts: some bytes each."""
    trace = Trace(rec)
    kind = trace.define("web", "request", "path:string")
    texts = ["/a" * 60, "/b" * 60, "/c" * 60]
    for n in range(10000):
        trace.stream().event(n, kind, texts[n * n % 3])
        if n % 1000 == 999:
            trace.stream().packet()
    trace.write()
    text = page(sdt)
    _, events = read(text)
    assert [event[6]["path"].decode() for event in events] == [texts[n * n % 3]
                                                               for n in range(10000)]
    assert len(text) < 250_000


def test_streams_with_losses(sdt, rec):
    trace = Trace(rec)
    kind = trace.define("p", "n")
    trace.stream(1).event(1, kind).packet(discarded=5).event(2, kind).packet(sequence=3,
                                                                             discarded=9)
    trace.write()
    description, _ = read(page(sdt))
    assert description["streams"] == [["web-4711/cpu1", 4711, 2, 9, 2, 0]]
    assert description["processes"] == [[4711, "web", 4711, 0, "machine"]]


def test_the_page_allows_nothing_but_itself(sdt, rec):
    """Its policy names the hashes of its one script and style; nothing is loaded from elsewhere."""
    trace = Trace(rec)
    trace.stream().event(1, trace.define("p", "n"))
    trace.write()
    elements = Elements(page(sdt))
    [policy] = [attrs["content"] for tag, attrs in elements.tags
                if attrs.get("http-equiv") == "Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    bodies = {}
    for tag, attrs, body in elements.raw:
        if "type" not in attrs:
            bodies.setdefault(tag, []).append(body)
    assert {tag: len(found) for tag, found in bodies.items()} == {"script": 1, "style": 1}
    for [body] in bodies.values():
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    for tag, attrs in elements.tags:
        assert not any(name.startswith("on") or name == "style" for name in attrs), (tag, attrs)
        assert "src" not in attrs and attrs.get("href", "data:,") == "data:,"
    assert not re.search(r"https?://|\beval\(|innerHTML|insertAdjacent", "".join(
        body for found in bodies.values() for body in found))


def hostile(rec):
    trace = Trace(rec, program="x" + HOSTILE.replace("/", "\\"), host=HOSTILE)
    kind = trace.define(HOSTILE, "n_begin", f"{HOSTILE}:string", "\u2028\u202e:int8",
                        function=HOSTILE, place=HOSTILE, module=HOSTILE)
    end = trace.define(HOSTILE, "n_end")
    trace.stream().event(1, kind, HOSTILE, 1).event(1000, end)
    trace.write()


def test_names_are_no_markup(sdt, rec):
    hostile(rec)
    text = page(sdt)
    assert text.count("<img") == 0 and text.count("</script>") == 3
    description, events = read(text)
    assert description["probes"][0] == f"{HOSTILE}:n_begin"
    assert events[0][6][HOSTILE] == HOSTILE.encode()


def test_events_may_be_none(sdt, rec):
    trace = Trace(rec)
    trace.define("p", "n")
    trace.write()
    assert read(page(sdt))[1] == []


@pytest.mark.parametrize("args, words", [
    (["--html=a", "--json", "rec"], "are mutually exclusive"),
    (["--html=", "rec"], "needs the name"),
    (["--html=a", "--html=b", "rec"], "are mutually exclusive"), (["--html=a"], "no recording"),
    (["--html=a", "-r", "rec"], "for text output only"),
    (["-p", "a:b c:d", "rec"], "--pair requires --html"),
    (["--html=a", "-p", "non:sense", "rec"], "non:sense: two patterns are needed"),
    (["--html=a", "-f", "(", "rec"], "expected a name"),
], ids=lambda value: "-".join(value) if isinstance(value, list) else "")
def test_wrong_command_lines(sdt, args, words):
    result = run(sdt, "report", *args, status=2)
    assert words in result.stderr and not sdt.path("a").exists()


def test_failures_leave_the_page_as_it_was(sdt, rec):
    trace = Trace(rec)
    trace.stream().event(1, trace.define("p", "n"))
    trace.write()
    sdt.path("out.html").write_text("before")
    result = run(sdt, "report", "--html=out.html", "-p", "p:n p:none", "rec", status=1)
    assert "p:none: this recording has no such probe" in result.stderr
    assert sdt.path("out.html").read_text() == "before"
    assert sorted(path.name for path in sdt.dir.iterdir()) == ["out.html", "rec"]
    assert "cannot" in run(sdt, "report", "--html=no/where", "rec", status=1).stderr


# ---- what a browser makes of it ----

@pytest.fixture(scope="module")
def window(tmp_path_factory):
    if not chromium.PROGRAM:
        pytest.skip("no chromium: apt-get install chromium")
    opened = chromium.Browser(tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


def shop(rec, requests=100):
    """Requests of two threads with queries in them, a counter and a message here and there."""
    trace = Trace(rec, program="shop")
    begin = trace.define("web", "request_begin", "path:string")
    end = trace.define("web", "request_end", "status:int32")
    start, done = trace.define("db", "query-start"), trace.define("db", "query-done", "rows:int32")
    size, note = trace.define("pool", "size", "n:int32"), trace.define("web", "note", "text:string")
    stream, now = trace.stream(), 0
    for n in range(requests):
        tid = 4711 + n % 2
        stream.event(now, begin, "/logo.png" if n % 10 == 0 else "/index.html", tid=tid)
        stream.event(now + 1000, start, tid=tid)
        stream.event(now + 5000 + 10 * (n % 100), done, n, tid=tid)
        stream.event(now + 8000, end, 200, tid=tid)
        if n % 4 == 0:
            stream.event(now + 8500, size, n, tid=tid)
        if n == 42:
            stream.event(now + 8600, note, "the answer", tid=tid)
        now += 10000
        if len(stream.events) > 2000:
            stream.packet()
    trace.write()
    return 4 * requests + (requests + 3) // 4 + (requests > 42)


def opened(sdt, window, *args, fragment=""):
    page(sdt, *args)
    window.prefer("light")
    window.resize(1280, 900)
    window.open(sdt.path("out.html"), fragment)
    window.run("document.getElementById('timeline').focus()")


def shown(window):
    """What the timeline says of its last frame."""
    data = window.run("({...document.getElementById('timeline').dataset})")
    return {name: float(value) for name, value in data.items()}


def text(window, name):
    return window.run(f"document.getElementById('{name}').textContent").replace("\u202f", " ")


def place(window, name, x=0.5, y=0.5):
    box = window.run(f"(() => {{ const b = document.getElementById('{name}')"
                     ".getBoundingClientRect(); return [b.x, b.y, b.width, b.height] })()")
    return box[0] + x * box[2], box[1] + y * box[3]


def rows(window, name):
    return window.run(f"[...document.querySelectorAll('#{name} tbody tr')].map(row => "
                      "[...row.children].map(cell => cell.textContent.replace(/\\u202f/g, ' ')))")


def test_all_events_are_drawn(sdt, rec, window):
    """Each slice and each instant once, whether it has a mark of its own or shares one."""
    count = shop(rec)
    opened(sdt, window)
    assert window.run("document.body.dataset.events") == str(count) == "426"
    assert shown(window)["drawn"] == 200 + 26
    assert text(window, "facts").startswith("426 events")
    assert text(window, "visible").startswith("426 events in")
    assert window.run("document.title") == "rec – sdt report"
    assert [row[:2] for row in rows(window, "pairs")] == [["web:request", "100"],
                                                          ["db:query", "100"]]
    assert rows(window, "pairs")[0][2:] == 4 * ["8.00 µs"] + ["800 µs", "thread"]
    assert rows(window, "pairs")[1][2:6] == ["4.49 µs", "4.89 µs", "4.98 µs", "4.99 µs"]
    assert window.complaints() == []


def test_slices_are_where_they_were(sdt, rec, window):
    """The pixels: a request fills its time in its own colour, and not the time after it."""
    shop(rec)
    opened(sdt, window, fragment="#from=0&to=10000")
    assert shown(window)["from"] == 0 and shown(window)["to"] == 10000
    colours = window.run("""(() => {
        const canvas = document.getElementById('timeline'), context = canvas.getContext('2d');
        const style = getComputedStyle(document.documentElement);
        const hex = (x, y) => '#' + [...context.getImageData(x, y, 1, 1).data].slice(0, 3)
            .map(byte => byte.toString(16).padStart(2, '0')).join('');
        const at = (ns, y) => hex(Math.round(200 + ns / 10000 * (canvas.width - 200)), y);
        const request = 26 + 28 + 3.5 + 15 + 3, query = request + 19;
        return [at(500, request), at(7900, request), at(9000, request), at(500, query),
                at(4500, query), at(5500, query)].map(colour =>
            ['c0', 'c1', 'panel'].find(name => style.getPropertyValue('--' + name) === colour) ??
            colour); })()""")
    assert colours == ["c0", "c0", NOTHING, NOTHING, "c1", NOTHING]


def test_zoom_and_pan_by_keys_mouse_and_wheel(sdt, rec, window):
    shop(rec)
    opened(sdt, window)
    whole = shown(window)
    window.key("+")
    window.key("+")
    near = shown(window)
    assert near["to"] - near["from"] == pytest.approx((whole["to"] - whole["from"]) / 1.6**2)
    assert 0 < near["drawn"] < whole["drawn"]
    window.key("ArrowRight")
    moved = shown(window)
    assert moved["from"] == pytest.approx(near["from"] + (near["to"] - near["from"]) / 8)
    x, y = place(window, "timeline", 0.6, 0.4)
    window.drag((x, y), (x + 100, y))
    dragged = shown(window)
    assert dragged["from"] < moved["from"]
    assert dragged["to"] - dragged["from"] == pytest.approx(moved["to"] - moved["from"])
    window.mouse("mouseWheel", x, y, deltaX=0, deltaY=-100, modifiers=2)
    window.until(f"document.getElementById('timeline').dataset.from != {dragged['from']}")
    wheeled = shown(window)
    assert dragged["from"] < wheeled["from"] < wheeled["to"] < dragged["to"]
    window.key("Home")
    assert shown(window) | {"ms": 0} == whole | {"ms": 0}
    window.drag((x, y), (x + 80, y), modifiers=8)
    chosen = shown(window)
    width = window.run("document.getElementById('timeline').clientWidth - 200")
    assert chosen["to"] - chosen["from"] == \
        pytest.approx(80 / width * (whole["to"] - whole["from"]), rel=0.05)


def test_search_finds_names_and_arguments(sdt, rec, window):
    shop(rec)
    opened(sdt, window)
    for words, found in (("/logo", 10), ("query", 100), ("rows=7", 11), ("the ANSWER", 1),
                         ("nothing", 0), ("serve", 226)):
        window.key("/")
        window.run("document.getElementById('find').select()")
        window.type(words)
        assert text(window, "found") == f"{found} match{'es' * (found != 1)}", words
    window.run("document.getElementById('find').select()")
    window.type("answer")
    window.key("Enter")
    assert text(window, "found") == "1 of 1 match"
    assert "web:note" in text(window, "details") and '"the answer"' in text(window, "details")
    seen = shown(window)
    assert seen["from"] <= 428600 <= seen["to"]
    window.key("Escape")
    assert text(window, "found") == ""
    # A slice once, also if only its end is found; and from there on.
    for key in ("Escape", "Home", "/"):
        window.key(key)
    window.type("rows=7")
    steps = []
    for step in range(12):
        window.key("Enter")
        steps.append(text(window, "found"))
        assert text(window, "details").endswith(f"rows{[7, *range(70, 80)][step % 11]}")
    assert steps == [f"{step % 11 + 1} of 11 matches" for step in range(12)]
    window.key("Enter", modifiers=8)
    assert text(window, "found") == "11 of 11 matches"
    opened(sdt, window, fragment="#find=/logo&from=0&to=100000")
    assert text(window, "found") == "10 matches"
    assert shown(window)["to"] == 100000


def test_events_are_selected_by_mouse_and_keys(sdt, rec, window):
    shop(rec)
    opened(sdt, window, fragment="#from=0&to=10000")
    width = window.run("document.getElementById('timeline').clientWidth")
    box = place(window, "timeline", 0, 0)
    window.click(box[0] + 200 + (width - 200) * 0.05, box[1] + 26 + 28 + 5 + 15 + 8)
    details = text(window, "details")
    assert "web:request" in details and "8.00 µs" in details and '"/logo.png"' in details
    assert "status200" in details, "the arguments of its end, too"
    window.key(".")
    assert "db:query" in text(window, "details")
    assert "4.00 µs" in text(window, "details") and "db:query" in text(window, "live")
    window.key("Enter")
    zoomed = shown(window)
    assert zoomed["to"] - zoomed["from"] == pytest.approx(4000 * 1.4)
    window.key("Escape")
    assert "Click a slice" in text(window, "details")


def test_processes_are_folded(sdt, rec, window):
    shop(rec)
    opened(sdt, window)
    whole, header = shown(window)["drawn"], place(window, "timeline", 0, 0)
    window.click(header[0] + 60, header[1] + 26 + 14)
    assert shown(window)["drawn"] == 0
    window.click(header[0] + 60, header[1] + 26 + 14)
    assert shown(window)["drawn"] == whole > 0


def test_the_heat_map_leads_to_the_timeline(sdt, rec, window):
    """A click on the last row of the histogram: the first of the longest slices."""
    shop(rec)
    opened(sdt, window)
    window.run("document.querySelectorAll('#pairs tbody button')[1].click()")
    window.run("document.getElementById('heat').scrollIntoView({block: 'center'})")
    window.frame()
    assert text(window, "pair-name").startswith("db:query")
    label = window.run("document.getElementById('heat').ariaLabel").replace("\u202f", " ")
    assert label == "db:query: 100 slices, median 4.49 µs, 99 % 4.98 µs, longest 4.99 µs"
    left, top = place(window, "heat", 0, 0)
    width, height = (b - a for a, b in zip((left, top), place(window, "heat", 1, 1)))
    bars = max(110, min(320, width * 0.28))
    for y in range(8, int(height) - 26, 4):  # from the top: the longest come first
        window.click(left + width - bars + 5, top + y)
        if "db:query" in text(window, "details"):
            break
    details = text(window, "details")
    # The first of its row: a row is a quarter of an octave, and one begins at 4.87 µs.
    assert "duration4.88 µs" in details


def test_tables_are_sorted(sdt, rec, window):
    shop(rec)
    opened(sdt, window)
    counts = [row[:2] for row in rows(window, "probes")]
    assert sorted(counts) == [["db:query-done", "100"], ["db:query-start", "100"],
                              ["pool:size", "25"], ["web:note", "1"], ["web:request_begin", "100"],
                              ["web:request_end", "100"]]
    window.run("document.querySelector('#probes th:nth-child(1) button').click()")
    assert [row[0] for row in rows(window, "probes")] == sorted(row[0] for row in counts)
    assert window.run("document.querySelector('#probes th').ariaSort") == "ascending"
    window.run("document.querySelector('#probes th:nth-child(2) button').click()")
    assert rows(window, "probes")[-1][:2] == ["web:note", "1"]
    window.run("document.querySelector('#probes tbody tr:last-child button').click()")
    assert text(window, "found") == "1 of 1 match"


def test_light_and_dark(sdt, rec, window):
    shop(rec)
    opened(sdt, window)
    colour = "getComputedStyle(document.body).backgroundColor"
    light, pictures = window.run(colour), [window.screenshot()]
    window.prefer("dark")
    dark = window.run(colour)
    pictures.append(window.screenshot())
    assert light != dark and pictures[0] != pictures[1]
    window.run("(() => { const s = document.getElementById('theme'); s.value = 'light';"
               "s.dispatchEvent(new Event('change')) })()")
    window.frame()
    assert window.run(colour) == light


def test_a_hostile_recording_runs_nothing(sdt, rec, window):
    hostile(rec)
    opened(sdt, window)
    window.key(".")
    window.run("document.getElementById('find').value = 'img'")
    window.run("document.getElementById('find').dispatchEvent(new Event('input'))")
    window.frame()
    assert text(window, "found") == "1 match"
    assert "onerror" in text(window, "details") and "\\u202e" in text(window, "details")
    assert "onerror" in text(window, "pairs") and "onerror" in text(window, "probes")
    assert window.run("document.images.length") == 0
    assert window.run("document.title") == "rec – sdt report"
    assert window.complaints() == []


def test_script_that_is_not_the_page_s_is_refused(sdt, rec, window):
    """The policy holds: what gets into the page all the same does not run."""
    shop(rec, 1)
    sdt.path("out.html").write_text(page(sdt).replace(
        "</body>", "<script>document.title = 'owned'</script></body>"))
    window.open(sdt.path("out.html"))
    assert window.run("document.title") == "rec – sdt report"
    assert any("Content Security Policy" in str(each) for each in window.complaints())


def test_no_events(sdt, rec, window):
    trace = Trace(rec)
    trace.define("p", "n")
    trace.write()
    opened(sdt, window)
    assert text(window, "facts").startswith("0 events")
    assert window.complaints() == []


def test_numbers_as_people_read_them(sdt, rec, window):
    """Arguments of every type, exact to the last digit."""
    trace = Trace(rec)
    kind = trace.define("p", "n", "a:int64", "b:uint64", "c:hex64", "d:bool", "e:double",
                        "f:bytes", "g:int8")
    trace.stream().event(1, kind, -2**63, 2**64 - 1, 2**63, 1, 0.1, b"\0\xff", -1)
    trace.write()
    opened(sdt, window)
    window.key(".")
    shown_values = window.run("[...document.querySelectorAll('#details .arguments dd')]"
                              ".map(each => each.textContent)")
    assert shown_values == ["-9223372036854775808", "18446744073709551615", "0x8000000000000000",
                            "true", "0.1", "00ff", "-1"]


def test_slices_across_threads(sdt, rec, window):
    """In as few rows as hold them; a thread that has nothing else has no track."""
    trace = Trace(rec)
    one, other = trace.define("web", "in", "id:uint64"), trace.define("web", "out", "id:uint64")
    for n in range(300):
        trace.stream().event(10 * n, one, n, tid=n % 7)
        if n >= 9:
            trace.stream().event(10 * n + 5, other, n - 9, tid=n % 5)
    trace.write()
    opened(sdt, window, "--pair=web:in web:out match id")
    assert shown(window)["drawn"] == 300
    assert rows(window, "pairs")[0][:3] == ["web:in", "291", "95 ns"]
    assert window.complaints() == []
    window.key(".")
    assert "web:in" in text(window, "details")
    window.run("location.hash = '#find=id=299'")
    window.until("document.getElementById('found').textContent === '1 match'")
    window.key("n")
    assert "no end was recorded" in text(window, "details")


@pytest.mark.slow
def test_a_million_events(sdt, rec, window):
    """A frame's marks are bounded by its pixels."""
    count = shop(rec, 235_300)
    assert count > 1_000_000
    opened(sdt, window)
    assert sdt.path("out.html").stat().st_size / count < 13
    seen = shown(window)
    assert seen["drawn"] == 2 * 235_300 + 58_825 + 1
    assert seen["marks"] < 20 * 1280
    window.run("location.hash = '#find=answer'")
    window.until("document.getElementById('found').textContent.startsWith('1 match') && "
                 "!document.getElementById('found').textContent.includes('%')")
    window.key("n")
    assert "the answer" in text(window, "details")
    assert window.complaints() == []


@pytest.mark.nosan
def test_scripts_have_no_syntax_errors():
    """Whatever node says; the browser only tells of what it runs."""
    node = subprocess.run(["node", "--version"], capture_output=True, check=False) \
        if chromium.shutil.which("node") else None
    if node is None:
        pytest.skip("no node: apt-get install nodejs")
    scripts = sorted((ROOT / "sdt" / "html").glob("*.js"))
    assert len(scripts) > 5
    for script in scripts:
        subprocess.run(["node", "--check", script], check=True)
