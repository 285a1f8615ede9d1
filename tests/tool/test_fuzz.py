# SPDX-License-Identifier: BSD-2-Clause
"""What fuzzing has found stays found: each input of tests/fuzz/regressions through the commands.

The fuzz targets also run them, at the start of every run (`./run fuzz`, and a minute of it in
`./run test`); here they meet the real program.
"""

import pytest

import dryrun
import patience
from conftest import ROOT

FILES = sorted(path for path in (ROOT / "tests" / "fuzz" / "regressions").glob("*/*")
               if path.parent.name not in ("names", "words", "recording", "expression",
                                             "describe"))
COMMANDS = [["-q", "-o", "out.o"], ["-q", "--companion", "-o", "out.o"], ["--dry-run", "--json"],
            ["list"], ["list", "--json"], ["list", "--check", "--json"], ["verify"]]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_finding_stays_fixed(sdt, path):
    for command in COMMANDS:
        result = patience.run([sdt.tool, *command, path], cwd=sdt.dir, capture_output=True,
                              text=True, errors="replace")
        assert result.returncode in (0, 1), (command, result.stderr)
        assert result.returncode == 0 or result.stderr or result.stdout, command
        assert "this is a bug" not in result.stderr, command
        if command[0] == "-q":
            dryrun.compare(sdt.tool, [*command, path], result.returncode, result.stderr)
        written = list(sdt.dir.iterdir())
        assert [file.name for file in written] == (
            ["out.o"] if "-o" in command and result.returncode == 0 else []), command
        if written and "--companion" not in command:
            output = written[0].read_bytes()
            sdt.sdtlink("-q", "-o", "out.o", "out.o")
            assert written[0].read_bytes() == output, "processing twice changed something"
        for file in written:
            file.unlink()


def test_there_are_findings():
    assert len(FILES) >= 5
