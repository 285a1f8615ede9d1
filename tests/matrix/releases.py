# SPDX-License-Identifier: BSD-2-Clause
"""The table of releases in docs/toolchains.md: `./run distributions --quick`, which runs

    cd tests && PYTHONPATH=support python3 -m matrix.releases DIRECTORY SUITE ../docs/toolchains.md

in each release, with the DIRECTORY in which the quick cells of the matrix have left their results.
Each release has one row, the latest.
"""
import json
import os
import pathlib
import re
import sys

HEADING = "## Releases of Debian"
INTRODUCTION = """\
`./run distributions --quick` builds everything in each of these, runs the demo and `./run test
--compilers`: what depends on compilers and linkers, and the quick cells of the matrix with every
version of gcc, clang and lld that the release has. The quick cells have each value of the tables
above, and each compiler with each linker; the last three columns are theirs.
"""
HEAD = ["release", "gcc", "clang, lld", "bfd", "gold", "mold", "glibc", "passed", "cannot work",
        "failed"]


def number(program):
    """`2.40` of what `program --version` says first; a dash: it is not here."""
    from matrix.report import version
    from toolchain import has
    if not has(program):
        return "–"
    return re.search(r"\d+\.\d+(\.\d+)?", version(program).partition(")")[2] or
                     version(program))[0]


def row(directory, suite):
    from matrix import table
    from toolchain import COMPLETE_LLVMS, GCC_VERSIONS
    said = [json.loads(path.read_text()) for path in pathlib.Path(directory).glob("*.json")]
    passed, known = (sum(bool(one.get(what)) for one in said) for what in ("passed", "known"))
    failed = len(table.QUICK) - passed - known  # or did not run
    return [suite, ", ".join(map(str, GCC_VERSIONS)), ", ".join(map(str, COMPLETE_LLVMS)),
            number("ld.bfd"), number("ld.gold"), number("mold"),
            os.confstr("CS_GNU_LIBC_VERSION").split()[1], str(passed), str(known), str(failed)]


def section(page):
    """That of a page, to its end; nothing if it has none."""
    return HEADING + page.partition(HEADING)[2] if HEADING in page else ""


def with_row(page, new):
    """PAGE with this row, in place of the one of its release."""
    rows = [line for line in section(page).splitlines()
            if line.startswith("| ") and not line.startswith(("| release", "| ---"))]
    rows = [line for line in rows if not line.startswith(f"| {new[0]} |")]
    lines = sorted([*rows, f"| {' | '.join(new)} |"])
    head = [f"| {' | '.join(HEAD)} |", f"| {' | '.join(['---'] * len(HEAD))} |"]
    return "\n".join([page.partition(HEADING)[0].rstrip("\n"), "", HEADING, "", INTRODUCTION, *head,
                      *lines]) + "\n"


if __name__ == "__main__":
    results, name, path = sys.argv[1:]
    os.environ["SDT_TOOLCHAINS"] = "all"  # as --compilers has it, or QUICK is another list
    PAGE = pathlib.Path(path)
    PAGE.write_text(with_row(PAGE.read_text("utf-8"), row(results, name)), "utf-8")
