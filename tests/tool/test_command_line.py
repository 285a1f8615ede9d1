# SPDX-License-Identifier: BSD-2-Clause
"""The command line of `sdtlink -o OUT IN`: what it prints, what it refuses, its exit statuses."""
import json
import os
import re
import subprocess

import pytest

from conftest import ROOT
from test_rewrite import FORMS


def test_dry_run_prints_the_plan_and_writes_nothing(sdt):
    raw = sdt.compile(sdt.write("forms.c", FORMS))
    before = sorted(p.name for p in sdt.dir.iterdir())
    text = sdt.sdtlink("--dry-run", raw).stdout
    assert "app::work:work call [e8 00 00 00 00] -> [90 66 0f 1f c0]" in text
    plan = json.loads(sdt.sdtlink("--dry-run", "--json", raw).stdout)
    assert len(plan) == len(text.splitlines()) == 6
    assert {"provider", "name", "function", "section", "offset", "kind", "args"} <= plan[0].keys()
    assert sorted(p.name for p in sdt.dir.iterdir()) == before


def test_no_probes_is_a_copy(sdt):
    raw = sdt.compile(sdt.write("plain.c", "int main(void) { return 0; }"))
    result = sdt.sdtlink("-o", sdt.path("out.o"), raw)
    assert "no probe" in result.stdout and sdt.path("out.o").read_bytes() == raw.read_bytes()
    assert sdt.sdtlink("-q", "-o", sdt.path("out.o"), raw).stdout == ""
    sdt.sdtlink("--require-probes", "-o", sdt.path("out.o"), raw, status=3)
    assert sdt.path("out.o").read_bytes() == raw.read_bytes()


def test_twice_is_said_and_has_probes(sdt):
    """A rule of make that runs again must not fail for want of probes."""
    once = sdt.process(sdt.compile(sdt.write("forms.c", FORMS)))
    result = sdt.sdtlink("--require-probes", "-o", sdt.path("twice.o"), once)
    assert "processed before" in result.stdout
    assert sdt.path("twice.o").read_bytes() == once.read_bytes()


def test_summary_quiet_verbose(sdt):
    raw = sdt.compile(sdt.write("forms.c", FORMS))
    out = sdt.path("out.o")
    assert sdt.sdtlink("-o", out, raw).stdout == f"{raw}: 3 probes, 6 sites -> {out}\n"
    quiet = sdt.sdtlink("-q", "-o", out, raw)
    assert quiet.stdout == quiet.stderr == ""
    assert "symbols" in sdt.sdtlink("-v", "-o", out, raw).stderr


def test_help_and_version(sdt):
    assert sdt.sdtlink("--help").stdout.startswith("Usage: sdtlink")
    assert re.fullmatch(r"sdtlink \d+\.\d+\.\d+\n", sdt.sdtlink("--version").stdout)
    # A full disk must not look like success.
    with open("/dev/full", "w", encoding="ascii") as full:
        result = subprocess.run([str(sdt.tool), "--help"], stdout=full, stderr=subprocess.PIPE,
                                check=False)
    assert result.returncode == 1 and b"standard output" in result.stderr


@pytest.mark.parametrize("args, words", [
    (["x.o"], "sdtlink -o OUT x.o"),
    ([], "no input file"),
    (["-o", "out.o"], "no input file"),
    (["-o", "out.o", ""], "no input file"),
    (["-o", "", "x.o"], "use -o OUT"),
    (["-o", "out.o", "a.o", "b.o"], "ld -r"),
    (["--dry-run"], "no input file"),
    (["--companion", "x.o"], "use -o OUT"),
    (["--nonsense"], "unrecognized option"),
    (["--json", "-o", "y", "x.o"], "--dry-run"),
], ids=" ".join)
def test_wrong_command_lines(sdt, args, words):
    result = sdt.sdtlink(*args, status=2)
    assert words in result.stderr and result.stdout == ""


def test_no_colour_without_a_terminal(sdt):
    assert "\033" not in sdt.sdtlink("-o", "x", "missing.o", status=1).stderr


@pytest.mark.parametrize("suffix, options", [("plan", []), ("json.plan", ["--json"])])
def test_golden_plan(sdt, suffix, options):
    """The plan of a fixed object, to the letter. After a wanted change: SDT_GOLDEN=write."""
    obj = sdt.compile(ROOT / "tests" / "asm" / "rewrite_forms.S", "-g0")
    plan = sdt.sdtlink("--dry-run", *options, obj).stdout
    golden = ROOT / "tests" / "golden" / f"rewrite_forms.{suffix}"
    if os.environ.get("SDT_GOLDEN") == "write":
        golden.write_text(plan)
    assert plan == golden.read_text()
