# SPDX-License-Identifier: BSD-2-Clause
"""Where threads are not registered for rseq(2), rings are theirs, and no number of a ring is shown
as that of a CPU."""
import json

import pytest

import attached
import recorded
from attached import ask, json_lines
from recorded import NO_RSEQ
from report_page import read
from test_sdt_export import chrome, perfetto
from test_sdt_html import opened, page, text, window  # noqa: F401  (window is a fixture)


@pytest.fixture(name="exe")
def fixture_exe(sdt):
    return attached.build(sdt, "live_slow.c", "slow")


@pytest.fixture(name="rec")
def fixture_rec(sdt, exe):
    ask(sdt, "record", "-o", "rec", "-e", "slow:begin", "--", exe, 20, env=NO_RSEQ, status=5)


def test_the_trace_says_whose_rings_they_are(sdt, rec):
    events, _, _ = recorded.read(sdt)
    assert [(event.cpu, event.fields["i"]) for event in events] == [(None, i) for i in range(20)]
    shown = sdt.command("babeltrace2", "rec").stdout
    assert shown.count("{ ring_id = 0 }") == 20 and "cpu_id" not in shown


def test_a_report_has_no_cpu(sdt, rec):
    lines = ask(sdt, "report", "rec").stdout.splitlines()
    assert len(lines) == 21 and all(line.split()[2] == "-" for line in lines[1:])
    events = json_lines(ask(sdt, "report", "--json", "rec").stdout)
    assert {event["cpu"] for event in events} == {None}
    rows = ask(sdt, "report", "--csv", "rec").stdout.splitlines()
    assert {row.split(",")[1] for row in rows} == {"cpu", ""}
    for condition, count in ("cpu < 100", 0), ("cpu >= 100", 0), ("!(cpu < 100) && i < 3", 3):
        shown = ask(sdt, "report", "--json", "--filter", condition, "rec").stdout
        assert len(json_lines(shown)) == count, condition


def test_what_is_exported_has_no_cpus(sdt, rec):
    _, names = chrome(sdt, "--cpus")
    assert "CPUs" not in names.values() and len(names) == 2
    events, _ = perfetto(sdt, "--cpus")
    assert sorted(event[0] for event in events) == ["counter"] * 20 + ["instant"] * 20
    _, events = read(page(sdt))
    assert {event[4] for event in events} == {0xFFFFFFFF} and len(events) == 20


def drawn(window):  # noqa: F811
    """All words of the timeline, as its next frames show them."""
    window.run("""globalThis.words = new Set();
        const put = CanvasRenderingContext2D.prototype.fillText;
        CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
            words.add(text);
            return put.call(this, text, ...place);
        }""")
    window.key("+")
    window.frame()
    return " ".join(window.run("[...words]")).split()


@pytest.mark.parametrize("env", [NO_RSEQ, {}], ids=["no-rseq", "rseq"])
def test_the_page_shows_no_cpu(sdt, exe, window, env):  # noqa: F811
    ask(sdt, "record", "-o", "rec", "-e", "slow:begin", "--", exe, 20, env=env, status=5)
    opened(sdt, window)
    window.key(".")
    shown = text(window, "details")
    assert "slow:begin" in shown and "thread" in shown
    assert ("CPU" in shown, "CPUs" in drawn(window)) == (not env, not env)
    assert window.run("document.body.dataset.events") == "20"


def test_the_process_knows_it(sdt, exe):
    """A condition is about the CPU of the hit; the text cannot be."""
    result = ask(sdt, "trace", "slow:begin /cpu < 100000 && i < 3/", "{i} {cpu}", "--", exe, 20,
                 env=NO_RSEQ, status=5)
    assert result.stdout == "0 ?\n1 ?\n2 ?\n"
    result = ask(sdt, "trace", "--json", "slow:begin /i < 3/", "--", exe, 20, env=NO_RSEQ, status=5)
    assert [json.loads(line)["cpu"] for line in result.stdout.splitlines()] == [None] * 3
