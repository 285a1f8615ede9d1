# SPDX-License-Identifier: BSD-2-Clause
"""Programs that do what recorders do not expect: close their descriptors, take signals, leave
handlers by siglongjmp, end at the same moment."""
import fcntl
import os
import subprocess

import pytest

import recorded


@pytest.fixture
def process(sdt):
    return recorded.build(sdt, "record_process.c", "-Wall", "-Wextra")


def texts(sdt):
    return [event.fields["text"] for event in recorded.read(sdt)[0] if event.name == "late:text"]


@pytest.mark.parametrize("way", ["daemon", "daemon-thread"])
def test_a_daemon_that_uses_all_descriptors_itself(sdt, process, way):
    sdt.run(process, way)
    own = list(sdt.path("own").iterdir())
    assert len(own) == 29 and all(path.read_bytes() == b"own" for path in own)
    events, discarded, _ = recorded.read(sdt)
    assert (len(events), discarded) == (2502, 0)
    assert texts(sdt) == ["late", "last"]
    [trace] = recorded.traces(sdt)
    assert not (trace / ".rings").is_symlink()


def test_a_handler_that_is_left_by_siglongjmp(sdt, process):
    assert sdt.run(process, "jump") == "ok\n"
    assert texts(sdt) == ["<fault>"] * 5


def test_a_handler_for_one_time(sdt, process):
    assert sdt.run(process, "once") == "ok\n"
    assert texts(sdt) == ["<fault>"] * 2


def test_text_in_a_file_that_was_truncated(sdt, process):
    assert sdt.run(process, "truncated") == "ok\n"
    assert texts(sdt) == ["<fault>"] * 3


@recorded.with_and_without_rseq
def test_errno_is_kept(sdt, process, rseq):
    assert sdt.run(process, "errno", env=rseq) == "ok\n"


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="chroot(2) is root's")


@needs_root
def test_a_program_that_ends_where_it_sees_no_files(sdt, process):
    sdt.run(process, "jail", env=recorded.wish(sdt))
    assert len(recorded.words(sdt)) == 100 == recorded.count(sdt)
    [trace] = recorded.traces(sdt)
    assert not (trace / ".rings").is_symlink()
    assert not recorded.rings(int(trace.name.rpartition("-")[2]))


@needs_root
def test_a_program_that_cannot_write_its_recording_says_so(sdt, process):
    """All descriptors are also closed: nothing is left but the memory."""
    result = sdt.command(process, "jail-closed", env=recorded.wish(sdt))
    [trace] = recorded.traces(sdt)
    assert result.stderr.endswith(
        f": {trace}: No such file or directory; what is not written stays in memory: run "
        f"'sdt recover {sdt.path('rec')}'\n")
    recorded.tool(sdt, "recover", "rec")
    assert len(recorded.words(sdt)) == 100


@pytest.mark.parametrize("recorder", ["own", "sdt"])
def test_advice_fits_the_error(sdt, process, recorder):
    """To make room helps only where there is none."""
    if recorder == "own":
        result = sdt.command(process, "spoiled", env=recorded.wish(sdt))
    else:
        result = recorded.tool(sdt, "record", "-o", "rec", process, "spoiled")
    assert "Is a directory; what is not written stays in memory: run 'sdt recover " in result.stderr
    [trace] = recorded.traces(sdt)
    for path in trace.glob("cpu*"):
        path.rmdir()
    recorded.tool(sdt, "recover", "rec")
    assert len(recorded.words(sdt)) == 100


@pytest.mark.parametrize("most", [0, 100, 4096])
def test_a_limit_of_the_size_of_files_does_not_end_the_program(sdt, most):
    """Whoever exceeds it gets SIGXFSZ. What does not fit stays in memory, if it fits there."""
    many = recorded.build(sdt, "record_many.c", "-pthread")
    result = sdt.command("/bin/sh", "-c", f"ulimit -f {most}; exec {many} threads 100000 2",
                         env=recorded.wish(sdt, options="ring=1M"))
    assert result.stdout == ""
    if most < 4096:
        assert "File too large" in result.stderr
        assert not list(sdt.path("rec").glob("*/.rings"))
        assert not list(sdt.path("rec").glob("*/cpu*"))


def test_a_lock_that_is_taken_for_a_moment_is_no_watcher(sdt):
    """As other programs did that looked whether there is one when they ended, at the same time."""
    many = recorded.build(sdt, "record_many.c", "-pthread")
    sdt.path("rec").mkdir()
    with open(sdt.path("rec/.sdt-recording"), "w", encoding="ascii") as mark:
        fcntl.flock(mark, fcntl.LOCK_EX)
        sdt.run(many, "threads", 100, 2, env=recorded.wish(sdt))
    assert len(recorded.words(sdt)) == 2 * recorded.hits_of(100)


def test_many_programs_that_end_at_once(sdt):
    many = recorded.build(sdt, "record_many.c", "-pthread")
    env = {**os.environ, **recorded.wish(sdt, options="ring=64K")}
    running = [subprocess.Popen([many, "threads", "50", "1"], env=env) for _ in range(40)]
    assert [process.wait() for process in running] == [0] * 40
    assert len(recorded.traces(sdt)) == 40
    assert len(recorded.words(sdt)) == 40 * recorded.hits_of(50)
    assert not any(recorded.rings(process.pid) for process in running)
