# SPDX-License-Identifier: BSD-2-Clause
"""The runtime on hand-written sites: arguments, contract, threads, signals, handlers."""
import re

import pytest

import fixture
from conftest import ROOT


def test_arguments_of_all_types_in_registers_and_on_the_stack(sdt):
    fixture.passes(sdt, fixture.program(sdt, "runtime_arguments.c"))


def test_contract_of_the_api(sdt):
    fixture.passes(sdt, fixture.program(sdt, "runtime_api.c"))


def test_the_api_is_the_same_in_the_shared_library(sdt):
    fixture.passes(sdt, fixture.program(sdt, "runtime_api.c", runtime="shared"))


@fixture.each_kind
@fixture.each_mode
def test_counts_of_eight_threads_are_exact(sdt, mode, kind):
    fixture.passes(sdt, fixture.program(sdt, "runtime_threads.c", kind=kind), "exact", env=mode)


@fixture.each_kind
@fixture.each_mode
def test_enable_and_disable_while_eight_threads_run(sdt, mode, kind):
    fixture.passes(sdt, fixture.program(sdt, "runtime_threads.c", kind=kind), "load", env=mode)


@fixture.each_kind
@fixture.each_mode
def test_what_a_handler_uses_may_be_freed_after_disable(sdt, mode, kind):
    """AddressSanitizer sees a handler that came too late as a use after free."""
    exe = fixture.program(sdt, "runtime_threads.c", "-fsanitize=address,undefined", kind=kind)
    fixture.passes(sdt, exe, "load", env=mode)


@fixture.each_kind
@fixture.each_mode
def test_fork_and_vfork(sdt, mode, kind):
    fixture.passes(sdt, fixture.program(sdt, "runtime_fork.c", kind=kind), env=mode)


def test_threads_that_end_do_not_block_sigtrap(sdt):
    fixture.passes(sdt, fixture.program(sdt, "runtime_thread_ends.c"))


def test_sigtrap_of_others(sdt):
    exe = fixture.program(sdt, "runtime_signals.c", ldflags=["-Wl,--wrap=nanosleep"])
    fixture.passes(sdt, exe, env=fixture.TRAP)


@pytest.mark.parametrize("runtime", ["static", "shared"])
def test_sigtrap_in_the_masks_of_a_program(sdt, runtime):
    """Its own while nothing is armed; never blocked from the first breakpoint on."""
    fixture.passes(sdt, fixture.program(sdt, "runtime_masks.c", runtime=runtime,
                                        ldflags=["-pthread"]))


def test_from_constructors_visitors_fork_handlers_and_destructors(sdt):
    fixture.passes(sdt, fixture.program(sdt, "runtime_reentry.c"))


def test_registers_and_the_stack_around_a_hit(sdt):
    fixture.passes(sdt, fixture.program(sdt, "runtime_registers.c"))


@fixture.each_kind
@fixture.each_mode
def test_cancelled_threads(sdt, mode, kind):
    fixture.passes(sdt, fixture.program(sdt, "runtime_cancel.c", kind=kind), env=mode)


# The allocators that libsdt.a calls.
WRAPPED = ["malloc", "calloc", "strdup", "strndup", "mmap"]


# AddressSanitizer does not survive a thread that ends without telling it.
DEAD = pytest.param("dead", marks=pytest.mark.nosan)


@pytest.mark.parametrize("what", ["", "first hit", "first hits", DEAD])
def test_allocations_that_fail(sdt, what):
    """Each one in turn: -ENOMEM, and nothing is changed. Then, what happens during one."""
    exe = fixture.program(sdt, "runtime_memory.c",
                     ldflags=[*(f"-Wl,--wrap={name}" for name in WRAPPED),
                              "-Wl,--export-dynamic-symbol=__sdt_register",
                              "-Wl,--export-dynamic-symbol=__sdt_unregister"])
    fixture.passes(sdt, exe, fixture.library(sdt, "plugin.so"), *([what] if what else []))


@fixture.each_kind
@fixture.each_mode
def test_what_handlers_may_do(sdt, mode, kind):
    fixture.passes(sdt, fixture.program(sdt, "runtime_handlers.c", kind=kind), env=mode)


@fixture.each_kind
@fixture.each_mode
def test_exceptions_past_probed_frames_and_inside_handlers(sdt, mode, kind):
    fixture.passes(sdt, fixture.program(sdt, "runtime_exceptions.cc", kind=kind), env=mode)


@fixture.each_mode
@pytest.mark.parametrize("site", [*fixture.KINDS, "tail"])
def test_an_exception_that_leaves_a_handler_terminates(sdt, site, mode):
    exe = fixture.program(sdt, "runtime_exceptions.cc", kind="call" if site == "tail" else site)
    result = sdt.command(exe, *["x"] * (2 if site == "tail" else 1), status=3,
                         env=mode)
    assert result.stdout == "terminated\n"


@fixture.each_mode
def test_backtrace_from_a_handler(sdt, mode):
    """glibc's unwinder finds the whole chain, at a call site and at a tail site."""
    output = fixture.passes(sdt, fixture.program(sdt, "runtime_unwind.c", ldflags=["-rdynamic"]),
                            env=mode)
    call, tail = output.split("end\n")[:2]
    assert re.search(r"fx_call\+.*\n.*a\.out.*\n.*main", call), call
    assert "fx_tail" not in tail and "main" in tail, tail


def gdb(sdt, exe, *commands, env=()):
    """Output of gdb with plain settings; the program starts at the first `run`."""
    settings = ["set startup-with-shell off", *(f"set environment {e}" for e in env)]
    argv = [word for command in (*settings, *commands) for word in ("-ex", command)]
    # A leak checker cannot trace a program that gdb traces.
    return sdt.command("gdb", "-q", "-batch", "-nx", *argv, exe, status=None,
                       env={"ASAN_OPTIONS": "detect_leaks=0"}).stdout


@fixture.each_kind
@fixture.each_mode
def test_gdb_backtrace_from_a_handler(sdt, mode, kind):
    """gdb stops at our breakpoint; sent on with the signal, the program reaches its handler."""
    exe = fixture.program(sdt, "runtime_unwind.c", kind=kind)
    # at the call site, at the tail site
    signal = ["signal SIGTRAP"] if mode == fixture.TRAP else []
    output = gdb(sdt, exe, "break handler_at_work", "run", *signal, "bt",
                 "clear handler_at_work", "continue", *signal, env=["RT_MODE=" + mode["RT_MODE"]])
    frames = re.findall(r"^#\d+ +(?:0x[0-9a-f]+ in )?(\S+) \(", output, re.M)
    assert frames[:2] == ["handler_at_work", "handler"], output
    assert frames[-3:] == ["fx_call", "caller_of_call", "main"], output
    assert "exited normally" in output


REGISTERS = "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15".split()


@fixture.each_mode
@pytest.mark.parametrize("function", ["in_registers", "in_flags"])
def test_gdb_shows_the_registers_at_an_inline_site(sdt, mode, function):
    """From a handler, in the probed function's frame: what they all are (runtime_inline.c)."""
    exe = fixture.program(sdt, "runtime_inline.c", fixture="runtime_inline.S")
    signal = ["signal SIGTRAP"] if mode == fixture.TRAP else []
    skip = ["continue", *signal] if function == "in_flags" else []  # comes second
    shown = [f"print/x ${r}" for r in REGISTERS]
    output = gdb(sdt, exe, "break ruin", "run", *signal, *skip, f"frame function {function}",
                 *shown, env=["RT_MODE=" + mode["RT_MODE"]])
    values = [int(v, 16) for v in re.findall(r"^\$\d+ = (0x[0-9a-f]+)$", output, re.M)]
    expected = [0x100 + i for i in range(16)]
    assert len(values) == 16, output
    values[4] = 0x104  # the stack's is its own
    assert values == expected, output


def test_gdb_continues_over_our_breakpoint(sdt):
    """By default gdb swallows the trap and resumes after the cc, at a NOP: an event is lost."""
    exe = fixture.program(sdt, "runtime_environment.c")
    output = gdb(sdt, exe, "run", "continue", "continue", env=["RT_MODE=trap"])
    assert output.count("received signal SIGTRAP") == 2, output
    assert "call 0 dash 0" in output and "exited normally" in output, output


def test_gdb_passes_our_breakpoint_on(sdt):
    exe = fixture.program(sdt, "runtime_environment.c")
    output = gdb(sdt, exe, "run", "signal SIGTRAP", "signal SIGTRAP",
                 env=["RT_MODE=trap"])
    assert "call 2 dash 0" in output and "exited normally" in output, output


# How a program can be linked; what the runtime has to get along with.
KINDS = {
    "pie": ([], "static"),
    "non-pie": (["-fno-pie", "-no-pie"], "static"),
    "static": (["-static"], "static"),
    "static-pie": (["-static-pie"], "static"),
    "shared": ([], "shared"),
    "gc-sections": (["-Wl,--gc-sections"], "static"),
    "lld": (["-fuse-ld=lld"], "static"),
    "gold": (["-fuse-ld=gold"], "static"),
    "mold": (["-B/usr/libexec/mold"], "static"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_works_however_the_program_is_linked(sdt, kind):
    flags, runtime = KINDS[kind]
    exe = fixture.program(sdt, "runtime_arguments.c", *flags, runtime=runtime)
    assert fixture.passes(sdt, exe) == "ok\n"


def test_without_the_runtime_a_program_runs_with_its_probes_off(sdt):
    source = sdt.write("plain.c", '''
        #include <stdio.h>
        void fx_call(long, long, long, long, long, long);
        int fx_is_enabled(void);
        int main(void) { fx_call(1, 2, 3, 4, 5, 6); printf("%d\\n", fx_is_enabled()); return 0; }
        ''')
    exe = sdt.link(sdt.compile(source), fixture.assemble(sdt), runtime=None)
    assert sdt.run(exe) == "0\n"


def test_nothing_is_written_to_text_at_start_up(sdt):
    # Only weak references ask for the runtime, and they alone pull in no library.
    for runtime, flag, expected in (("static", "-Wl,-u,__sdt_register", 1),
                                    ("shared", "-Wl,--no-as-needed", 2)):
        exe = fixture.program(sdt, "runtime_idle.c", runtime=runtime, ldflags=[flag])
        mappings, changed = re.match(r"(\d+) mappings, (\d+) kB", sdt.run(exe)).groups()
        assert (int(mappings), int(changed)) == (expected, 0)


def test_the_shared_library_exports_the_api_only(sdt):
    output = sdt.command("nm", "-D", "--defined-only", sdt.shared_runtime).stdout
    names = {line.split()[2].split("@")[0] for line in output.splitlines() if " A " not in line}
    headers = [(fixture.INCLUDE / "sdt" / name).read_text() for name in ("runtime.h", "record.h")]
    code = re.sub(r"/\*.*?\*/", "", "".join(headers), flags=re.S)
    declared = set(re.findall(r"[ *](sdt_\w*[a-z])\(", code)) - {"sdt_handler"}
    interposed = set(re.findall(r"^EXPORT .*?(\w+)\(",
                                (ROOT / "runtime" / "start" / "signals.c").read_text(), re.M))
    assert {"sigaction", "signal", "sigprocmask", "pthread_sigmask", "ppoll"} < interposed
    assert names == declared | {"__sdt_register", "__sdt_unregister"} | interposed
    assert not re.search(r" (%s)@" % "|".join(interposed), output)
    output = sdt.command("readelf", "-d", sdt.shared_runtime).stdout
    assert re.search(r"SONAME.*\[libsdt\.so\.\d+\]", output)
    assert "TEXTREL" not in output and re.search(r"Flags:.*NODELETE", output)
