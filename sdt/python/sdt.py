# SPDX-License-Identifier: BSD-2-Clause
"""Trace running programs from Python: sdt(1)'s commands, as objects.

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
program that uses it ends, nothing stays in the process.
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
    """Options of sdt, by their long names: True is one without an argument."""
    words = []
    for name, value in options.items():
        if value is True:
            words.append(f"--{name}")
        elif value is not None and value is not False:
            words.append(f"--{name}={value}")
    return words


def _by(keys):
    """A key, or two."""
    if not keys:
        return []
    return ["by", keys if isinstance(keys, str) else ", ".join(keys)]


def _condition(predicate):
    return [f"/{predicate}/"] if predicate else []


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
    with tempfile.TemporaryFile() as errors:  # not a pipe: it is not read meanwhile
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


def count(*patterns, target=None, command=None, predicate=None, by=None, interval=None,
          seconds=None, follow=False, restarts=False, keys=None, top=None, describe=None,
          sum=False):  # pylint: disable=redefined-builtin
    """Hits of probes: an object for each at the end. With an INTERVAL, one for each interval, with
    the hits of that interval alone; at the end, those with a member `total` have all hits. BY is
    an expression, or two of them; the other arguments are the options of sdt-count(1)."""
    return _run("count", "--json",
                *_options(interval=interval, duration=seconds, follow=follow, restarts=restarts,
                          keys=keys, top=top, describe=describe, sum=sum),
                *patterns, *_condition(predicate), *_by(by), *_where(target, command),
                command=command)


def hist(pattern, expression, target=None, command=None, predicate=None, by=None, seconds=None,
         interval=None, follow=False, restarts=False, keys=None, top=None, linear=None,
         describe=None):
    """Histograms of an expression, one for each key. LINEAR is "LOW:STEP"."""
    return _run("hist", "--json",
                *_options(interval=interval, duration=seconds, follow=follow, restarts=restarts,
                          keys=keys, top=top, linear=linear, describe=describe),
                pattern, *_condition(predicate), expression, *_by(by), *_where(target, command),
                command=command)


def lat(begin, end, target=None, command=None, by=None, seconds=None, outliers=None, match=None,
        begin_predicate=None, end_predicate=None, interval=None, follow=False, restarts=False,
        keys=None, top=None, describe=None):
    """How long it takes from BEGIN to END, in nanoseconds, one object for each key; and after
    these the slowest, which have a member `outlier`, as many as are asked for. An end belongs to
    the begin of its thread, or to the one with the same value of MATCH. BY is an expression, or two
    of them. With an INTERVAL, objects are of that interval alone; at the end, those with a member
    `total` are of all."""
    return _run("lat", "--json",
                *_options(interval=interval, duration=seconds, follow=follow, restarts=restarts,
                          keys=keys, top=top, outliers=outliers, describe=describe),
                begin, *_condition(begin_predicate), end, *_condition(end_predicate),
                *(["match", match] if match else []), *_by(by), *_where(target, command),
                command=command)


def trace(pattern, target=None, command=None, predicate=None, seconds=None, limit=None, rate=None,
          follow=False, restarts=False, stack=None, describe=None, context=False):
    """Events as they happen. STACK is True, or how many callers; RATE 0: all."""
    return _run("trace", "--json",
                *_options(duration=seconds, limit=limit, rate=rate, follow=follow,
                          restarts=restarts, stack=stack, describe=describe,
                          context=context),
                pattern, *_condition(predicate), *_where(target, command), command=command)


def probes(target, pattern=None, describe=None):
    """The probes of a process, of all processes of a name, or of the file of a program."""
    is_file = isinstance(target, str) and os.path.exists(target)
    where = [target] if is_file else ["-p", str(target)]
    return _run("list", "--json", *_options(describe=describe), *where,
                *([pattern] if pattern else []))


def processes():
    """The attachable processes."""
    return _run("ps", "--json")
