# SPDX-License-Identifier: BSD-2-Clause
"""The screen of `sdt top`, in tmux: what is read there is what a person sees."""
import itertools
import os
import re
import shlex
import shutil
import subprocess
import time

import pytest

import attached
import patience
from attached import SDT, Target, ask, code
from test_launcher import launch  # pylint: disable=unused-import

pytestmark = pytest.mark.skipif(not shutil.which("tmux"), reason="tmux is not installed")

NUMBERS = itertools.count()  # of servers: one ends while the next begins
LOOKS = 800  # at a screen, until it must show what is waited for

PAIRS = """
#include <sdt/probe.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static __attribute__((noinline)) void work(long i)
{
    SDT_PROBE(pairs, work__begin, i);
    usleep(2000);
    SDT_PROBE(pairs, work__end, i);
}
int main(void)
{
    char line[64];
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("here");
    while (fgets(line, sizeof line, stdin)) {
        for (long i = 0; i < 20; i++)
            work(i);
        puts("ok");
    }
    return 0;
}
"""


@pytest.fixture(name="exe")
def fixture_exe(sdt):
    return attached.build(sdt)


class Screen:
    """`sdt top ARGS` in a terminal of COLUMNS and LINES."""

    def __init__(self, sdt, *args, columns=100, lines=20, environment=None):
        self.socket = str(sdt.path(f"tmux{next(NUMBERS)}"))
        self.environment = {name: value for name, value in os.environ.items()
                            if name not in ("TMUX", "NO_COLOR", "LANG", "LC_ALL", "LC_CTYPE")}
        # The leak checker waits for ever if the terminal's signal comes while it works.
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        own = {"LC_ALL": "C.UTF-8", "TERM": "screen-256color", "ASAN_OPTIONS": sanitizer,
               **(environment or {})}
        words = [f"{name}={value}" for name, value in own.items()]
        command = shlex.join(["env", *words, str(SDT), "top", *map(str, args)])
        # `cat` keeps the terminal, with what was printed, until the server is killed.
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(lines),
                  f"{command}; echo status=$?; cat")

    def tmux(self, *args):
        return subprocess.run(["tmux", "-u", "-S", self.socket, *args], check=True, text=True,
                              capture_output=True, encoding="utf-8",
                              env={**self.environment, "LC_ALL": "C.UTF-8"}).stdout

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def resize(self, columns, lines):
        self.tmux("resize-window", "-x", str(columns), "-y", str(lines))

    def text(self, *options):
        return self.tmux("capture-pane", "-p", *options)

    def shows(self, pattern, *options):
        """Wait until the screen matches PATTERN; the screen."""
        found = []

        def look():
            found[:] = [self.text(*options)]
            # Looked at twice: the first look may see a screen that is half drawn.
            return re.search(pattern, found[0], re.M) and self.text(*options) == found[0]

        # A screen is never idle, so patience.until() would wait for ever. A look takes longer on a
        # busy machine, so that what is looked at has more time there.
        for _ in range(LOOKS):
            if look():
                return found[0]
            time.sleep(0.03)
        raise AssertionError(f"never shown: {pattern}\n{found[0]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server")


def row(name, hits):
    return rf"^[* ] live:{name} .* {hits}\b"


def labels(text):
    return re.findall(r"^[* ] (\w+:[\w-]+) ", text, re.M)


def test_the_screen_has_each_probe_and_exact_hits(sdt, exe):
    with Target(exe) as target:
        before = code(target.pid)
        with Screen(sdt, "-p", target.pid, "-i", "0.2") as screen:
            first = screen.shows(row("tick", 0))
            assert f"({target.pid})   2 probes, 2 counted, 0 hits/s, every 0.2 s" in first
            assert code(target.pid) != before
            target.do("hit 3000")
            screen.shows(row("tick", 3000))
            screen.shows(row("tock", 1000))
            target.do("hit 30")
            assert labels(screen.shows(row("tick", 3030))) in (["live:tick", "live:tock"],
                                                              ["live:tock", "live:tick"])
            screen.shows("^live:t.ck  i:int64")
            screen.keys("q")
            screen.shows("^status=0$")
        assert code(target.pid) == before


def test_rates_and_their_history(sdt, exe):
    with Target(exe) as target, Screen(sdt, "-p", target.pid, "-i", "0.2") as screen:
        screen.shows(row("tick", 0))
        target.do("busy 1")
        text = screen.shows(r"live:tick +[0-9.]+ [kM] +\d+ .*[▁-█]")
        assert re.search(r"counted, [0-9.]+ [kM] hits/s", text)


def test_probes_are_switched_by_keys(sdt, exe):
    with Target(exe) as target, Screen(sdt, "-p", target.pid, "-i", "0.2") as screen:
        screen.shows(", 2 counted,")
        armed = code(target.pid)
        screen.keys("a")
        screen.shows(", 0 counted,")
        off = code(target.pid)
        assert off != armed
        target.do("hit 300")
        screen.keys("a")
        screen.shows(", 2 counted,")
        assert code(target.pid) == armed
        target.do("hit 9")
        screen.shows(row("tick", 9))
        screen.keys("s", "s", "Home")  # by name: tick is the first
        screen.shows("^live:tick  i:int64")
        screen.keys("Space")
        screen.shows(r", 1 counted,(?s:.)*^  live:tick(?s:.)*^\* live:tock")
        target.do("hit 30")
        screen.shows(row("tock", 13))
        screen.keys("q")
        screen.shows("^status=0$")


def test_nothing_is_counted_at_first(sdt, exe):
    with Target(exe) as target:
        before = code(target.pid)
        with Screen(sdt, "--off", "-p", target.pid) as screen:
            screen.shows("2 probes, 0 counted,")
            assert code(target.pid) == before


def test_order(sdt, exe):
    with Target(exe) as target, Screen(sdt, "-p", target.pid, "-i", "0.2") as screen:
        screen.shows("HITS/sv")
        target.do("hit 30")
        screen.shows(row("tick", 30))
        screen.keys("s")
        assert labels(screen.shows("HITSv")) == ["live:tick", "live:tock"]
        screen.keys("r")
        assert labels(screen.shows("HITS\\^")) == ["live:tock", "live:tick"]
        screen.keys("s")
        assert labels(screen.shows("PROBEv")) == ["live:tick", "live:tock"]
        screen.keys("r")
        assert labels(screen.shows("PROBE\\^")) == ["live:tock", "live:tick"]


def test_filter(sdt, exe):
    with Target(exe) as target, Screen(sdt, "-p", target.pid, "-i", "0.2") as screen:
        screen.shows("2 probes")
        screen.keys("/")
        screen.shows("^filter: _")
        screen.keys("-l", "TOq")  # a q here is a letter
        screen.shows("^filter: TOq_")
        screen.keys("BSpace", "Enter")
        assert labels(screen.shows("^filter: TO$")) == ["live:tock"]
        screen.keys("/", "-l", "xyz")
        screen.shows("nothing has this in its name")
        screen.keys("Escape")
        assert len(labels(screen.shows("2 probes"))) == 2


def test_a_pause_and_its_end(sdt, exe):
    with Target(exe) as target, Screen(sdt, "-p", target.pid, "-i", "0.1") as screen:
        screen.shows(row("tick", 0))
        screen.keys("p")
        screen.shows(", paused")
        target.do("hit 300")
        # A key is obeyed at least an interval later; what it shows has the hits of before.
        for _ in range(4):
            screen.keys("h")
            screen.shows("choose a probe")
            screen.keys("h")
            assert re.search(row("tick", 0), screen.shows("live:tick"), re.M)
        screen.keys("p")
        screen.shows(row("tick", 300))


def test_help_and_intervals(sdt, exe):
    with Target(exe) as target, Screen(sdt, "-p", target.pid, "-i", "1") as screen:
        screen.shows("live:tick")
        screen.keys("h")
        text = screen.shows("choose a probe")
        assert "live:tick  " not in text
        screen.keys("h")
        screen.shows("live:tick")
        screen.keys("-l", "+")
        screen.shows("every 0.5 s")
        screen.keys("-l", "--", "--")
        screen.shows("every 2 s")


def test_latencies_of_probes_that_belong_together(sdt):
    exe = sdt.build(sdt.write("pairs.c", PAIRS), runtime="shared",
                    ldflags=["-Wl,--no-as-needed"])
    with Target(exe) as target, Screen(sdt, "-p", target.pid, "-i", "0.2") as screen:
        screen.shows("pairs:work-begin")
        screen.keys("l")
        screen.shows("latencies are measured")
        target.do("work")
        text = screen.shows(r"^\* pairs:work-begin .* ms +[0-9.]+ ms")
        assert re.search("p50 +p99", text)
        median, high = map(float, re.search(r"work-begin .*? ([0-9.]+) ms +([0-9.]+) ms",
                                            text).groups())
        assert 1.8 <= median <= high  # usleep(2000); buckets are an eighth wide
        screen.keys("l")
        screen.shows(r"\A(?:(?!p99)[^\0])*\Z")


def test_no_probes_belong_together(sdt, exe):
    with Target(exe) as target, Screen(sdt, "-p", target.pid) as screen:
        screen.shows("live:tick")
        screen.keys("l")
        screen.shows("no two probes are called as NAME-begin and NAME-end are")


def test_columns_come_and_go_with_the_width(sdt, exe):
    with Target(exe) as target, Screen(sdt, "-p", target.pid, "-i", "0.2") as screen:
        screen.shows(r"HITS/sv +HITS +LAST \d+$")
        screen.resize(30, 8)
        assert not re.search("HITS$|LAST", screen.shows("^  PROBE +HITS/sv$"), re.M)
        screen.resize(160, 30)
        screen.shows("HITS/sv +HITS +LAST 60$")
        screen.resize(20, 3)
        screen.resize(100, 20)
        screen.shows(row("tick", 0))


def coloured(text):
    return re.findall(r"\x1b\[[0-9;]*3[1-7]m", text)


def test_colours_unless_they_are_not_wanted(sdt, exe):
    with Target(exe) as target:
        with Screen(sdt, "-p", target.pid) as screen:
            assert coloured(screen.shows("live:tick", "-e"))
        with Screen(sdt, "-p", target.pid, environment={"NO_COLOR": "1"}) as screen:
            assert not coloured(screen.shows("live:tick", "-e"))


def test_a_terminal_without_utf_8(sdt, exe):
    with Target(exe) as target, Screen(sdt, "-p", target.pid, "-i", "0.2",
                                       environment={"LC_ALL": "C"}) as screen:
        screen.shows(row("tick", 0))
        target.do("hit 3000")
        assert screen.shows(r"live:tick +\S+.* 3000 .*@").isascii()


def test_it_ends_with_the_process(sdt, exe):
    with Target(exe) as target, Screen(sdt, "-p", target.pid) as screen:
        screen.shows("live:tick")
        target.process.kill()
        target.process.wait()
        screen.shows("^status=0$")


def test_what_is_wrong_is_said(sdt, exe):
    with Target(exe) as target:
        result = ask(sdt, "top", "-p", target.pid, status=1)
        assert "top needs a terminal" in result.stderr
        ask(sdt, "top", "-p", target.pid, "-i", "0", status=2)
        ask(sdt, "top", status=2)
        with Screen(sdt, "-p", target.pid, environment={"TERM": "none-such"}) as screen:
            screen.shows("the terminal 'none-such' .TERM. cannot be used as a screen")
            screen.shows("^status=1$")
        with Screen(sdt, "no:such", "-p", target.pid) as screen:
            screen.shows("no:such: no probe of process")
            screen.shows("^status=3$")


# ---- Children. ----


def test_children_are_counted_and_their_number_is_shown(sdt):
    """What is switched off in the parent is off in them as well."""
    exe = attached.build(sdt, "follow_target.c", f"top{os.getpid()}")
    with Target(exe) as target:
        before = code(target.pid)
        with Screen(sdt, "follow:hit", "-f", "-p", target.pid, "-i", "0.2") as screen:
            screen.shows(rf"\({target.pid}\), 1 process   1 probe, 1 counted, 0 hits/s")
            target.do("tree 2 3 100")
            screen.shows(r"^[* ] follow:hit .* 1300\b")
            child = int(target.do("fork", None))
            screen.shows(", 2 processes ")
            grandchild = int(target.do("fork", None))
            target.do("hit 37")
            screen.shows(r", 3 processes (?s:.)*^[* ] follow:hit .* 1337\b")
            with Screen(sdt, "follow:hit", "-p", target.pid) as other:  # a tool is no process of it
                other.shows("1 counted")
                screen.shows(", 3 processes ")
                other.keys("q")
                other.shows("^status=0$")
            screen.keys("Space")
            screen.shows(", 0 counted,")
            for pid in (target.pid, child, grandchild):
                patience.until(lambda pid=pid: code(pid) == before)
            target.do("hit 1000")
            screen.keys("Space")
            screen.shows(r", 1 counted,(?s:.)* 1337\b")
            screen.keys("q")
            screen.shows("^status=0$")
        patience.until(lambda: code(target.pid) == before)


def test_latencies_of_children(sdt):
    forking = PAIRS.replace("for (long", "if (fork() > 0)\n            wait(NULL);\n        "
                            "else for (long").replace("i < 20;", "i < 20 || (_exit(0), 0);")
    exe = attached.build(sdt, sdt.write("forking.c", "#include <sys/wait.h>\n" + forking))
    with Target(exe) as target, Screen(sdt, "-f", "-p", target.pid, "-i", "0.2") as screen:
        screen.shows("2 probes, 2 counted")
        screen.keys("l")
        screen.shows("latencies are measured")
        target.do("fork")
        screen.shows(r"^[* ] pairs:work-begin .* 20 .*[0-9] [mu]?s")
        screen.keys("l")
        screen.keys("q")
        screen.shows("^status=0$")


@pytest.mark.nosan
def test_what_a_script_executes_is_on_the_screen(sdt):
    exe = attached.build(sdt, "follow_target.c", f"top{os.getpid()}")
    with Screen(sdt, "follow:hit", "-f", "-i", "0.2", "--", "sh", "-c",
                f"{exe} 10; {exe} 100; sleep 5; exit 7") as screen:
        screen.shows(r"^[* ] follow:hit .* 110\b")
        screen.shows("^status=7$")


@pytest.mark.nosan
def test_functions(launch):
    """Which functions take the time: calls, own and total time, in the order that is chosen."""
    launch.sdt.write("loop.c", """
#include <stdio.h>
#define APART __attribute__((noinline))
static volatile long sink;
static APART void heavy(void) { for (int i = 0; i < 300000; i++) sink += i; }
static APART void light(void) { for (int i = 0; i < 300; i++) sink += i; }
static APART void both(void) { heavy(); light(); light(); }
int main(void)
{
    char line[64];
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("here");
    while (fgets(line, sizeof line, stdin)) {
        for (int i = 0; i < 10; i++)
            both();
        puts("ok");
    }
    return 0;
}
""")
    launch("--functions", "--runtime=shared", "gcc", "-O1", "loop.c", "-o", "loop")
    with Target(launch.sdt.dir / "loop") as target:
        before = code(target.pid)
        with Screen(launch.sdt, "--functions", "-p", target.pid, "-i", "0.2") as screen:
            screen.shows(r"FUNCTION +CALLS/s +CALLS +SELFv +TOTAL")
            target.do("go")
            target.do("go")
            seen = screen.shows(r"^\* light .* 40 ")
            assert re.search(r"3 functions, .* calls/s", seen)
            assert re.search(r"^\* both .* 20 ", seen, re.M)
            assert re.search(r"^\* heavy .* 20 ", seen, re.M)
            screen.keys("s")
            screen.shows("TOTALv")
            screen.keys("s", "s")
            screen.shows(r"CALLSv[^\n]*\n\* light ")
            screen.keys("s")
            screen.shows(r"FUNCTIONv[^\n]*\n\* both .*\n\* heavy ")
            screen.keys(" ")
            screen.shows("of functions, all are counted")
            screen.keys("q")
            screen.shows("status=0")
        assert code(target.pid) == before
    # While it runs, who takes the time is first.
    launch.sdt.write("ever.c", """
#define APART __attribute__((noinline))
static volatile long sink;
static APART void heavy(void) { for (int i = 0; i < 300000; i++) sink += i; }
static APART void light(void) { for (int i = 0; i < 300; i++) sink += i; }
static APART void both(void) { heavy(); light(); light(); }
int main(void) { for (;;) both(); }
""")
    launch("--functions", "--runtime=shared", "gcc", "-O1", "ever.c", "-o", "ever")
    exe = str(launch.sdt.dir / "ever")
    with Screen(launch.sdt, "--functions", "both", "-i", "0.2", "--", exe) as screen:
        screen.shows(r"SELFv[^\n]*\n\* heavy .* [1-9][\d.]* % .*\n\* (both|light) ")
        screen.keys("s")
        screen.shows(r"TOTALv[^\n]*\n\* (both|heavy) .* % ")


@pytest.mark.nosan
def test_patterns_of_functions(launch):
    """They mean the screen of functions, and what they call; names of C++ as in sdt lat."""
    launch.sdt.write("web.cc", """
#include <cstdio>
#define APART __attribute__((noinline))
static volatile int sink;
namespace web {
struct server { APART void serve(int n); APART void idle() { sink = sink + 1; } };
APART static void parse(int n) { sink = sink + n; }
void server::serve(int n) { parse(n); parse(n + 1); }
}
int main()
{
    char line[64];
    setvbuf(stdout, nullptr, _IOLBF, 0);
    puts("here");
    while (fgets(line, sizeof line, stdin)) {
        web::server one;
        one.serve(1);
        one.idle();
        puts("ok");
    }
}
""")
    launch("--functions", "--runtime=shared", "g++", "-O1", "web.cc", "-o", "web")
    with Target(launch.sdt.dir / "web") as target:
        for pattern in ("web::server::serve", "fn::web::server::serve(int):entry",
                        "fn:web:web::server::serve"):
            with Screen(launch.sdt, pattern, "-p", target.pid, "-i", "0.2") as screen:
                screen.shows(r"FUNCTION +CALLS/s +CALLS +SELFv +TOTAL")
                target.do("go")
                seen = screen.shows(r"^\* web::parse\(int\) .* 2 ")
                assert re.search(r"^\* web::server::serve\(int\) .* 1 ", seen, re.M)
                assert "idle" not in seen and "main" not in seen
                screen.keys("q")
                screen.shows("status=0")
        with Screen(launch.sdt, "fn:entry", "--off", "-p", target.pid) as screen:
            screen.shows(r"^ {2}fn:entry ")  # that is of probes
            screen.keys("q")
            screen.shows("status=0")


def test_functions_refused(sdt):
    result = ask(sdt, "top", "--functions", "--off", "-p", 1, status=2)
    assert "--functions shows no probes: without --off and --pair" in result.stderr
