# SPDX-License-Identifier: BSD-2-Clause
"""Stock binaries on aarch64, programs with notes of <sys/sdt.h>, unprocessed: in the guest `sdt`
starts them, and Debian's python3, if guest/fetch_packages.sh has fetched it. The rest is in
test_machine_stock.py."""
import json

import pytest

import machine_stock as stock
from conftest import BUILD
from cross import need, targets, tools  # noqa: F401 (targets and tools are fixtures)
from guest import boot
from stapsdt import notes

# The runtime is cross-compiled.
pytestmark = [pytest.mark.nosan, pytest.mark.guest, pytest.mark.aarch64]
PYTHON = BUILD / "guest" / "python-arm64"


@pytest.fixture(autouse=True, scope="module")
def compiler():
    need("aarch64-linux-gnu-gcc")


def ours(targets, tools):
    """`sdt`, and what it preloads, where an installation has them."""
    lib = targets("aarch64") / "lib"
    return {"bin/sdt": tools("aarch64"), "lib/libsdt.so.0": lib / "libsdt.so.0"}


def counts(lines):
    return {f"{row['provider']}:{row['name']}": row["count"]
            for row in map(json.loads, [line for line in lines if line.startswith("{")])}


def test_sdt_starts_a_stock_binary(sdt, targets, tools):
    programs, files = stock.in_guest(sdt, "aarch64")
    commands = [f"/bin/sdt {what} -- /target /{name}" for what, name in (
        ("count --json stock:*", "hits"), ("count --json stock*:*", "churn"),
        ("record -o /rec -e stock:asked", "hits"))]
    commands += ["SDT_ATTACH=0 /bin/sdt run -- /target /churn",
                 "PAGER=cat /bin/sdt report --json /rec"]
    said = boot(sdt, programs, commands, files=files | ours(targets, tools))
    assert {lines[-1] for lines in said.values() if lines} == {"status 0"}
    hits = said[commands[0]]
    assert counts(hits) == {"stock:tick": 3072, "stock:asked": 3072}
    assert "2 yes" in hits and not any("breakpoint" in line for line in hits)
    assert counts(said[commands[1]]) == {"stock:tick": 200, "stock:asked": 200,
                                         "stockplugin:hit": 600}
    events = [json.loads(line) for line in said[commands[4]] if line.startswith("{")]
    assert len(events) == 3072
    assert events[3]["args"]["arg1"] == 1.5 and events[3]["function"] == "tick"


def test_python_of_debian(sdt, targets, tools):
    if not PYTHON.exists():
        pytest.skip("no python3 for the guest: ./run test --target aarch64-linux-gnu fetches it")
    exe = next((PYTHON / "usr" / "bin").glob("python3.*"))
    assert {"line", "gc__start"} <= {note.name for note in notes(exe)}
    triplet = PYTHON / "lib" / "aarch64-linux-gnu"
    files = {str(path.relative_to(PYTHON)): path for path in (PYTHON / "usr" / "lib").rglob("*")
             if path.is_file()}
    files |= {f"lib/aarch64-linux-gnu/{path.name}": path for path in triplet.glob("*.so*")}
    files |= {"lib/ld-linux-aarch64.so.1": triplet / "ld-linux-aarch64.so.1",
              "usr/bin/python3": exe, **ours(targets, tools)}
    script = sdt.write("work.py", "import gc\nfor i in range(40):\n"
                       "    list(map(lambda n: n, range(i)))\n    gc.collect(i % 3)\n")
    command = "/usr/bin/python3 -I -S /work.py"
    ways = [f"/bin/sdt record -o /rec -e python:gc__* -- {command}",
            "PAGER=cat /bin/sdt report --json /rec"]
    said = boot(sdt, [script], ways, files=files)
    events = [json.loads(line) for line in said[ways[1]] if line.startswith("{")]
    starts = [event for event in events if event["name"] == "gc__start"]
    assert len(starts) >= 40 and len(events) == 2 * len(starts)
    generations = [event["args"]["arg0"] for event in starts]
    assert generations.count(1) >= 13 and generations.count(2) >= 13
    assert {*generations} == {0, 1, 2}
