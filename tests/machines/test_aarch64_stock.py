# SPDX-License-Identifier: BSD-2-Clause
"""Stock binaries on aarch64: programs with notes of <sys/sdt.h>, unprocessed. qemu in
user mode runs them with the library preloaded; in the guest `sdt` starts them, and Debian's
python3, if guest/fetch_packages.sh has fetched it."""
import functools
import json
import pathlib
import re

import pytest

import stock
from conftest import BUILD
from cross import need, targets, tools  # noqa: F401 (targets and tools are fixtures)
from guest import boot
from stapsdt import notes

pytestmark = [pytest.mark.nosan, pytest.mark.aarch64]  # the runtime is cross-compiled

GCC = "aarch64-linux-gnu-gcc"
SYSROOT = pathlib.Path("/usr/aarch64-linux-gnu/lib")
PYTHON = BUILD / "guest" / "python-arm64"


@pytest.fixture(autouse=True, scope="module")
def compiler():
    need(GCC)


built, target, run = (functools.partial(function, machine="aarch64")
                      for function in (stock.built, stock.target, stock.run))


# ---- qemu in user mode ----

CALLS = r"""
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned calls(void) /* in the loader's code, of its function for debuggers */
{
    unsigned n = 0;
    for (unsigned i = 0; i < CODE_SIZE / 4; i++) {
        unsigned word = ((unsigned *)(_r_debug.r_ldbase + CODE))[i];
        long to = _r_debug.r_ldbase + CODE + 4 * i + ((long)((unsigned long)word << 38) >> 36);
        n += (word & 0x7c000000) == 0x14000000 && to == (long)_r_debug.r_brk;
    }
    return n;
}
int main(void)
{
    printf("%u %08x\n", calls(), *(unsigned *)_r_debug.r_brk);
    return 0;
}
"""


@pytest.mark.parametrize("match", ["*", "none:*"])
def test_which_words_of_the_loader_change(sdt, targets, match):
    """All calls that objdump sees are led elsewhere, once a probe is enabled; the function itself
    stays what it is: a return, or, in Debian 13, a landing pad before it."""
    loader = SYSROOT / "ld-linux-aarch64.so.1"
    place = int(re.search(r"(\w+) T _dl_debug_state", sdt.run("aarch64-linux-gnu-nm", "-D", loader))
                [1], 16)
    code = sdt.run("aarch64-linux-gnu-objdump", "-d", loader)
    calls = re.findall(rf"\tbl?\t{place:x} <", code)
    begin = re.search(rf"^ *{place:x}:\t(\w+) ", code, re.M)[1]
    text = re.search(r"\.text +PROGBITS +(\w+) \w+ (\w+)",
                     sdt.run("readelf", "-SW", loader)).groups()
    source = sdt.write("calls.c", CALLS)
    exe = built(sdt, "calls", source, f"-DCODE=0x{text[0]}", f"-DCODE_SIZE=0x{text[1]}")
    assert sdt.command("qemu-aarch64", "-L", SYSROOT.parent, exe).stdout == \
        f"{len(calls)} {begin}\n"
    assert run(sdt, targets, exe, match)[0] == [f"0 {begin}"]


# ---- a kernel ----

def libraries(folder):
    return {f"lib/{name}": folder / name for name in ("ld-linux-aarch64.so.1", "libc.so.6")}


def ours(targets, tools):
    """`sdt`, and what it preloads, where an installation has them."""
    lib = targets("aarch64") / "lib"
    return {"bin/sdt": tools("aarch64"), "lib/libsdt.so.0": lib / "libsdt.so.0"}


def counts(lines):
    return {f"{row['provider']}:{row['name']}": row["count"]
            for row in map(json.loads, [line for line in lines if line.startswith("{")])}


@pytest.mark.guest
def test_sdt_starts_a_stock_binary(sdt, targets, tools):
    orders = {"hits": "hit 50\nthreads 3 1000\nblocked 20\nhandler\nown\nquit\n",
              "churn": "churn /plugin.so 3 200\nthreads 2 100\nquit\n"}
    for name, text in orders.items():
        sdt.path(name).write_text(text)
    files = {**libraries(SYSROOT), **ours(targets, tools)}
    commands = [f"/bin/sdt {what} -- /target /{name}" for what, name in (
        ("count --json stock:*", "hits"), ("count --json stock*:*", "churn"),
        ("record -o /rec -e stock:asked", "hits"))]
    commands += ["SDT_ATTACH=0 /bin/sdt run -- /target /churn",
                 "PAGER=cat /bin/sdt report --json /rec"]
    said = boot(sdt, [target(sdt), sdt.path("plugin.so"), *map(sdt.path, orders)], commands,
                files=files)
    assert {lines[-1] for lines in said.values() if lines} == {"status 0"}
    hits = said[commands[0]]
    assert counts(hits) == {"stock:tick": 3072, "stock:asked": 3072}
    assert "2 yes" in hits and not any("breakpoint" in line for line in hits)
    assert counts(said[commands[1]]) == {"stock:tick": 200, "stock:asked": 200,
                                         "stockplugin:hit": 600}
    events = [json.loads(line) for line in said[commands[4]] if line.startswith("{")]
    assert len(events) == 3072
    assert events[3]["args"]["arg1"] == 1.5 and events[3]["function"] == "tick"


@pytest.mark.guest
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
