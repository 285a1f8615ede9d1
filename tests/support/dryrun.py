# SPDX-License-Identifier: BSD-2-Clause
"""--dry-run refuses what -o refuses, in the same words.

Toolbox.sdtlink() asks this after every refusal of an object, so that each refused input of the
suite, whatever test it belongs to, is an input of this check as well.
"""
import os
import re
import subprocess

# What becomes of an output is not known before it is written.
ABOUT_THE_OUTPUT = re.compile(r"error: (cannot (write|rename|map|create|set) |a companion cannot)")


def as_dry_run(args):
    """ARGS of `sdtlink -o OUT IN` or `finalize FILE` with --dry-run; None: another command."""
    args = [str(arg) for arg in args]
    if args[0] == "finalize":
        return ["finalize", "--dry-run", *args[1:]]
    if "-o" not in args or not args[0].startswith("-"):
        return None
    at = args.index("-o")
    rest = args[:at] + args[at + 2:]
    is_rewrite = rest and sum(not arg.startswith("-") for arg in rest) == 1
    return ["--dry-run", *rest] if is_rewrite and not rest[-1].startswith("-") else None


def errors(text):
    """From the first error on: -v and warnings may say more before it."""
    at = text.find("sdtlink: error: ")
    return text[at:] if at >= 0 else ""


def compare(tool, args, status, stderr, **kwargs):
    """Run the command again with --dry-run; it must end and speak alike."""
    words = as_dry_run(args)
    if words is None or status not in (0, 1) or ABOUT_THE_OUTPUT.search(stderr):
        return
    result = subprocess.run([str(tool), *words], capture_output=True, text=True, errors="replace",
                            check=False, timeout=120, **kwargs)
    what = " ".join(words)
    assert (result.returncode, errors(result.stderr)) == (status, errors(stderr)), what
    assert status == 0 or result.stdout == "" or words[0] == "finalize", what


def compare_in(directory, tool, args, status, stderr, env=None):
    """As a Toolbox runs it."""
    compare(tool, args, status, stderr, cwd=directory, env={**os.environ, **(env or {})})
