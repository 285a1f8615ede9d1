# SPDX-License-Identifier: BSD-2-Clause
"""The runtime and the process around it: libraries, other copies, permissions, environment."""
import os
import signal

import pytest

import fixture
from conftest import CFLAGS


def test_libraries_that_come_and_go(sdt):
    """A program with libsdt.a has to export the two functions that the libraries look for."""
    exe = fixture.program(sdt, "runtime_dlopen.c",
                     ldflags=["-Wl,--export-dynamic-symbol=__sdt_register",
                              "-Wl,--export-dynamic-symbol=__sdt_unregister"])
    fixture.passes(sdt, exe, fixture.library(sdt, "plugin_one.so"),
                   fixture.library(sdt, "plugin_two.so"))


def test_libraries_that_come_and_go_with_the_shared_runtime(sdt):
    exe = fixture.program(sdt, "runtime_dlopen.c", runtime="shared")
    fixture.passes(sdt, exe, fixture.library(sdt, "plugin_one.so", runtime="shared"),
              fixture.library(sdt, "plugin_two.so", runtime="shared"))


def storm(sdt, mode, kind, *parts):
    exe = fixture.program(sdt, "runtime_storm.c", kind=kind,
                     ldflags=["-Wl,--export-dynamic-symbol=__sdt_register",
                              "-Wl,--export-dynamic-symbol=__sdt_unregister"])
    fixture.passes(sdt, exe, fixture.library(sdt, "plugin.so", kind=kind), mode, *parts)


@pytest.mark.parametrize("mode", ["auto", "jump", "trap"])
def test_everything_at_once(sdt, mode):
    """Toggling, running, loading, forking, and timer signals that run sites wherever they hit."""
    storm(sdt, mode, "call")


@fixture.each_kind
@pytest.mark.parametrize("mode", ["jump", "trap"])
@pytest.mark.parametrize("part", ["fork", "vfork", "load", "signals"])
def test_overlapping_subscriptions_toggled_by_several_threads_during(sdt, part, mode, kind):
    storm(sdt, mode, kind, part)


@pytest.mark.nosan  # AddressSanitizer does not expect that a thread is killed
@pytest.mark.parametrize("way", ["thread", "main", "visitor"])
def test_a_thread_that_dies_inside_the_library(sdt, way):
    """No call waits for its lock: not sdt_enable(), fork(), dlclose() or exit(), in any thread."""
    exe = fixture.program(sdt, "runtime_lost_owner.c",
                     ldflags=["-Wl,--export-dynamic-symbol=__sdt_register",
                              "-Wl,--export-dynamic-symbol=__sdt_unregister"])
    result = sdt.command(exe, way, fixture.library(sdt, "plugin.so"), status=None)
    if result.returncode == 77:
        pytest.skip("this system has no seccomp filters")
    assert (result.returncode, result.stdout, result.stderr) == (0, "ok\n", ""), result


# Which ways of writing are forbidden, and what sdt_enable must say then.
DENIALS = {
    "dumpable": "enabled",              # mprotect still works
    "noproc": "enabled",
    "mdwe": "enabled",                  # /proc/self/mem still works
    "nomprotect": "enabled",
    "noproc nomprotect": "13",          # EACCES
    "dumpable mdwe": "13",
    "noproc mdwe": "13",
    "nopwrite": "enabled",
    "nopwrite nomprotect": "13",
    "nopwrite mdwe": "13",
    "later-nopwrite": "enabled",
    "nofile": "enabled",
    "nofile nomprotect": "13",
    "noroot": "enabled",
    "nomembarrier": "enabled",
    "later-nomembarrier": "enabled",
    "later-nofile": "enabled",
    "later-noproc later-nomprotect": "stays enabled",  # no handler takes its trap
}


@pytest.mark.parametrize("ways", DENIALS)
@pytest.mark.parametrize("kind", ["call", "inline"])
@fixture.each_mode
def test_writing_text_where_the_system_forbids_it(sdt, ways, mode, kind):
    if ("dumpable" in ways or "noroot" in ways) and os.geteuid() != 0:
        pytest.skip("needs root to become another, undumpable user")
    exe = fixture.program(sdt, "runtime_denied.c", kind=kind)
    result = sdt.command(exe, *ways.split(), status=None, env=mode)
    if result.returncode == 77:
        pytest.skip(f"this system cannot do {ways}: {result.stderr}")
    assert (result.returncode, result.stdout) == (0, DENIALS[ways] + "\n"), result


@pytest.mark.parametrize("ways, expected", [("killwx", "enabled"), ("noproc killwx", "13"),
                                            ("nopwrite killwx", "13"), ("mdwe", "enabled"),
                                            ("later-nopwrite later-killwx", "stays enabled")])
@pytest.mark.parametrize("kind", ["call", "inline"])
@fixture.each_mode
def test_locked_text_is_never_writable_and_executable(sdt, ways, expected, mode, kind):
    """The kernel ends a program that tries; without SDT_LOCK_TEXT, it would be tried."""
    exe = fixture.program(sdt, "runtime_denied.c", kind=kind)
    env = {**mode, "SDT_LOCK_TEXT": "1", "SDT_UNLOCK_TEXT": "1"}
    result = sdt.command(exe, *ways.split(), status=None, env=env)
    if result.returncode == 77:
        pytest.skip(f"this system cannot do {ways}: {result.stderr}")
    assert (result.returncode, result.stdout) == (0, expected + "\n"), result
    if expected != "enabled":
        result = sdt.command(exe, *ways.split(), status=None, env={**mode, "SDT_LOCK_TEXT": "0"})
        assert result.returncode == -signal.SIGSYS, result


# What is forbidden while sites are toggled in every mode and a thread reads the mappings.
RESTRICTIONS = ["", "nomemfd", "nommap", "little", "mdwe", "nommap mdwe", "blocked"]


@fixture.each_kind
@pytest.mark.parametrize("ways", RESTRICTIONS)
def test_no_page_is_ever_writable_and_executable(sdt, ways, kind):
    """And what cannot be done there is refused by the documented error, all sites being off."""
    if "little" in ways and any("address" in flag for flag in CFLAGS):
        pytest.skip("AddressSanitizer reserves terabytes of address space")
    exe = fixture.program(sdt, "runtime_restricted.c", kind=kind)
    result = sdt.command(exe, *ways.split(), status=None)
    if result.returncode == 77:
        pytest.skip(f"this system cannot do {ways}")
    assert (result.returncode, result.stdout, result.stderr) == (0, "ok\n", "")


def test_grace_periods_without_membarrier(sdt):
    exe = fixture.program(sdt, "runtime_threads.c", "-fsanitize=address,undefined")
    denied = fixture.program(sdt, "runtime_denied.c", name="denied")
    fixture.passes(sdt, denied, "nomembarrier", "--", exe, "load")


def test_environment_enables_counting(sdt):
    exe = fixture.program(sdt, "runtime_environment.c")
    assert sdt.run(exe) == "call 0 dash 0\nenable 0\n"
    env = {"SDT_ENABLE": "fixture:call,fixture:tail=count;other=count", "SDT_DEBUG": "1"}
    result = sdt.command(exe, env=env)
    assert result.stdout == "call 2 dash 1\nenable 0\n"
    assert [line.split(": ", 2)[2] for line in result.stderr.splitlines()] == [
        "2 in force", "fixture:call,fixture:tail: 3 armed of 3 that match",
        "other: 1 armed of 1 that match"]


def test_environment_reports_a_bad_entry_and_honours_the_others(sdt):
    exe = fixture.program(sdt, "runtime_environment.c", runtime="shared")
    env = {"SDT_ENABLE": "other=count;fixture=print;a:b:c=count", "SDT_DEBUG": "1"}
    result = sdt.command(exe, env=env)
    assert result.stdout == "call 0 dash 1\nenable 0\n"
    assert "1 in force, first error" in result.stderr
    result = sdt.command(exe, env={"SDT_ENABLE": "other=count;fixture=print"})
    assert result.stderr == ""


def test_kill_switch(sdt):
    exe = fixture.program(sdt, "runtime_environment.c")
    env = {"SDT_ENABLE": "fixture=count", "SDT_DISABLE_RUNTIME": "1"}
    assert sdt.run(exe, env=env) == "call 0 dash 0\nenable -1\n"
    env["SDT_DISABLE_RUNTIME"] = "0"
    assert sdt.run(exe, env=env) == "call 2 dash 0\nenable 0\n"


def test_environment_is_ignored_in_set_user_id_programs(sdt):
    if os.geteuid() != 0:
        pytest.skip("needs root to make a set-user-ID program")
    exe = fixture.program(sdt, "runtime_environment.c")
    for path in (exe.parent, *exe.parent.parents):
        if path.stat().st_mode & 0o005 != 0o005 and path != path.parent:
            path.chmod(path.stat().st_mode | 0o005)
    os.chown(exe, 0, 0)
    os.chmod(exe, 0o4755)
    env = {"SDT_ENABLE": "fixture=count", "SDT_DISABLE_RUNTIME": "1", "SDT_DEBUG": "1"}
    result = sdt.command(exe, env=env, user=65534, group=65534, extra_groups=[])
    assert (result.stdout, result.stderr) == ("call 0 dash 0\nenable 0\n", "")


# Who holds which copy of the runtime. "hidden" is a plug-in with a static copy of its own.
COPIES = {
    "static program, library with libsdt.so": ("static", "shared"),
    "static program, plug-in with a hidden static copy": ("static", "hidden"),
    "program with libsdt.so, plug-in with a hidden static copy": ("shared", "hidden"),
}


@pytest.mark.parametrize("first", ["program", "plugin"])
@pytest.mark.parametrize("copies", COPIES)
def test_one_runtime_in_a_process(sdt, copies, first):
    program_copy, plugin_copy = COPIES[copies]
    exe = fixture.program(sdt, "runtime_copies.c", runtime=program_copy)
    ldflags = ["-Wl,--exclude-libs,ALL"] if plugin_copy == "hidden" else []
    plugin = fixture.library(sdt, "plugin.so", "-DUSE_API", ldflags=ldflags,
                        runtime="static" if plugin_copy == "hidden" else "shared")
    fixture.passes(sdt, exe, plugin, first)


def test_a_runtime_of_another_version_is_refused(sdt):
    exe = fixture.program(sdt, "runtime_other_version.c", fixture="runtime_other_version.S")
    fixture.passes(sdt, exe)


@fixture.each_mode
def test_records_that_lie_are_blocked_and_their_neighbours_work(sdt, mode):
    exe = fixture.program(sdt, "runtime_damaged.c", fixture="runtime_damaged.S")
    fixture.passes(sdt, exe, env=mode)


def test_companion_sites_are_rewritten_at_start_up(sdt):
    exe = fixture.program(sdt, "runtime_companion.c", fixture="runtime_companion.S")
    fixture.passes(sdt, exe)


def test_companion_sites_are_rewritten_under_running_threads(sdt):
    exe = fixture.program(sdt, "runtime_companion.c", "-DTHREADS", fixture="runtime_companion.S")
    fixture.passes(sdt, exe)


def test_companion_site_that_is_rewritten_by_half_stays_a_trap(sdt):
    exe = fixture.program(sdt, "runtime_companion.c", "-DTHREADS", "-DFAILING=1",
                          fixture="runtime_companion.S",
                          ldflags=["-Wl,--wrap=pwrite", "-Wl,--wrap=mprotect"])
    fixture.passes(sdt, exe)


@pytest.mark.parametrize("threads", [[], ["-DTHREADS"]], ids=["alone", "threads"])
def test_companion_site_that_cannot_be_rewritten_stays_a_call(sdt, threads):
    exe = fixture.program(sdt, "runtime_companion.c", *threads, "-DFAILING=0",
                          fixture="runtime_companion.S",
                          ldflags=["-Wl,--wrap=pwrite", "-Wl,--wrap=mprotect"])
    fixture.passes(sdt, exe)


def test_companion_sites_stay_calls_where_text_cannot_be_written(sdt):
    exe = fixture.program(sdt, "runtime_companion.c", fixture="runtime_companion.S")
    fixture.passes(sdt, exe, env={"SDT_DISABLE_RUNTIME": "1"})
