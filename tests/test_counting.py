# SPDX-License-Identifier: BSD-2-Clause
"""Counting, by each CPU for itself and in the probe: exact, whoever comes in between."""
import re

import pytest

import rt
from conftest import CFLAGS

EXPORTS = ["-Wl,--export-dynamic-symbol=__sdt_register",
           "-Wl,--export-dynamic-symbol=__sdt_unregister"]
# Who counts, and what makes it so.
WAYS = {"cpu": {}, "probe": {"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}}
each_way = pytest.mark.parametrize("way", WAYS)


def check(sdt, exe, *args, way, env=None):
    """Exact, and counted where it should be."""
    output = rt.passes(sdt, exe, *args, env={**rt.JUMP, **WAYS.get(way, {}), **(env or {})})
    counted = re.search(r"^counted by (\w+)$", output, re.M)[1]
    if way != "probe" and counted == "probe":
        pytest.skip("the C library registers no threads for rseq(2) here")
    assert counted == way


@rt.each_kind
@each_way
@pytest.mark.parametrize("part", ["storm", "fork", "again", "both"])
def test_exact(sdt, part, way, kind):
    check(sdt, rt.program(sdt, "rt_counting.c", kind=kind), part, "all", way=way)


def test_exact_in_threads_that_are_not_registered(sdt):
    check(sdt, rt.program(sdt, "rt_counting.c"), "storm", "main", way="both")


def test_exact_where_the_kernel_refuses(sdt):
    check(sdt, rt.program(sdt, "rt_counting.c"), "storm", "none", way="probe")


def test_exact_by_breakpoints(sdt):
    """The way there is another, and much longer."""
    check(sdt, rt.program(sdt, "rt_counting.c"), "again", "all", way="cpu", env=rt.TRAP)


@pytest.mark.parametrize("runtime, flags", [("shared", []), ("static", ["-static"]),
                                            ("static", ["-static-pie"])])
def test_exact_in_a_program_of_another_make(sdt, runtime, flags):
    exe = rt.program(sdt, "rt_counting.c", runtime=runtime, ldflags=flags)
    check(sdt, exe, "storm", "all", way="cpu")


@rt.each_kind
def test_hits_that_a_signal_interrupts(sdt, kind):
    """Until some were: those are in the probe's own word, and no hit is lost or counted twice."""
    check(sdt, rt.program(sdt, "rt_counting.c", kind=kind), "signals", "all", way="cpu")


@rt.each_kind
@each_way
@pytest.mark.nosan
def test_hits_that_a_debugger_steps_through(sdt, way, kind):
    """Each step interrupts; a piece of code that began again and again would never end."""
    check(sdt, rt.program(sdt, "rt_stepped.c", kind=kind), way=way)


@each_way
def test_libraries_come_and_go(sdt, way):
    exe = rt.program(sdt, "rt_counting.c", ldflags=EXPORTS)
    output = rt.passes(sdt, exe, "library", "all", rt.library(sdt, "plugin.so"),
                       env={**rt.JUMP, **WAYS[way]})
    assert output == "ok\n"
