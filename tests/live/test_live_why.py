# SPDX-License-Identifier: BSD-2-Clause
"""Which process `-p` means, why one cannot be attached to, and what `sdt` does with a command that
outlives its interest."""
import os
import resource
import signal
import subprocess

import pytest

import attached
import patience
from attached import SDT, Target, ask, json_lines

needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
SERVER = f"a_server_of_many_words_{os.getpid()}"  # no other process's name


@pytest.fixture
def shared(sdt):
    return attached.build(sdt)


# ---- Names. ----


def found(sdt, name):
    """The processes of that name, in which others look as well."""
    result = ask(sdt, "count", "--json", "-d", "0.001", "live:tick", "by", "pid", "-p", name)
    assert not result.stderr
    return sorted({line["pid"] for line in
                   json_lines(ask(sdt, "list", "--json", "-p", name).stdout)})


def test_a_name_of_more_than_15_characters(sdt):
    """The kernel keeps 15, which are those of several programs here."""
    one = attached.build(sdt, name=f"{SERVER}_one")
    other = attached.build(sdt, name=f"{SERVER}_other")
    with Target(one) as first, Target(one) as second, Target(other) as third:
        with open(f"/proc/{first.pid}/comm", encoding="ascii") as file:
            comm = file.read().strip()
        assert comm == SERVER[:15]
        assert found(sdt, one.name) == sorted([first.pid, second.pid])
        names = {line["pid"]: line["program"] for line in
                 json_lines(ask(sdt, "ps", "--json").stdout)}
        assert names[first.pid] == one.name and names[third.pid] == other.name
        assert ask(sdt, "list", "--json", "-p", other.name).stdout.count('"live"') == 2
        assert set(found(sdt, comm)) >= {first.pid, second.pid, third.pid}


def test_a_program_that_calls_itself_something_else(sdt):
    """By its file, and by what it says."""
    exe = attached.build(sdt, name=SERVER)
    with Target(exe) as target:
        target.do("name MainThread")
        assert ask(sdt, "list", "--json", "-p", SERVER).stdout.count('"live"') == 2


def test_the_name_of_a_script(sdt):
    """Its interpreter is another file."""
    exe = attached.build(sdt, name="interpreter")
    script = sdt.write(f"{SERVER}_script", f"#!{exe}\n")
    script.chmod(0o755)
    with Target(script) as target:
        assert ask(sdt, "list", "--json", "-p", script.name).stdout.count('"live"') == 2
        names = {line["pid"]: line["program"] for line in
                 json_lines(ask(sdt, "ps", "--json").stdout)}
        assert names[target.pid] == script.name


# ---- Why not. ----


def why(sdt, pid):
    result = ask(sdt, "list", "-p", pid, status=1)
    assert result.stderr.startswith(f"sdt: error: process {pid} (")
    return result.stderr.strip()


@pytest.mark.parametrize("way, own, message", [
    ("files", "no descriptor is left (RLIMIT_NOFILE, or the system's limit)",
     "it has all of the 3 descriptors that it may have (RLIMIT_NOFILE, 'ulimit -n'); the control "
     "page needs one"),
    ("size", "a file would be larger than this process may have (RLIMIT_FSIZE)",
     "its limit of the size of files (RLIMIT_FSIZE, 'ulimit -f') is 4096 bytes; the control page "
     "has 84992"),
    ("filter", None,
     "its seccomp filter must allow memfd_create(2), ftruncate(2), fchmod(2), fcntl(2), mmap(2) "
     "and clone(2)"),
])
def test_a_process_that_could_not_make_its_page(sdt, way, own, message):
    exe = attached.build(sdt, "attach_refused.c", "refused")
    with subprocess.Popen([exe, way], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as process:
        said = process.stdout.readline().strip()
        assert own in (None, said), said
        assert why(sdt, process.pid).endswith(message)
        process.stdin.close()


def test_a_command_that_could_not_make_its_page_says_so(sdt, shared):
    """It inherits the limit of sdt, and that SIGXFSZ is ignored, as it is here."""
    result = ask(sdt, "count", "live:*", "--", shared, status=1, input="quit\n",
                 restore_signals=False,
                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)))
    assert "is not attachable: its limit of the size of files (RLIMIT_FSIZE" in result.stderr


@needs_root
def test_a_process_that_could_not_start_its_thread(sdt, public, shared):
    script = ["setpriv", "--reuid=65533", "--regid=65533", "--clear-groups", "--",
              "bash", "-c", f"ulimit -u 1; exec {shared}"]
    with Target(script[0], args=script[1:]) as target:
        message = why(sdt, target.pid)
        assert message.endswith("answers no requests: it could not start a thread: "
                                "Resource temporarily unavailable")


@pytest.fixture
def public(sdt):
    """All of this test's directories can be passed by everybody."""
    for directory in [sdt.dir, *sdt.dir.parents]:
        if directory.stat().st_uid == os.getuid() and len(directory.parts) > 2:
            directory.chmod(directory.stat().st_mode | 0o011)


def test_other_reasons(sdt, shared):
    with Target(shared, {"SDT_DISABLE_RUNTIME": "1"}) as target:
        assert why(sdt, target.pid).endswith("it was started with SDT_DISABLE_RUNTIME")
    with Target(shared, {"SDT_ATTACH": "0"}) as target:
        assert why(sdt, target.pid).endswith(
            "start it with 'sdt run' or SDT_ATTACH=1, or let it call sdt_attachable()")
    with Target(shared) as target:
        target.do("fds")
        assert why(sdt, target.pid).endswith("it has closed the descriptor of its control page")


@needs_root
def test_another_users_process_by_its_name(sdt, public, shared):
    exe = attached.build(sdt, name=SERVER)
    with Target(exe) as target:
        result = sdt.command("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--",
                             SDT, "count", "live:*", "-p", SERVER, status=1, cwd="/")
        assert result.stderr == (
            f"sdt: error: process {target.pid} ({SERVER}) cannot be attached to: it belongs to "
            "another user, root: run sdt as that user or as root\n")


# ---- Commands that go on. ----


def start(*argv):
    return subprocess.Popen([SDT, *map(str, argv)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("command", [
    ["count", "live:tick"], ["hist", "live:tick", "i"], ["trace", "live:tick"]])
def test_a_command_that_outlives_the_duration(shared, command):
    """No one is left to wait for it; so sdt does, says so, and passes signals on. (Where the time
    is too short for anything else, another line comes before.)"""
    with start(*command, "-d", "0.01", "--", shared) as tool:
        told = next(line for line in tool.stderr if "still runs" in line)
        assert told.startswith(f"sdt: {shared} (process ")
        assert told.endswith(") still runs; waiting for its end\n")
        tool.send_signal(signal.SIGTERM)
        assert patience.until(lambda: tool.poll() is not None)
        assert tool.returncode == 128 + signal.SIGTERM


def test_a_command_without_the_library(sdt):
    """Nothing can come to the gate. It is not waited for without a word, either."""
    source = sdt.write("plain.c", "#include <unistd.h>\nint main(void)\n{\n    pause();\n"
                       "    return 0;\n}\n")
    program = sdt.link(sdt.compile(source), "-static", runtime=None, name="plain")
    with start("count", "a:b", "--", program) as tool:
        told = tool.stderr.readline()
        assert told.startswith(f"sdt: {program} (process ")
        assert told.endswith(") runs, and nothing in it has loaded libsdt so far\n")
        tool.send_signal(signal.SIGTERM)
        assert "has no library libsdt" in tool.stderr.read()
        tool.wait()
        assert tool.returncode == 1
