# SPDX-License-Identifier: BSD-2-Clause
"""Look into running programs from Python: sdt(1)'s commands, as objects.

    import sdt

    for row in sdt.count("web:*", target="orders", interval=1, seconds=10):
        print(row["provider"], row["name"], row["rate"])

    slow = sdt.lat("query-begin", "query-end", target=4711, by="sql", seconds=5)
    for event in sdt.trace("web:request", command=["./server", "--port", "80"]):
        print(event["args"])

One file, without dependencies; it may be copied. Every function runs `sdt COMMAND --json` and gives
the objects that it prints, each a dict, as they come; sdt-count(1) and its like say what is in
them. It begins when the first object is asked for. A `target` is a process: its number, or its
name. A `command` is a list: a program that is started for this, and its arguments. Its standard
output is read together with that of sdt: whole lines that are no JSON objects are passed on, so a
program that prints such objects should print them elsewhere. When the generator is closed, or the
program that uses it ends, nothing stays behind in the process.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import warnings

__all__ = ["Error", "NothingMatches", "Warned", "count", "hist", "lat", "processes", "probes",
           "trace"]

#: The program; SDT in the environment names another one.
PROGRAM = os.environ.get("SDT", "sdt")


class Error(Exception):
    """sdt failed: `status` is its exit status, the text what it printed as an error."""

    def __init__(self, status, message):
        super().__init__(message.strip() or f"sdt ended with status {status}")
        self.status = status


class NothingMatches(Error):
    """No probe matches the pattern (status 3)."""


class Warned(UserWarning):
    """What sdt warned of at the end: the numbers are not all of it, or cannot be trusted."""


def _where(target, command):
    """What follows the options; _run() adds a command."""
    if (target is None) == (command is None):
        raise ValueError("either a target or a command is needed")
    if command is None:
        return ["-p", str(target)]
    return ["--"]


def _options(**options):
    words = []
    for name, value in options.items():
        if value is not None:
            words += [f"-{name}", str(value)]
    return words


def _warn(text):
    """Pass on sdt's warnings in TEXT, each with its advice."""
    for line, advice in re.findall(r"^sdt: warning: (.*)\n(?:  advice: +(.*)\n)?", text, re.M):
        warnings.warn(f"{line}; {advice}" if advice else line, Warned, stacklevel=4)


def _object(line):
    """What sdt has printed; None: a line of the command's."""
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _end(process, is_over):
    """Wait for PROCESS, which is interrupted first unless it IS_OVER by itself."""
    if not is_over:
        # Of a command, sdt passes on SIGTERM; Ctrl-C is the terminal's to send.
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.stdout.close()
    return process.wait()


def _run(*words, command=None):
    """The objects that `sdt WORDS` prints. With a COMMAND the status is that program's."""
    stdin = None if command else subprocess.DEVNULL
    with tempfile.TemporaryFile() as errors:  # not a pipe, that nobody reads meanwhile
        process = subprocess.Popen([PROGRAM, *words, *map(str, command or [])], stdin=stdin,
                                   stdout=subprocess.PIPE, stderr=errors, text=True,
                                   encoding="utf-8", errors="replace")
        with process:
            is_over = False
            try:
                for line in process.stdout:
                    found = _object(line)
                    if found is None:
                        sys.stdout.write(line)
                    else:
                        yield found
                is_over = True
            finally:
                status = _end(process, is_over)
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    _warn(text)
    if status and (command is None or status in (1, 2, 3, 126, 127) and "sdt: error:" in text):
        raise (NothingMatches if status == 3 else Error)(status, text)


def count(*patterns, target=None, command=None, by=None, interval=None, seconds=None):
    """Hits of probes: an object for each at the end. With an INTERVAL, one for each interval, with
    the hits of that interval alone; at the end, those with a member `total` have all hits."""
    by = ["by", by] if by else []
    return _run("count", "--json", *_options(i=interval, d=seconds), *patterns, *by,
                *_where(target, command), command=command)


def hist(pattern, expression, target=None, command=None, predicate=None, by=None, seconds=None):
    """Histograms of an expression, one for each key."""
    condition = [f"/{predicate}/"] if predicate else []
    by = ["by", by] if by else []
    return _run("hist", "--json", *_options(d=seconds), pattern, *condition, expression, *by,
                *_where(target, command), command=command)


def lat(begin, end, target=None, command=None, by=None, seconds=None, outliers=None, match=None):
    """How long it takes from BEGIN to END, in nanoseconds, one object for each key; and after
    these the slowest, which have a member `outlier`, as many as are asked for. An end belongs to
    the begin of its thread, or to the one with the same value of MATCH."""
    match = ["match", match] if match else []
    by = ["by", by] if by else []
    return _run("lat", "--json", *_options(d=seconds, n=outliers), begin, end, *match, *by,
                *_where(target, command), command=command)


def trace(pattern, target=None, command=None, predicate=None, seconds=None):
    """Events as they happen."""
    condition = [f"/{predicate}/"] if predicate else []
    return _run("trace", "--json", *_options(d=seconds), pattern, *condition,
                *_where(target, command), command=command)


def probes(target, pattern=None):
    """What can be looked at in a process, or in the file of a program."""
    is_file = isinstance(target, str) and os.path.exists(target)
    where = [target] if is_file else ["-p", str(target)]
    return _run("list", "--json", *where, *([pattern] if pattern else []))


def processes():
    """The attachable processes."""
    return _run("ps", "--json")
