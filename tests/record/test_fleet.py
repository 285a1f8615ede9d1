# SPDX-License-Identifier: BSD-2-Clause
"""docs/fleet.md: its program, its commands and its queries, on three hosts."""
import json
import os
import re
import sqlite3

import parquet
import pytest

from conftest import ROOT
from installed import prefix  # noqa: F401  (a fixture)
from test_docs import FENCE, installed  # noqa: F401  (a fixture)
from test_export_parquet import DUCKDB, node

pytestmark = [pytest.mark.nosan,
              pytest.mark.skipif(os.geteuid() != 0, reason="unshare --uts needs root")]
BLOCKS = FENCE.findall((ROOT / "docs" / "fleet.md").read_text())
# Of each host and path: how many, and how long one takes at least.
EXPECTED = {(host, path): (30, 1e6) if path == "/index.html" else (10, 20e6 if host == "web3" else
                                                                   2e6)
            for host in ("web1", "web2", "web3") for path in ("/index.html", "/search")}


def queries(name):
    return [body.strip() for language, file, body in re.findall(
        r"^```(\w+) (\S+)\n(.*?)^```$", (ROOT / "docs" / "fleet.md").read_text(), re.M | re.S)
        if (language, file) == ("sql", name)]


@pytest.fixture
def fleet(sdt, installed):  # noqa: F811
    """All that the page does in a shell."""
    for language, name, body in BLOCKS:
        if language == "c":
            sdt.write(name, body)
        elif language == "sh":
            sdt.command("bash", "-ec", body, env=installed)
    return sdt


def test_sqlite_has_three_hosts(fleet):
    database = sqlite3.connect(fleet.path("fleet.db"))
    by_path, by_pair = [list(database.execute(query)) for query in queries("fleet.db")]
    database.close()
    assert len(by_path) == len(EXPECTED)
    for host, path, requests, least, most in by_path:
        count, time = EXPECTED[host, path]
        assert requests == count and time / 1e6 <= least <= most
    assert [row[:3] for row in by_pair] == [
        (host, "web:request-begin to request-end", 40) for host in ("web1", "web2", "web3")]


def test_duckdb_has_three_hosts(fleet):
    by_path, slowest, stacks = node(fleet, DUCKDB % json.dumps(queries("duckdb")),
                                    "@duckdb/node-api")
    assert len(by_path) == len(EXPECTED)
    for host, path, requests, p99 in by_path:
        count, time = EXPECTED[host, path]
        assert int(requests) == count and p99 >= time / 1e6
    assert len(slowest) == 5 and all(size % 100 == 0 for _, size, _ in slowest)
    assert stacks and all(stack.split(";")[-1] in ("serve", "main") for stack, _ in stacks)


def test_parquet_is_partitioned(fleet):
    """Without DuckDB: the same rows, by our own reader."""
    found = {}
    for file in fleet.path("all").glob("*/*/web.request-end.parquet"):
        assert re.fullmatch(r"day=2026-11-29/host=web[123]", str(
            file.parent.relative_to(fleet.path("all"))))
        for row in parquet.File(file).rows:
            found.setdefault((row["host"], row["path"]), []).append(row["duration"])
    assert {key: len(times) for key, times in found.items()} == {
        key: count for key, (count, _) in EXPECTED.items()}
    assert all(min(times) >= EXPECTED[key][1] for key, times in found.items())
