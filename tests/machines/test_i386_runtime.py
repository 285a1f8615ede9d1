# SPDX-License-Identifier: BSD-2-Clause
"""The runtime on i386: what a handler sees of calls, tail calls and conditional ones, armed by a
jump and by a breakpoint; what a hit changes; counts; toggles while threads run the sites; every way
to link; and what is refused. The programs run natively."""
import pathlib
import platform
import re
import subprocess

import pytest
from elftools.elf.elffile import ELFFile

import cross
from conftest import INCLUDES, PROGRAMS, ROOT, TOOL_BUILD
from cross import need, targets  # noqa: F401 (targets is a fixture)
from toolchain import LLDS

pytestmark = [pytest.mark.nosan, pytest.mark.i386,  # the runtime is cross-compiled
              pytest.mark.skipif(platform.machine() != "x86_64", reason="runs programs of 32 bits")]
GCC, CLANG = cross.gcc("i686"), cross.clang("i686")
LIBRARIES = pathlib.Path("/usr/i686-linux-gnu/lib")
# The cross compiler's C library, whatever this machine has; also for what that opens itself.
HOME = [f"-Wl,--dynamic-linker={LIBRARIES}/ld-linux.so.2", f"-Wl,-rpath,{LIBRARIES}",
        "-Wl,--disable-new-dtags"]
MODES = {"jump": 2, "trap": 1}
both = pytest.mark.parametrize("mode", MODES)


def compiled(sdt, source, *flags, compiler=GCC):
    """SOURCE as an object that sdtlink has processed."""
    need(compiler.split()[0], GCC)
    obj = sdt.path(source.name.replace(".", "_") + ".o")
    options = ["-O2", "-Wall", "-Wextra", "-Werror"] if source.suffix == ".c" else []
    sdt.command(*compiler.split(), *options, *INCLUDES, *flags, "-c", source, "-o", obj)
    return sdt.process(obj)


def linked(sdt, targets, *objects, runtime="libsdt.a", linker="bfd", name="a.out"):
    library = targets("i686") / "lib" / runtime
    home = [] if "-static" in objects or "-static-pie" in objects else HOME
    rpath = [f"-Wl,-rpath,{library.parent}"] if runtime == "libsdt.so" else []
    return cross.linked(sdt, *objects, library, "-pthread", *home, *rpath, target="i686",
                        linker=linker, name=name)


def program(sdt, targets, *flags, source="i386_run.c", compiler=GCC, objects=(), **how):
    return linked(sdt, targets, compiled(sdt, PROGRAMS / source, *flags, compiler=compiler),
                  *objects, **how)


def lines(sdt, *argv, **kwargs):
    return sdt.command(*argv, **kwargs).stdout.splitlines()


def hits(word):
    """What the handler prints between "enabled" and the sites."""
    sale = f"{word} shop:sale in sell: 6 "
    rest = " fffffffe fffffffc 5 6 15.5 past 0"
    return [f"{sale}1 tea{rest}", f"{sale}2 coffee{rest}", "on: 1 1 1",
            f"{word} shop:left in leave: 3", f"{word} shop:dear in expensive: 500"]


def check_watched(said, mode, number):
    """Questions are answered by a byte of their own, whatever the mode."""
    states = [f"{name} mode {number} error success" for name in ("left", "dear", "sale")]
    states += ["sale mode 2 error success"] * 2
    assert said[:2] == ["off: 0 0 0", "enabled: yes"]
    assert said[2:7] == hits(mode)
    assert sorted(said[7:12]) == sorted(states)
    assert said[12:] == ["disabled: success", "off: 0 0 0"]


def kinds(sdt, file):
    return set(re.findall(r'"kind": ?"([^"]+)"', sdt.run(sdt.tool, "list", "--json", file)))


# ---- every kind of site, every way to compile and to link ----

COMPILED = [([], GCC, {"call", "enabled"}),
            (["-O0"], GCC, {"call", "enabled"}),
            (["-fno-pic"], GCC, {"call", "tail", "enabled", "enabled-tail"}),
            (["-fPIC", "-fno-plt"], GCC, {"call6", "tail6", "enabled6", "enabled-tail6"}),
            (["-fno-pic", "-fno-plt"], GCC, {"call6", "tail6", "enabled6", "enabled-tail6"}),
            (["-Os", "-fno-pic"], CLANG, {"call", "tail", "jcc", "enabled", "enabled-tail"})]


@both
@pytest.mark.parametrize("flags, compiler, found", COMPILED,
                         ids=[f"{c.split()[0]} {' '.join(f)}" for f, c, _ in COMPILED])
def test_each_kind_of_site_calls_the_handler(sdt, targets, flags, compiler, found, mode):
    fixed = ["-no-pie"] if "-fno-pic" in flags else []
    exe = program(sdt, targets, *flags, compiler=compiler, objects=fixed)
    assert kinds(sdt, exe) == found
    check_watched(lines(sdt, exe, mode), mode, MODES[mode])


@pytest.mark.parametrize("linker", ["bfd", "gold", *LLDS, "mold"])
def test_each_linker(sdt, targets, linker):
    exe = program(sdt, targets, "-ffunction-sections", objects=["-Wl,--gc-sections"], linker=linker)
    check_watched(lines(sdt, exe, "auto"), "auto", 2)
    assert "TEXTREL" not in sdt.run("readelf", "-dW", exe)


@both
@pytest.mark.parametrize("flags, runtime",
                         [(["-static"], "libsdt.a"), (["-static-pie"], "libsdt.a"),
                          (["-no-pie"], "libsdt.a"), (["-pie"], "libsdt.so")])
def test_each_way_to_link(sdt, targets, flags, runtime, mode):
    exe = program(sdt, targets, objects=flags, runtime=runtime)
    check_watched(lines(sdt, exe, mode), mode, MODES[mode])


@both
@pytest.mark.parametrize("plt", [[], ["-fno-plt"]], ids=["plt", "no-plt"])
def test_a_library_that_is_opened_and_closed(sdt, targets, plt, mode):
    """A subscription covers it when it comes, also for the second time."""
    sdt.command(GCC, *HOME, "-shared", "-o", sdt.path("plugin.so"), compiled(
        sdt, sdt.write("plugin.c", """
extern void __dtrace_sdt_shop___inside(int n);
int visit(int n);
int visit(int n) { __dtrace_sdt_shop___inside(n); return n + 1; }
"""), "-fPIC", *plt))
    source = sdt.write("host.c", """
#include <sdt/runtime.h>
#include <dlfcn.h>
#include <stdio.h>
static void print(const struct sdt_event *event, void *data)
{
    (void)data;
    printf("%s %d in %s of %s\\n", sdt_name(event), (int)sdt_arg(event, 0), sdt_function(event),
           sdt_module(event));
}
int main(int argc, char **argv)
{
    int id = sdt_enable_mode("shop:*", print, NULL,
                             (argc > 2 ? SDT_MODE_JUMP : SDT_MODE_TRAP) | SDT_PENDING);
    for (int i = 0; i < 2; i++) {
        void *plugin = dlopen(argv[1], RTLD_NOW);
        int (*visit)(int) = plugin ? (int (*)(int))dlsym(plugin, "visit") : NULL;
        printf("%d\\n", visit ? visit(7 + i) : 0);
        if (plugin)
            dlclose(plugin);
    }
    return id > 0 ? sdt_disable(id) : 1;
}
""")
    sdt.command(GCC, "-O2", *INCLUDES, "-c", source, "-o", sdt.path("host.o"))
    exe = linked(sdt, targets, sdt.path("host.o"), runtime="libsdt.so")
    argv = [exe, sdt.path("plugin.so"), *(["jump"] if mode == "jump" else [])]
    assert lines(sdt, *argv) == ["inside 7 in visit of plugin.so", "8",
                                 "inside 8 in visit of plugin.so", "9"]


def test_arguments_with_a_descriptor(sdt, targets):
    """64-bit ones and floats take two words of the stack; the note says the same places."""
    typed = compiled(sdt, ROOT / "tests" / "asm" / "i386_typed.S")
    note = sdt.run("readelf", "-n", typed)
    assert "-4@0(%esp) 8@4(%esp) 1@12(%esp) 8@16(%esp) 4@24(%esp) 8@28(%esp)" in note
    exe = program(sdt, targets, source="i386_typed.c", objects=[typed])
    assert lines(sdt, exe) == [
        "int32 fffffffffffffff9 -7", "uint64 123456789abcdef 8.19855e+16", "uint8 c8 200",
        "double 400921fb54442d18 3.14159", "uint32 63 99", "float 3ff0000000000000 1"]


# ---- what a hit changes ----

@pytest.mark.parametrize("mode, said",
                         [("jump", "hits 500, wrong 0"), ("trap", "hits 500, wrong 0"),
                          ("storm", "hits enough, wrong 0")])
def test_a_site_changes_nothing_while_off_and_what_a_call_may_while_armed(sdt, targets, mode, said):
    """Registers, flags, x87 and SSE; the storm enables and disables meanwhile, by both."""
    objects = [compiled(sdt, ROOT / "tests" / "asm" / "i386_registers.S")]
    exe = program(sdt, targets, source="i386_registers.c", objects=objects)
    assert lines(sdt, exe, mode) == [said]


def text_of(exe):
    """The bytes of .text in the file, and where they are."""
    with open(exe, "rb") as file:
        section = ELFFile(file).get_section_by_name(".text")
        return section["sh_addr"], section.data()


@both
def test_one_byte_of_each_site_changes_and_comes_back(sdt, targets, mode):
    """Seen in /proc/PID/mem. The first byte of a call that is trapped stays: it is the tracers'."""
    exe = program(sdt, targets, "-fno-pic", objects=["-no-pie"])
    base, data = text_of(exe)
    with subprocess.Popen([exe, "wait", mode], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True, bufsize=0) as process, \
            open(f"/proc/{process.pid}/mem", "rb", buffering=0) as memory:
        def until(word):
            said = []
            while (line := process.stdout.readline().strip()) != word:
                assert line or process.poll() is None
                said.append(line)
            return said

        def changed():
            memory.seek(base)
            now = memory.read(len(data))
            return {base + i: (a, b) for i, (a, b) in enumerate(zip(data, now)) if a != b}

        sites = {int(place, 16): name for name, place in map(str.split, until("places"))}
        assert len(sites) == 5 and not changed()
        process.stdin.write("\n")
        until("on")
        calls = {place for place, name in sites.items() if data[place - base] == 0x90}
        tails = {place for place, name in sites.items() if data[place - base] == 0xc3}
        answers = set(sites) - calls - tails
        assert (len(calls), len(tails), len(answers)) == (1, 2, 2)
        wanted = {place + 1: (0, 1) for place in answers}
        wanted |= {place: (0xc3, 0xe9 if mode == "jump" else 0xcc) for place in tails}
        wanted |= {place if mode == "jump" else place + 1: (0x90, 0xe8) if mode == "jump" else
                   (0x66, 0xcc) for place in calls}
        found = changed()
        if mode == "jump":  # the byte that leads to the window may be another one
            found = {at: it for at, it in found.items() if at - 4 not in calls}
        assert found == wanted
        process.stdin.write("\n")
        until("off")
        assert not {at for at in changed() if at - 4 not in calls}
        process.stdin.write("\n")
        assert process.wait() == 0


# ---- counts, threads ----

def test_threads_count_exactly(sdt, targets):
    assert lines(sdt, program(sdt, targets), "count") == ["exact"]


def test_counts_asked_for_by_the_environment(sdt, targets):
    source = sdt.write("counted.c", """
#include <sdt/runtime.h>
#include <stdio.h>
extern void __dtrace_sdt_shop___early(void);
__attribute__((constructor)) static void begin(void) { __dtrace_sdt_shop___early(); }
__attribute__((destructor)) static void end(void)
{
    __dtrace_sdt_shop___early();
    printf("%d\\n", (int)sdt_hits("shop:early"));
}
int main(void) { __dtrace_sdt_shop___early(); return 0; }
""")
    exe = linked(sdt, targets, compiled(sdt, source))
    assert lines(sdt, exe, env={"SDT_ENABLE": "shop=count"}) == ["3"]
    assert lines(sdt, exe) == ["0"]


@pytest.mark.parametrize("how", [[], ["jump"]], ids=["all", "jump"])
@pytest.mark.parametrize("flags", [[], ["-fPIC", "-fno-plt"]], ids=["plt", "no-plt"])
def test_sites_change_while_threads_run_them(sdt, targets, flags, how):
    exe = program(sdt, targets, *flags)
    assert lines(sdt, exe, "toggle", *how, timeout=120) == \
        ["calls enough, wrong 0, failed 0, late 0"]


PROCESS = """\
armed: 1 hits of 1, 1 traps of its own
handler installed again: 2 hits of 2, 2 traps
blocked, and in a handler: 4 hits, of signal handler
child: 5 hits, success, 5 hits
parent: 5 hits of 7, success: 5 hits, 3 traps
"""


@pytest.mark.parametrize("flags", [[], ["-static"]], ids=["", "static"])
def test_traps_of_the_program_signals_and_children(sdt, targets, flags):
    """SIGTRAP stays deliverable, and the program's own int3 is its own."""
    exe = program(sdt, targets, source="i386_process.c", objects=flags)
    assert sdt.run(exe) == PROCESS


# ---- unwinding ----

@both
def test_gdb_sees_the_callers_of_a_handler(sdt, targets, mode):
    need("gdb")
    exe = program(sdt, targets, "-g")
    pass_on = ["-ex", "signal SIGTRAP"] if mode == "trap" else []
    said = sdt.command("gdb", "-q", "-batch", "-nx", "-ex", "break print", "-ex", f"run {mode}",
                       *pass_on, "-ex", "backtrace", exe).stdout
    frames = re.findall(r"^#\d+\s+(?:0x[0-9a-f]+ in )?(\w+) \((.*)\)", said, re.M)
    assert frames[0][0] == "print" and "trampoline_dispatch" in dict(frames)
    assert [name for name, _ in frames[-4:]] == ["sell", "visit_all", "watch", "main"]
    assert re.fullmatch(r'n=(n@entry=)?1, what=.* "tea"', dict(frames)["sell"])


def test_a_thread_may_end_in_a_handler(sdt, targets):
    """pthread_exit() unwinds through the trampoline; nobody waits for that thread afterwards."""
    source = sdt.write("leave.c", """
#include <sdt/runtime.h>
#include <pthread.h>
#include <stdio.h>
extern void __dtrace_sdt_shop___last(int n);
static void say(int *n) { printf("cleanup %d\\n", *n); }
static void leave(const struct sdt_event *event, void *data)
{
    (void)event;
    pthread_exit(data);
}
static void *run(void *data)
{
    int n __attribute__((cleanup(say))) = 5;
    __dtrace_sdt_shop___last(n);
    return data;
}
int main(void)
{
    void *result = NULL;
    pthread_t thread;
    int id = sdt_enable("shop:last", leave, (void *)7);
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, &result);
    printf("%d %d\\n", (int)result, sdt_disable(id));
    return 0;
}
""")
    exe = linked(sdt, targets, compiled(sdt, source, "-fexceptions"))
    assert lines(sdt, exe) == ["cleanup 5", "7 0"]


@pytest.mark.parametrize("args, status, said", [([], 0, ["caught 7"]),
                                                (["leave"], 3, ["caught 7", "terminate"])])
def test_exceptions_stay_in_handlers(sdt, targets, args, status, said):
    compiler = GCC.replace("gcc", "g++")
    need(compiler)
    obj = compiled(sdt, PROGRAMS / "i386_throw.cc", compiler=compiler)
    exe = linked(sdt, targets, obj, "-Wl,--no-as-needed", f"{LIBRARIES}/libstdc++.so.6")
    assert lines(sdt, exe, *args, status=status) == said


# ---- what there is not ----

REFUSED = """
#include <sdt/record.h>
#include <sdt/runtime.h>
#include <errno.h>
#include <stdio.h>
int main(void)
{
    struct sdt_recorder *recorder = NULL;
    printf("%d %d %d\\n", sdt_attachable() == -ENOTSUP, sdt_context(NULL) == -ENOTSUP,
           sdt_record_create("there", NULL, &recorder) == -ENOTSUP);
    return 0;
}
"""


def test_what_is_missing_is_refused(sdt, targets):
    sdt.command(GCC, *INCLUDES, "-c", sdt.write("refused.c", REFUSED), "-o", sdt.path("refused.o"))
    assert lines(sdt, linked(sdt, targets, sdt.path("refused.o"))) == ["1 1 1"]


def test_variables_that_ask_for_it_get_a_message(sdt, targets):
    exe = program(sdt, targets)
    for env, message in [({"SDT_ATTACH": "1"}, "SDT_ATTACH: no tool can attach to this process"),
                         ({"SDT_ENABLE": "shop=record", "SDT_RECORD": sdt.path("there")},
                          "nothing is recorded: .*: libsdt for this machine has no recorder"),
                         ({"SDT_STOCK": "1"}, None)]:
        done = sdt.command(exe, env=env)
        assert done.stdout == "plain: 0 0 0\n" and not sdt.path("there").exists()
        assert re.fullmatch(rf"libsdt [0-9.]+: {message}.*\n" if message else "", done.stderr)


def test_sdt_says_that_the_program_has_32_bits(sdt, targets):
    exe = program(sdt, targets)
    with subprocess.Popen([exe, "wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline()
        said = sdt.command(TOOL_BUILD / "sdt" / "sdt", "count", "shop:*", "-p", process.pid,
                           status=None).stderr
        process.stdin.close()
    assert "is not attachable: it is a program of 32 bits" in said
