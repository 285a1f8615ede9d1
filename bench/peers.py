# SPDX-License-Identifier: BSD-2-Clause
"""The other tracers' own machinery: a session daemon, a background bpftrace; and what is missing.

Each peer is configured as its documentation recommends. What cannot run here (no root, no package)
is skipped, and the result says so: a row that is missing is not a peer that was beaten.
"""
import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

# LTTng-UST: `lttng-sessiond` as a user's own daemon; a flight recorder (a snapshot session, which
# overwrites) with the few large sub-buffers that lttng-enable-channel(1) advises for throughput, so
# that no event is lost to a slow disk; the program waits until the daemon knows it.
LTTNG_CHANNEL = ("--num-subbuf=4", "--subbuf-size=4M")
LTTNG_ENVIRONMENT = {"LTTNG_UST_REGISTER_TIMEOUT": "-1"}
PATIENCE = 30


class Missing(Exception):
    """Why a peer cannot be measured here."""


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Missing(f"there is no {program}")


def need_header(name):
    probe = subprocess.run(["gcc", "-xc", "-E", "-include", name, os.devnull], check=False,
                           capture_output=True)
    if probe.returncode != 0:
        raise Missing(f"there is no <{name}>")


def need_uprobes():
    if os.geteuid() != 0 or not pathlib.Path("/sys/bus/event_source/devices/uprobe").exists():
        raise Missing("uprobes need root and a kernel with them")


@contextlib.contextmanager
def lttng(bench, *events, told=()):
    """A session in which EVENTS are on, and with vpid and vtid those in TOLD. The daemon is ours,
    and ends with us."""
    need("lttng", "lttng-sessiond")
    home = bench.work / "lttng"
    home.mkdir(exist_ok=True)
    environment = {**os.environ, "LTTNG_HOME": str(home), "LTTNG_RUNDIR": str(home / "run")}
    name = f"sdt-bench-{os.getpid()}"
    if subprocess.run(["lttng", "list"], check=False, capture_output=True).returncode == 0:
        raise Missing("a session daemon is running already, and is left alone")
    daemon = subprocess.Popen(["lttng-sessiond", "--no-kernel"], env=environment,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def control(*argv):
        return bench.command("lttng", "--no-sessiond", *argv, env=environment)

    try:
        _await(lambda: subprocess.run(["lttng", "--no-sessiond", "list"], env=environment,
                                      check=False, capture_output=True).returncode == 0)
        control("create", name, "--snapshot", f"--output={home}/out")
        control("enable-channel", "--userspace", *LTTNG_CHANNEL, "wide")
        for event in events:
            control("enable-event", "--userspace", "--channel=wide", event)
        if told:
            control("enable-channel", "--userspace", *LTTNG_CHANNEL, "told")
            control("add-context", "--userspace", "--channel=told", "--type=vpid", "--type=vtid")
        for event in told:
            control("enable-event", "--userspace", "--channel=told", event)
        control("start")
        yield {**environment, **LTTNG_ENVIRONMENT}
        control("destroy", name)
    finally:
        daemon.terminate()
        daemon.wait()


def _await(is_ready):
    deadline = time.monotonic() + PATIENCE
    while not is_ready():
        if time.monotonic() > deadline:
            raise Missing("it did not start in time")
        time.sleep(0.05)


def _interrupt(tracer):
    """What bpftrace prints at its end. Version 0.17 forgets a signal that comes while it does not
    wait for events, so it gets a second."""
    tracer.send_signal(signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        return tracer.communicate(timeout=PATIENCE)[0]
    tracer.send_signal(signal.SIGINT)
    return tracer.communicate(timeout=PATIENCE)[0]


@contextlib.contextmanager
def bpftrace(program, is_attached):
    """PROGRAM runs, and IS_ATTACHED() has become true. Ends with a check that it saw hits."""
    need("bpftrace")
    tracer = subprocess.Popen(["bpftrace", "-e", program], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
    try:
        _await(lambda: tracer.poll() is not None or is_attached())
        if tracer.poll() is not None:
            raise Missing("bpftrace: " + tracer.stderr.read().strip().partition("\n")[0])
        yield
        out = _interrupt(tracer)
        # A number, one of a key, or a line of a histogram.
        if not re.search(r"^(@(\[[^]]*\])?: -?|\[[^])]*[])] +)[1-9]", out, re.M):
            raise SystemExit(f"bench: bpftrace counted nothing: {out}")
    finally:
        tracer.kill()
        tracer.wait()


def note_address(bench, exe):
    """The linked address of the program's only stapsdt probe."""
    return re.search(r"Location: (0x[0-9a-f]+)", bench.command("readelf", "-n", exe)).group(1)


def symbol_address(bench, exe, symbol):
    return re.search(rf"^([0-9a-f]+) \w {symbol}$", bench.command("nm", exe), re.M).group(1)
