# SPDX-License-Identifier: BSD-2-Clause
"""Daemons: they write a title over argv[0], have no umask, become another user, and see another
root. Found with nginx, whose workers could be counted and not be recorded."""
import os
import signal
import stat
import subprocess

import pytest

import attached
import patience
import recorded
from attached import SDT, Target, code

NOBODY = 65534
needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")


@pytest.fixture
def shared(sdt):
    return attached.build(sdt)


@pytest.fixture
def public(sdt):
    """All of this test's directories can be passed by everybody."""
    for directory in [sdt.dir, *sdt.dir.parents]:
        if directory.stat().st_uid == os.getuid() and len(directory.parts) > 2:
            directory.chmod(directory.stat().st_mode | 0o011)


def record(sdt, target, *args):
    """What the process records of `hit 30`, and the messages of the tool."""
    before = code(target.pid)
    tool = subprocess.Popen([SDT, "record", "-p", str(target.pid), "-o", "rec", *args],
                            cwd=sdt.dir, stderr=subprocess.PIPE, text=True)
    attached.until_attached(tool, target.pid, before)
    target.do("hit 30")
    tool.send_signal(signal.SIGINT)
    errors = patience.wait(tool)[1]
    assert tool.returncode == 0, errors
    return recorded.read(sdt)[0]


def test_a_title_over_the_name(sdt, shared):
    with Target(shared) as target:
        target.do("daemon 0")
        with open(f"/proc/{target.pid}/cmdline", "rb") as file:
            assert file.read().startswith(b"a/b: cxxx")
        assert len(record(sdt, target)) == 40
    assert os.listdir(sdt.path("rec")).count(f"target-{target.pid}") == 1


def test_no_umask(sdt, shared):
    """A recording may be read by everybody then, as the umask says, but not be changed."""
    with Target(shared) as target:
        target.do("daemon 0")
        record(sdt, target)
    for path in sdt.path("rec").rglob("*"):
        assert not stat.S_IMODE(path.lstat().st_mode) & 0o022, path


@needs_root
def test_root_records_what_belongs_to_another_user(sdt, shared, public):
    with Target(shared) as target:
        target.do(f"daemon {NOBODY}")
        assert len(record(sdt, target, "-e", "live:*")) == 40
        assert not list(sdt.path("rec").glob("*/.rings"))
        assert {p.stat().st_uid for p in sdt.path("rec").glob("*/metadata")} == {NOBODY}


@needs_root
@pytest.mark.parametrize("pattern", ["live:tock", "live:tick /i == 3/"])
def test_root_traces_what_belongs_to_another_user(sdt, shared, pattern):
    with Target(shared) as target:
        target.do(f"daemon {NOBODY}")
        before = code(target.pid)
        tool = subprocess.Popen([SDT, "trace", "--json", "-n", "1", "-p", str(target.pid), pattern],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        attached.until_attached(tool, target.pid, before)
        target.do("hit 4")
        output, errors = patience.wait(tool)
        assert tool.returncode == 0, errors
        assert len(attached.json_lines(output)) == 1
        patience.until(lambda: code(target.pid) == before)


@needs_root
def test_a_process_with_a_tmp_of_its_own_is_traced(sdt, monkeypatch):
    """As services with PrivateTmp=yes."""
    if sdt.command("unshare", "-m", "true", status=None).returncode:
        pytest.skip("mounts of one's own are not permitted")
    monkeypatch.delenv("TMPDIR", raising=False)
    exe = sdt.link(sdt.process(sdt.compile("live_target.c", "-pthread")), "-Wl,-u,sdt_version",
                   "-Wl,--export-dynamic", "-pthread", "-ldl", name="alone")
    with open(exe, "rb") as program:
        script = f"mount -t tmpfs none /tmp && exec /proc/self/fd/{program.fileno()}"
        with Target("unshare", args=["-m", "sh", "-c", script], pass_fds=[program.fileno()],
                    cwd="/") as target:
            tool = subprocess.Popen([SDT, "trace", "--json", "-n", "1", "-p", str(target.pid),
                                     "live:tick"], stdout=subprocess.PIPE, text=True)
            patience.until(lambda: attached.is_in_poll(tool) and "off" not in
                           attached.states(sdt, target.pid)["tick"], tool)
            target.do("hit 4")
            assert len(attached.json_lines(patience.wait(tool)[0])) == 1
