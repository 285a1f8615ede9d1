# SPDX-License-Identifier: BSD-2-Clause
"""A short run of the fuzzer; `./run fuzz` runs it for as long as one likes."""
import re
import sys

from conftest import ROOT, TOOL_BUILD


def test_damaged_objects_are_refused_or_processed(sdt):
    result = sdt.command(
        sys.executable, ROOT / "tests" / "fuzz" / "damage.py",
        "--count", "300", "--seconds", "100", "--keep", sdt.path("findings"),
        env={"SDT_BUILD": str(TOOL_BUILD)}, timeout=200,
    )
    [rounds, findings] = re.findall(r"\d+", result.stdout.splitlines()[-1])
    assert int(rounds) > 50 and findings == "0"
