# SPDX-License-Identifier: BSD-2-Clause
"""bpftrace that looks at all processes while something else is done, then says what it saw."""
import contextlib
import itertools
import signal
import subprocess
import threading

MOST_SECONDS = 300  # then it is killed, which ends whatever is read from it


class Watching:
    """with Watching(script) as tracer: …; tracer.output: all that it printed once it was ready."""

    def __init__(self, script):
        self.process = subprocess.Popen(
            ["bpftrace", "-e", 'BEGIN { printf("ready\\n"); } ' + script], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.watchdog = threading.Timer(MOST_SECONDS, self.process.kill)
        self.watchdog.daemon = True
        self.watchdog.start()
        self.output = ""

    def __enter__(self):
        assert "ready\n" in self.process.stdout, "bpftrace ended early"  # reads on to there
        return self

    def read(self, lines):
        """Wait for so many LINES: those not read by the time of its end are lost."""
        self.output += "".join(itertools.islice(self.process.stdout, lines))

    def __exit__(self, *_):
        self.interrupt()
        self.output += self.process.stdout.read()
        self.process.stdout.close()
        self.watchdog.cancel()

    def interrupt(self):
        """bpftrace 0.17 forgets a signal that comes while it does not wait for events; one that
        comes while it prints its maps ends it at once."""
        while self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
