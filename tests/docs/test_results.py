# SPDX-License-Identifier: BSD-2-Clause
"""The benchmarks' numbers: pages say what bench/results has, and each result says where it is from.

SDT_UPDATE_DOCS=1 writes the pages anew, as `bench/pages.py --write` does.
"""
import json
import os
import re
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "bench"))
import harness  # noqa: E402
import pages  # noqa: E402
import quoted  # noqa: E402
import results  # noqa: E402
import run  # noqa: E402

pytestmark = pytest.mark.nosan  # runs no tool

XRAY = "XRay, entry sled: handler that counts, 1 thread"
FILES = sorted(results.DIRECTORY.glob("*/*.json"))
# Pages in which nanoseconds and microseconds are measured ones, not settings.
MEASURED = ("README.md", "docs/design.md", "docs/benchmarks.md", "docs/launcher.md",
            "docs/live-programs.md")
TIME = re.compile(r"\d(<!--\S+-->)? ?(ns|µs|ms)\b")
SOURCE = re.compile(r"<!--|\[[MB]\]|EPYC|Xeon|callgrind|\b20\d\d-\d\d-\d\d\b|\]\(docs/design")


def names(path):
    return f"{path.parent.name}/{path.stem}"


@pytest.fixture
def other_results(tmp_path, monkeypatch):
    """Results that a test may change: ask(machine, area, what, field, value)."""
    for path in FILES:
        copy = tmp_path / path.parent.name / path.name
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(path.read_bytes())

    def change(machine, area, what, field, value):
        path = tmp_path / machine / f"{area}.json"
        file = json.loads(path.read_text("utf-8"))
        [row] = [row for row in file["rows"] if row["what"] == what]
        row[field] = value
        results.save(path, file["source"], file["machine"], file["rows"])
        results.read.cache_clear()

    monkeypatch.setattr(results, "DIRECTORY", tmp_path)
    results.read.cache_clear()
    yield change
    results.read.cache_clear()


def test_the_pages_have_the_numbers_of_the_results():
    if os.environ.get("SDT_UPDATE_DOCS"):
        pages.update()
    differ = [str(path.relative_to(ROOT)) for path, text in pages.contents().items()
              if path.read_text("utf-8") != text]
    assert not differ, "bench/pages.py --write"


def test_another_result_is_another_table_number_and_picture(other_results):
    before = pages.contents()
    other_results(quoted.MAIN, "hit", XRAY, "value", 7.77)
    changed = {path.name for path, text in pages.contents().items() if text != before[path]}
    assert {"README.md", "benchmarks.md", "benchmarks-peers.md", "hits.svg", "peers.svg"} <= changed
    assert "| 7.77 ns |" in pages.contents()[ROOT / "docs" / "benchmarks-peers.md"]


def test_what_was_skipped_is_a_dash(other_results):
    other_results(quoted.MAIN, "record", "LTTng-UST: 1 integer, 1 thread", "least", None)
    page = pages.contents()[ROOT / "docs" / "benchmarks.md"]
    assert re.search(r"^\| 1 integer \| [\d.]+ \| [\d.]+ \| – \| [\d.]+ \|", page, re.M)


def test_a_number_without_result_is_an_error(other_results):
    other_results(quoted.MAIN, "hit", XRAY, "value", None)
    for text in ("9.5<!--xray-->", "1<!--nobody-knows-it-->"):
        with pytest.raises(SystemExit, match="no result for xray|no number is called"):
            quoted.fill(text)


@pytest.mark.parametrize("order, expected", [
    ("uprobe@amd-zen4", "758"), ("uprobe@intel-xeon", "540"), ("xray@amd-zen4", "12.2"),
    ("xray.least@amd-zen4", "11.9"), ("trap@amd-zen4/1000", "3.0"),
    ("trap@amd-zen4/1000:2", "3.05"), ("float-call/float-none:1", "2.5"),
    ("integer-inline@amd-zen4:2", "1.10")])
def test_quoted_numbers(order, expected):
    assert quoted.fill(f"x 0<!--{order}--> y") == f"x {expected}<!--{order}--> y"


@pytest.mark.parametrize("path", FILES, ids=names)
def test_each_result_says_where_it_is_from(path):
    file = json.loads(path.read_text("utf-8"))
    machine = file["machine"]
    assert path.stem in run.AREAS
    assert re.match(r"written by \./run bench|transcribed from (docs/\S+|what \./run bench)",
                    file["source"])
    assert "--quick" not in file["source"], "such a run is good for trying the benchmark only"
    assert machine["cpu"] and machine["cpus"] and machine["compilers"]["gcc"]
    assert re.fullmatch(r"\d+\.\d+", machine["kernel"]), "the rest of it names the host"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", machine["date"])
    assert machine.get("commit") or file["source"].startswith("transcribed")
    rows = [(row.get("area"), row["what"]) for row in file["rows"] if row["what"] != "skipped"]
    assert rows and len(set(rows)) == len(rows)


def test_a_run_is_saved_with_its_machine(tmp_path):
    bench = harness.Bench(tmp_path, tmp_path, True)
    bench.record("hit", "a row", 1.50000001, "ns", "<= 3", least=1.25)
    bench.skip("hit", "no peer")
    run._save(tmp_path / "deep" / "hit.json", ["hit"], True, bench.rows, [0.5, 1.5])
    file = json.loads((tmp_path / "deep" / "hit.json").read_text("utf-8"))
    assert file["source"] == "written by ./run bench hit --quick"
    assert file["rows"][0] == {"area": "hit", "what": "a row", "value": 1.5, "unit": "ns",
                               "goal": "<= 3", "least": 1.25}
    assert file["rows"][1] == {"area": "hit", "what": "skipped", "note": "no peer"}
    assert file["machine"]["load"] == [0.5, 1.5]
    assert re.fullmatch(r"\d+\.\d+", file["machine"]["kernel"])
    assert file["machine"]["compilers"]["gcc"][0].isdigit()


def test_progress_comes_at_once_and_then_now_and_then(tmp_path, capsys, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(harness.time, "monotonic", lambda: now[0])
    bench = harness.Bench(tmp_path, tmp_path, True)
    for i in range(30):
        bench.progress(i, 30, "XRay")
        now[0] += 1
    bench.record("hit", "a row", 2, "ns")
    assert capsys.readouterr().err.splitlines() == [
        "bench:   [1/30] XRay", "bench:   [11/30] XRay", "bench:   [21/30] XRay",
        "bench:   a row: 2 ns"]


@pytest.mark.parametrize("name", MEASURED)
def test_numbers_in_prose_name_their_source(name):
    """Each paragraph, item or row with a time; a table that is not printed may say it above."""
    text = re.sub(r"```.*?```", "", (ROOT / name).read_text("utf-8"), flags=re.S)
    text = pages.BLOCK.sub("", text)
    found = 0
    for section in re.split(r"^(?=#)", text, flags=re.M):
        above = bool(re.search(r"Times are \[M\]|runs of the same day", section))
        for part in re.split(r"\n\n|\n(?=[|]|- )", section):
            if TIME.search(part) and not re.search(r"`\d+ns`|> \d+ms", part):
                found += 1
                assert above or SOURCE.search(part), f"no source: {part}"
    assert found > 2


def test_every_time_of_the_comparison_is_printed():
    readme = (ROOT / "README.md").read_text("utf-8")
    [comparison] = re.findall(r"^## Comparison\n(.*?)^## ", readme, re.M | re.S)
    rows = [line for line in comparison.splitlines() if line.startswith("|")]
    times = [match for row in rows for match in TIME.finditer(row)]
    assert len(times) >= 7 and all(match[1] for match in times)
