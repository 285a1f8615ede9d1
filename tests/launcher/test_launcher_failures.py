# SPDX-License-Identifier: BSD-2-Clause
"""The launcher when something goes wrong: the linker's words and status, no files left."""
import contextlib
import os
import re
import shutil
import signal
import subprocess

import pytest

import patience
from conftest import INCLUDE
from test_launcher import (COMPILERS, LINKERS, USER, WEB, launch,  # noqa: F401 (a fixture)
                           make_archive)

PLAIN_BROKEN = "void missing(void); int main(void) { missing(); return 0; }"
BROKEN = """#include <sdt/probe.h>
void missing(void); int main(void) { SDT_PROBE(p, n); missing(); return 0; }"""
# A use of a probe that cannot be understood: a call to somewhere inside it.
REFUSED = """__asm__(".text\\nbogus: call __dtrace_sdt_p___n+4\\n");
int main(void) { return 0; }"""


@pytest.mark.plain
@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_linkers_messages_are_the_same(launch, compiler, linker):
    """Of a link that fails with a processed input, and of one that fails without us."""
    directory = launch.sdt.dir / "x"
    directory.mkdir()
    said = []
    for text, first in [(BROKEN, [launch.sdt.tool]), (PLAIN_BROKEN, [])]:
        launch.object("x/broken", text, "-g0", compiler=compiler)
        for old in directory.glob("*.a"):
            old.unlink()
        launch.sdt.command("ar", "rcs", "libbroken.a", "broken.o", cwd=directory)
        launch.sdt.command("ar", "rcsT", "thin.a", "broken.o", cwd=directory)
        for where in ("broken.o", "../x/broken.o", "libbroken.a", "thin.a"):
            result = launch.sdt.command(*first, compiler, f"-fuse-ld={linker}", where, "-o", "out",
                                        cwd=directory, status=1, env=launch.env)
            assert "missing" in result.stderr
            # The place of the call differs, as the probe is before it; and clang says what it ran.
            said.append(re.sub(r"\+0x[0-9a-f]+|-[0-9a-f]{6}\b", "", result.stderr))
    assert said[:4] == said[4:]


def test_linker_is_found_where_the_driver_would(launch):
    """A linker in a directory of the user's -B, and one that COMPILER_PATH names."""
    (launch.sdt.dir / "bin").mkdir()
    script = launch.sdt.write("bin/ld", f"#!/bin/sh\necho mine\nexec {shutil.which('ld')} \"$@\"\n")
    script.chmod(0o755)
    launch.object("web", WEB)
    for compiler in COMPILERS:
        result = launch(compiler, f"-B{launch.sdt.dir}/bin", "web.o", "-o", "web")
        assert result.stdout == "mine\n"
    result = launch("clang", "-B", launch.sdt.dir / "bin", "web.o", "-o", "web")
    assert result.stdout == "mine\n"
    env = {"COMPILER_PATH": str(launch.sdt.dir / "bin")}
    assert launch("gcc", "web.o", "-o", "web", env=env).stdout == "mine\n"
    env = {"PATH": f"{launch.sdt.dir}/bin:{os.environ['PATH']}"}
    assert launch("gcc", "web.o", "-o", "web", env=env).stdout == "mine\n"


def test_exit_status_is_the_linkers(launch):
    launch.object("web", WEB)
    for body, status in [("exit 42", 42), ("kill -SEGV $$", -signal.SIGSEGV),
                         ("kill -KILL $$", -signal.SIGKILL)]:
        script = launch.sdt.write("ld.mine", f"#!/bin/sh\n{body}\n")
        script.chmod(0o755)
        launch("--ld", "./ld.mine", "web.o", "-lc", status=status)


def test_unprocessable_object_stops_the_link(launch):
    launch.object("refused", REFUSED)
    launch.sdt.command("ar", "rcs", "libx.a", "refused.o")
    launch.object("main", "int main(void) { return 0; }")
    for name, shown in [("refused.o", "refused.o: .text"), ("libx.a", "libx.a(refused.o): .text"),
                        ("./libx.a", "./libx.a(refused.o): .text")]:
        result = launch("gcc", name, "-o", "out", status=1)
        assert shown in result.stderr and "sdtlink." not in result.stderr
        assert "undefined" not in result.stderr and not (launch.sdt.dir / "out").exists()


def test_unreadable_and_missing_inputs_are_the_linkers_business(launch):
    launch.object("web", WEB)
    launch.sdt.write("damaged.a", "!<arch>\nnonsense")
    launch.sdt.write("empty.o", "")
    (launch.sdt.dir / "directory.o").mkdir()
    for name in ("missing.o", "directory.o", "damaged.a", "empty.o", "-lmissing", "@missing"):
        first = launch.sdt.command("gcc", "-nostartfiles", name, status=None, env=launch.env)
        second = launch("gcc", "-nostartfiles", name, status=None)
        assert first.returncode == second.returncode
        assert first.stderr == second.stderr


def test_damaged_archive_with_probes(launch):
    make_archive(launch, "fat")
    launch.object("user", USER)
    data = bytearray((launch.sdt.dir / "lib/libx.a").read_bytes())
    at = data.index(b"plain.o/")
    data[at + 58:at + 60] = b"??"
    (launch.sdt.dir / "lib/libx.a").write_bytes(data)
    result = launch("gcc", "user.o", "lib/libx.a", "-o", "user", status=1)
    assert "lib/libx.a: the archive is damaged" in result.stderr


def test_no_directory_for_copies(launch):
    launch.object("web", WEB)
    env = {"TMPDIR": "/nonexistent"}
    result = launch("gcc", "web.o", "-o", "web", status=1, env=env)
    assert "/nonexistent (see TMPDIR)" in result.stderr
    # A relative one is as good as another.
    (launch.sdt.dir / "here").mkdir()
    launch("gcc", "web.o", "-o", "web", env={"TMPDIR": "here"})
    assert launch.run("web") == "2 hits\n" and not list((launch.sdt.dir / "here").iterdir())


def test_read_only_directory(launch):
    """Nothing is written beside the inputs."""
    (launch.sdt.dir / "ro").mkdir()
    launch.object("ro/web", WEB)
    (launch.sdt.dir / "ro").chmod(0o555)
    try:
        launch("gcc", "web.o", "-o", "../web", cwd=launch.sdt.dir / "ro")
        assert [p.name for p in (launch.sdt.dir / "ro").iterdir()] in (["web.o", "web.c"],
                                                                     ["web.c", "web.o"])
    finally:
        (launch.sdt.dir / "ro").chmod(0o755)
    assert launch.run("web") == "2 hits\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small file system takes root")
def test_full_disk(launch):
    small = launch.sdt.dir / "small"
    small.mkdir()
    launch.object("web", WEB)
    launch.sdt.command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small)
    try:
        (small / "filler").write_bytes(bytes(56 << 10))
        make_archive(launch, "fat")
        launch.object("user", USER)
        result = launch("--ld", "ld", "-e", "main", "user.o", "lib/libx.a", "web.o", "-lc", "-o",
                        "web", status=1, env={"TMPDIR": str(small)})
        assert "No space left on device" in result.stderr and str(small) in result.stderr
        assert [p.name for p in small.iterdir()] == ["filler"]
    finally:
        launch.sdt.command("umount", small)


def test_a_copy_of_the_executable_alone(launch):
    shutil.copy(launch.sdt.tool, launch.sdt.dir / "lonely")
    launch.object("web", WEB)
    result = launch.sdt.command("./lonely", "gcc", "web.o", status=1)
    assert "cmake --install" in result.stderr


# ---- signals ----

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def default_signals():
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def running(launch, *args):
    """A link in a process group of its own, which signals end even if pytest runs under nohup."""
    with subprocess.Popen([str(launch.sdt.tool), *args], cwd=launch.sdt.dir,
                          env={**os.environ, **launch.env}, start_new_session=True,
                          preexec_fn=default_signals,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def wait_for(condition, what, process):
    assert patience.until(condition, process), f"waited in vain for {what}"


def status_of(process):
    patience.wait(process)
    return process.returncode


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("to_group", [False, True], ids=["us", "group"])
def test_signal_while_linking(launch, number, to_group):
    launch.object("web", WEB)
    script = launch.sdt.write("ld.slow", "#!/bin/sh\ntouch started\nexec sleep infinity\n")
    script.chmod(0o755)
    with running(launch, "--ld", "./ld.slow", "web.o", "-lc") as process:
        wait_for((launch.sdt.dir / "started").exists, "the linker", process)
        assert len(launch.left_behind()) == 1
        assert oct((launch.temporary / launch.left_behind()[0]).stat().st_mode & 0o777) == "0o700"
        (os.killpg if to_group else os.kill)(process.pid, number)
        assert status_of(process) == -number
        assert launch.left_behind() == []


@pytest.mark.parametrize("number", SIGNALS)
def test_signal_while_processing(launch, number):
    """A worker waits in front of a FIFO's place: a member of an archive is being written."""
    launch.object("web", WEB)
    data = (launch.sdt.dir / "web.o").read_bytes()
    with open(launch.sdt.dir / "big.o", "wb") as file:
        file.write(data)
    for i in range(3000):
        os.link(launch.sdt.dir / "big.o", launch.sdt.dir / f"n{i}.o")
    with running(launch, "--ld", "ld", "-lc", *[f"n{i}.o" for i in range(3000)]) as process:
        wait_for(lambda: any(launch.temporary.glob("*/*/n1*.o")), "the workers", process)
        os.kill(process.pid, number)
        assert status_of(process) == -number
        assert launch.left_behind() == []


def test_ignored_signals_stay_ignored(launch):
    launch.object("web", WEB)
    script = launch.sdt.write("ld.slow", "#!/bin/sh\ntouch started\n"
                              "until [ -e go ]; do sleep 0.01; done\nexit 5\n")
    script.chmod(0o755)
    with running(launch, "sh", "-c", f"trap '' HUP; exec {launch.sdt.tool} --ld ./ld.slow web.o") \
            as process:
        wait_for((launch.sdt.dir / "started").exists, "the linker", process)
        os.killpg(process.pid, signal.SIGHUP)
        launch.sdt.write("go", "")
        assert status_of(process) == 5


def test_nothing_stays_in_memory_of_a_link_without_probes(launch):
    """The linker takes our place."""
    launch.object("plain", "int main(void) { return 0; }")
    script = launch.sdt.write("ld.show", "#!/bin/sh\necho $$\n")
    script.chmod(0o755)
    with running(launch, "--ld", "./ld.show", "plain.o") as process:
        assert int(patience.wait(process)[0]) == process.pid


# ---- at compile time ----

def test_at_compile(launch):
    launch.sdt.write("a.c", WEB)
    launch.sdt.write("b.c", "int b;")
    launch("--at-compile", "gcc", "-I", INCLUDE, "-c", "a.c", "b.c")
    launch("--at-compile", "gcc", "-I", INCLUDE, "-c", "-o", "c.o", "a.c")
    launch("--at-compile", "clang", "-I", INCLUDE, "-c", "-od.o", "a.c")
    for name in ("a.o", "c.o", "d.o"):
        assert "__dtrace_sdt" not in launch.sdt.command("nm", name).stdout
        launch("gcc", name, "-o", "web")
        assert launch.run("web") == "2 hits\n"
    launch("--at-compile", "gcc", "-I", INCLUDE, "-E", "a.c", "-o", "e.o")
    launch("--at-compile", "gcc", "-I", INCLUDE, "a.c", "-o", "whole")
    assert launch.run("whole") == "2 hits\n"


def test_at_compile_failures(launch):
    launch.sdt.write("refused.c", REFUSED)
    result = launch("--at-compile", "gcc", "-c", "refused.c", status=1)
    assert "refused.o: .text" in result.stderr and not (launch.sdt.dir / "refused.o").exists()
    launch.sdt.write("wrong.c", "nonsense")
    assert launch("--at-compile", "gcc", "-c", "wrong.c", status=1).stdout == ""
    launch("--at-compile", "gcc", "-c", "missing.c", status=1)


def test_at_compile_leaves_intermediate_code(launch):
    launch.sdt.write("a.c", WEB)
    for compiler in COMPILERS:
        result = launch("-v", "--at-compile", compiler, "-flto", "-I", INCLUDE, "-c", "a.c")
        assert "a.o: intermediate code" in result.stderr


@pytest.mark.parametrize("mode", [{}, {"CCACHE_HARDLINK": "1", "CCACHE_NOCOMPRESS": "1"}],
                         ids=["copy", "hard link"])
def test_at_compile_with_ccache(launch, mode):
    """The cache keeps the compiler's own object, and gives it again."""
    env = {**mode, "CCACHE_DIR": str(launch.sdt.dir / "cache"), "CCACHE_NODIRECT": "1"}
    launch.sdt.write("a.c", WEB)
    launch.sdt.command("ccache", "gcc", "-I", INCLUDE, "-c", "a.c", env=env)
    raw = (launch.sdt.dir / "a.o").read_bytes()
    outputs = []
    for _ in range(2):
        (launch.sdt.dir / "a.o").unlink()
        launch("--at-compile", "ccache", "gcc", "-I", INCLUDE, "-c", "a.c", env=env)
        outputs.append((launch.sdt.dir / "a.o").read_bytes())
    assert outputs[0] == outputs[1] != raw
    assert "__dtrace_sdt" not in launch.sdt.command("nm", "a.o").stdout
    (launch.sdt.dir / "a.o").unlink()
    launch.sdt.command("ccache", "gcc", "-I", INCLUDE, "-c", "a.c", env=env)
    assert (launch.sdt.dir / "a.o").read_bytes() == raw


# ---- whole builds ----

def test_parallel_make(launch):
    """CC is the launcher: compiled, archived and linked at once, with the jobserver's pipe."""
    for i in range(8):
        launch.sdt.write(f"p{i}.c", WEB.replace("web", f"web{i}"))
    launch.sdt.write("Makefile", f"""
CC = {launch.sdt.tool} gcc
CFLAGS = -O1 -I{INCLUDE}
all: {' '.join(f'p{i}' for i in range(8))}
""")
    result = launch.sdt.command("make", "-j4", env=launch.env)
    assert "jobserver" not in result.stderr and "warning" not in result.stderr
    for i in range(8):
        assert launch.run(f"p{i}") == "2 hits\n"


def test_colours_of_a_terminal(launch):
    """The linker writes to a pipe of ours, and is told what is after it."""
    launch.object("broken", BROKEN)
    for linker, option, has_colour in [("lld", [], True), ("mold", [], True), ("bfd", [], False),
                                       ("lld", ["-Wl,--color-diagnostics=never"], False)]:
        parent, child = os.openpty()
        subprocess.run([launch.sdt.tool, "gcc", f"-fuse-ld={linker}", *option, "broken.o"],
                       cwd=launch.sdt.dir, env={**os.environ, **launch.env, "NO_COLOR": ""},
                       stderr=child, check=False)
        os.close(child)
        words = os.read(parent, 1 << 16)
        os.close(parent)
        # gcc itself colours what it says about the linker's status.
        said = words.split(b"collect2")[0]
        assert b"missing" in said and (b"\033[" in said.rsplit(b"\n", 1)[0]) == has_colour
