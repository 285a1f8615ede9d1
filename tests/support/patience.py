# SPDX-License-Identifier: BSD-2-Clause
"""Run a command that must come to an end, however busy the machine is.

A limit in wall-clock time also limits what else the machine may do. Here a command fails in two
cases that do not depend on that: it has used more processor time than it may, or it hangs: its
processes sleep, and in IDLE seconds have done next to nothing. A process that waits for its turn is
runnable, not asleep. (pytest's own limit in pytest.ini is for tests that hang without a command.)
"""
import os
import pathlib
import resource
import signal
import subprocess
import time

PROCESSOR_TIME = 300  # seconds for each process of a command: an endless loop
IDLE = 60
STATE, PARENT, TIMES = 0, 1, slice(11, 15)  # fields of /proc/PID/stat after the name


class Hangs(Exception):
    """A command that would never have ended."""


def _stat(path):
    """The fields after the name; None: that process has just ended."""
    try:
        return path.read_text(errors="replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def _family(root):
    """The children of a process, theirs, and so on: pid → fields of stat."""
    # By the names alone: glob() would look at each, and processes end meanwhile.
    stats = {int(name): _stat(pathlib.Path("/proc", name, "stat"))
             for name in os.listdir("/proc") if name.isdecimal()}
    children = {}
    for pid, stat in stats.items():
        children.setdefault(int(stat[PARENT]) if stat else 0, []).append(pid)
    found, more = {}, [root]
    while more:
        more = [child for pid in more for child in children.get(pid, []) if stats[child]]
        found |= {pid: stats[pid] for pid in more}
    return found


def _sleeps(pid):
    """Whether every thread waits for something other than a processor or a disk."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except (FileNotFoundError, ProcessLookupError):
        return True
    stats = [_stat(pathlib.Path(f"/proc/{pid}/task", thread, "stat")) for thread in threads]
    return all(stat is None or stat[STATE] in "StTZX" for stat in stats)


def _is_asleep():
    """Whether all are, in several samples: one that polls is caught awake in the last of them."""
    for _ in range(10):
        if not all(_sleeps(pid) for pid in _family(os.getpid())):
            return False
        time.sleep(0.05)
    return True


class Watch:
    """Tells, when asked every IDLE seconds, whether this test makes no progress any more."""

    def __init__(self):
        self.last = self._ticks()

    @staticmethod
    def _ticks():
        """Processor time of all processes that this one has started, in 1/100 s."""
        mine = sum(map(int, _stat(pathlib.Path("/proc/self/stat"))[TIMES][2:]))
        return mine + sum(sum(map(int, stat[TIMES])) for stat in _family(os.getpid()).values())

    def is_idle(self):
        before, self.last = self.last, self._ticks()
        # A hundredth: waiting in a loop with pauses is no progress.
        return abs(self.last - before) < IDLE and _is_asleep()


def until(condition, process=None, pause=0.005):
    """Wait until CONDITION() is true, or PROCESS has ended: whether it is true."""
    watch, asked = Watch(), time.monotonic()
    while not (met := condition()) and (process is None or process.poll() is None):
        time.sleep(pause)
        if time.monotonic() - asked > IDLE:
            asked = time.monotonic()
            if watch.is_idle():
                raise Hangs("what was waited for never comes")
    return met or condition()


def wait(process, data=None, look=None):
    """communicate() with a process to its end, or kill it with all that it has started. What
    LOOK(pid) says of one that hangs becomes part of the message."""
    watch = None  # until it has been asked once: most have ended long before
    while True:
        try:
            return process.communicate(data, timeout=IDLE)
        except subprocess.TimeoutExpired:
            data = None
            if watch is None:
                watch = Watch()
            elif watch.is_idle():
                seen = look(process.pid) if look else ""
                for pid in _family(process.pid):
                    os.kill(pid, signal.SIGKILL)
                process.kill()
                raise Hangs(f"{process.args}: waits for what never comes\n{seen}") from None


def run(argv, processor_time=PROCESSOR_TIME, **kwargs):
    """subprocess.run(), with standard input as `input`; kills and raises Hangs instead of waiting
    for ever. What has used up its processor time ends by SIGXCPU or SIGKILL."""
    if kwargs.pop("capture_output", False):
        kwargs |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    data = kwargs.pop("input", None)
    check = kwargs.pop("check", False)
    if data is not None:
        kwargs["stdin"] = subprocess.PIPE
    with subprocess.Popen(argv, **kwargs) as process:
        try:
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (processor_time, processor_time + 5))
        except ProcessLookupError:
            pass  # it has ended
        except PermissionError:
            pass  # it is another process by now; whether it hangs is seen all the same
        try:
            out, errors = wait(process, data)
        except BaseException:
            process.kill()
            raise
    if check and process.returncode:
        raise subprocess.CalledProcessError(process.returncode, argv, out, errors)
    return subprocess.CompletedProcess(argv, process.returncode, out, errors)
