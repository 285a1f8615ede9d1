# SPDX-License-Identifier: BSD-2-Clause
"""Subscriptions before there is anything to subscribe to, and what says that nothing matches."""
import pytest

import fixture
from conftest import BUILD, CFLAGS, PROGRAMS, ROOT

EXPORTS = [f"-Wl,--export-dynamic-symbol=__sdt_{name}" for name in ("register", "unregister")]


@fixture.each_mode
@pytest.mark.parametrize("runtime", ["static", "shared"])
def test_pending_subscriptions(sdt, runtime, mode):
    exe = fixture.program(sdt, "runtime_pending.c", runtime=runtime, ldflags=EXPORTS)
    fixture.passes(sdt, exe, fixture.library(sdt, "plugin.so", runtime="shared"), env=mode)


def test_a_pending_subscription_that_matches_has_to_be_armed(sdt):
    """Only that nothing matches is forgiven: here, text cannot be written."""
    source = sdt.write("main.c", '''
        #include "runtime_fixture.h"
        #include <sys/resource.h>
        static void on_hit(const struct sdt_event *event, void *data) { (void)event, (void)data; }
        int main(void) {
            struct rlimit none = {0, 0};
            setrlimit(RLIMIT_NOFILE, &none);
            CHECK_EQUAL(sdt_enable_mode("fixture:call", on_hit, NULL, SDT_PENDING), -EACCES);
            CHECK(sdt_enable_mode("nobody:there", on_hit, NULL, SDT_PENDING) > 0);
            return fixture_done();
        }''')
    exe = fixture.program(sdt, str(source), "-I", PROGRAMS)
    fixture.passes(sdt, exe, env={"SDT_LOCK_TEXT": "1", **fixture.NO_LEAK_CHECK})


# How the program that is watched was linked: with which runtime, if with any.
@pytest.mark.parametrize("runtime", ["static", "shared", None])
@pytest.mark.skipif(any("address" in flag for flag in CFLAGS), reason="ASan wants to come first")
def test_the_preloaded_tracer(sdt, runtime):
    flags = {"static": ["-Wl,-u,__sdt_register"], "shared": ["-Wl,--no-as-needed"], None: []}
    exe = sdt.build(ROOT / "examples" / "preload" / "main.c", runtime=runtime,
                    ldflags=flags[runtime])
    env = {"LD_PRELOAD": str(BUILD / "examples" / "libsdt-trace.so"), "SDT_TRACE": "shop:sale"}
    result = sdt.command(exe, env=env)
    assert (result.stdout, result.stderr) == (
        "5 sold\n", "shop:sale(1, 3, 3) in main\nshop:sale(2, 4, 2) in main\n")


def debug(sdt, exe, *args, **env):
    """What the library says, without its name and version."""
    result = sdt.command(exe, *args, status=None, env={"SDT_DEBUG": "1", **env})
    lines = result.stderr.splitlines()
    assert all(line.startswith("libsdt ") for line in lines), lines
    return [line.split(": ", 1)[1] for line in lines]


# A pattern that matches nothing in the fixture, and what it may mean.
MISTAKES = {
    "fixture:cal": "fixture:call",
    "fixtrue:call": "fixture:call",
    "fixture:module:function:call": "fixture:call",  # there is no such module
    "fixtures": "fixture",
    "twelve": "fixture:twelve",
    "twelv": "fixture:twelve",
    "other:dash-nam": "other:dash-name",
    "nothing:alike": None,
    "fix[a-s]*": None,
}


@pytest.mark.parametrize("typed", MISTAKES)
def test_did_you_mean(sdt, typed):
    exe = fixture.program(sdt, "runtime_environment.c")
    best = MISTAKES[typed]
    mean = f"; did you mean {best}?" if best else ""
    lines = debug(sdt, exe, SDT_ENABLE=f"{typed}=count")
    assert lines == ["SDT_ENABLE: 1 in force", f"SDT_ENABLE: {typed}: no site matches{mean}"]


def test_each_entry_says_what_it_matches(sdt):
    exe = fixture.program(sdt, "runtime_environment.c", runtime="shared")
    lines = debug(sdt, exe, SDT_ENABLE="fixture:call=count;;fixture:cal,other:=count;a:b:c=count;"
                  "fixture=print")
    assert lines[1:] == [
        "SDT_ENABLE: fixture:call: 2 armed of 2 that match",
        "SDT_ENABLE: fixture:cal,other:: 1 armed of 1 that match",
        "SDT_ENABLE: fixture:cal: no site matches; did you mean fixture:call?",
        "SDT_ENABLE: a:b:c: an argument is missing or the pattern is malformed",
        "SDT_ENABLE: fixture=print: expected PATTERN=count or PATTERN=record"]


def test_what_is_quoted_cannot_talk_to_a_terminal(sdt):
    lines = debug(sdt, fixture.program(sdt, "runtime_environment.c"),
                  SDT_ENABLE="\x1b[31m\x07=count")
    assert lines[1:] == ["SDT_ENABLE: ?[31m?: an argument is missing or the pattern is malformed"]


def test_only_libraries_have_probes(sdt):
    """The program registers nothing: the report is made before the first library goes."""
    source = sdt.write("main.c", '''
        #include <stdio.h>
        void plugin_run(void);
        int main(void) { plugin_run(); puts("end"); return 0; }''')
    plugin = fixture.library(sdt, "libplugin.so", runtime="shared", ldflags=["-Wl,--no-as-needed"])
    exe = sdt.link(sdt.compile(source), plugin, f"-Wl,-rpath,{sdt.dir}", runtime=None)
    lines = debug(sdt, exe, SDT_ENABLE="fixture:tail=count")
    assert lines == ["SDT_ENABLE: 1 in force",
                     "SDT_ENABLE: fixture:tail: 1 armed of 1 that match"]


ASKING = '''
    #include <dlfcn.h>
    #include <sdt/runtime.h>
    #include <stdio.h>
    int main(int argc, char **argv) {
        if (argc > 1 && !dlopen(argv[1], RTLD_NOW))
            puts(dlerror());
        printf("%d\\n", sdt_enable("fixture:call", SDT_COUNT, NULL));
        return 0;
    }'''


def test_a_library_that_does_not_find_an_unexported_runtime(sdt):
    asking = sdt.compile(sdt.write("asking.c", ASKING))
    plugin = fixture.library(sdt, "plugin.so")
    lines = debug(sdt, sdt.link(asking), plugin)
    assert lines[1] == ("sdt_enable: fixture:call: no site matches; no probes are registered with "
                        "this runtime")
    assert lines[2].startswith("plugin.so has probes, but has not registered them: ")
    assert "export __sdt_register and __sdt_unregister" in lines[2] and len(lines) == 3
    exported = sdt.link(asking, *EXPORTS, name="exported")
    assert debug(sdt, exported, plugin) == ["SDT_ENABLE: 0 in force"]


def test_a_constructor_that_is_too_early(sdt):
    exe = fixture.program(sdt, "runtime_pending.c", runtime="shared")
    plugin = fixture.library(sdt, "plugin.so", runtime="shared")
    lines = debug(sdt, exe, plugin)
    assert any(line.startswith("the program has probes, but has not registered them: its "
                               "constructors have not run yet (SDT_PENDING") for line in lines)
