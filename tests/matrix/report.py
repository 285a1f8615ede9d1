# SPDX-License-Identifier: BSD-2-Clause
"""docs/toolchains.md from a run: `./run toolchains`, or by hand

    SDT_MATRIX=DIRECTORY SDT_BUILD=build pytest -n 2 tests/toolchains/test_matrix.py
    cd tests && PYTHONPATH=support python3 -m matrix.report DIRECTORY > ../docs/toolchains.md
"""
import json
import pathlib
import re
import subprocess
import sys
import textwrap

from matrix import releases, table
from matrix.known import KNOWN

PAGE = pathlib.Path(__file__).parent.parent.parent / "docs" / "toolchains.md"
INTRODUCTION = """\
# Toolchains: what was tested, with what, and what does not work

`./run toolchains` prints this page from a run of every cell of `tests/toolchains/test_matrix.py`. A
cell is one program, built by one compiler at one optimisation level, and linked by one linker into
one kind of output, with one option. The program has {probes} probes in C and C++, inline and as
calls: in plain functions, in inline functions and templates that several objects have copies of, in
loops that are unrolled, in cold, startup and user-named sections, in code that exceptions pass
through, in is-enabled sites, in calls that become jumps and conditional jumps, and in functions
that are never called. In each cell the test checks that:

- The site set lists exactly the sites in the final text: none is missing, wrong or listed twice.
  The sites are counted independently: inline ones by *markers*, 7-byte NOPs that the program has
  after each probe, and calls by objdump in a *control*, the same objects linked without sdtlink,
  with functions in place of the probes.
- The output has everything that the control has, and nothing else except dead functions (below)
  and, with `--icf=all`, a second copy of two functions that differ only in where their sites are.
- The output has no more dynamic relocations than the control, except those that an object with
  probes needs to register itself: for two calls of a constructor, one destructor and two weak
  functions.
- `sdtlink list` agrees, and `sdtlink verify`, the second reader, finds no defect.
- The program runs with its probes off, on and off again. Each enabled probe fires as often as the
  program itself counts, with the arguments that it noted before; disabled probes do not fire;
  is-enabled sites answer correctly.
- Debug information, if there is any, names the functions of the sites.

In this run: **{cells} cells, {passed} of them as demanded, {known} cannot work (listed below),
{failed} failed**; {sites} sites were compared, and {hits} hits of enabled probes.
"""
PLAIN = """\
## Without options

25 cells each: at -O0, -O1, -O2, -O3 and -Os, as a no-PIE, PIE, static and static-PIE program, and
as a shared library loaded with dlopen().
"""
OPTIONS = """\
## Options

Each compiler that has the option, with each kind of output for which it makes sense. The
optimisation level changes from cell to cell. A dash: this linker does not have the option.
"""
FORMS = """\
## Forms of sites

What the compilers made of the same source. [design.md](design.md) explains the kinds.
"""
DEAD = """\
## Dead functions

Sites of functions that `--gc-sections` removes from the control but not from the output of sdtlink.
0 means that the set is exact about them as well. gold and mold keep a section whose name is a C
identifier and that `__start_…` refers to, with everything that it refers to; so does bfd without
`-z start-stop-gc`. With these three, the launcher makes a set that nothing refers to: two objects
of its own mark where it begins and ends. After gold and mold it also removes the notes of
functions that they dropped.
"""
EXCEPTIONS = """\
## What does not work

The letters in the tables. *Without sdtlink as well* means that the control fails as well: it does
not link, or the program does not run.
"""


def version(program):
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return text.splitlines()[0].strip()


def versions():
    programs = [(c.name, c.c) for c in table.COMPILERS.values()]
    programs += [(n.name, n.program) for n in table.LINKERS.values()]
    programs += [("strip, objcopy", "objcopy"), ("llvm-strip", "llvm-strip")]
    llvm = re.compile(r"^.* (?=\w+ version)")
    return rows(["in the tables", "says of itself"],
                [[name, llvm.sub("", version(program))] for name, program in programs])


def rows(head, body):
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


class Run:
    """What the cells of one run said."""

    def __init__(self, directory):
        said = [json.loads(path.read_text()) for path in pathlib.Path(directory).glob("*.json")]
        by_name = {one["cell"]: one for one in said}
        missing = [str(cell) for cell in table.CELLS if str(cell) not in by_name]
        if missing:
            sys.exit(f"{len(missing)} cells did not run, {missing[0]} for one")
        self.said = {cell: by_name[str(cell)] for cell in table.CELLS}

    def state(self, cell):
        said = self.said[cell]
        return "passed" if said.get("passed") else "known" if said.get("known") else "failed"

    def count(self, state):
        return sum(self.state(cell) == state for cell in table.CELLS)

    def total(self, what):
        return sum(said.get(what, 0) for said in self.said.values())

    def letters(self, cells):
        """Of what is known of these cells."""
        whys = {self.said[cell]["known"]["why"] for cell in cells if self.state(cell) == "known"}
        return "".join(f" {letter(known)}" for known in KNOWN if known.why in whys)

    def share(self, cells):
        """How many of CELLS passed: `15`, or `12 of 15 a` with a letter for the rest."""
        if not cells:
            return "–"
        passed = sum(self.state(cell) == "passed" for cell in cells)
        if passed == len(cells):
            return str(passed)
        failed = sum(self.state(cell) == "failed" for cell in cells)
        return (f"{passed} of {len(cells)}{self.letters(cells)}" +
                (f", **{failed} failed**" if failed else ""))

    def dead(self, cells):
        counts = {self.said[cell]["dead"] for cell in cells if self.state(cell) == "passed"}
        if not counts:
            return "–"
        return str(min(counts)) if len(counts) == 1 else f"{min(counts)}–{max(counts)}"


def letter(known):
    return chr(ord("a") + KNOWN.index(known))


def select(**columns):
    return [cell for cell in table.CELLS
            if all(getattr(cell, name) == value for name, value in columns.items())]


def plain_table(run):
    body = [[compiler] + [run.share(select(compiler=compiler, linker=linker, option="plain"))
                          for linker in table.LINKERS] for compiler in table.COMPILERS]
    return rows(["", *table.LINKERS], body)


def options_table(run):
    body = [[option.title] + [run.share(select(linker=linker, option=option.name))
                              for linker in table.LINKERS]
            for option in table.OPTIONS.values() if option.name != "plain"]
    return rows(["cells that passed", *table.LINKERS], body)


def dead_table(run):
    body = [[option.title] + [run.dead(select(linker=linker, option=option.name))
                              for linker in table.LINKERS]
            for option in table.OPTIONS.values() if option.collects]
    return rows(["dead sites kept", *table.LINKERS], body)


def kinds_table(run):
    names = sorted({kind for said in run.said.values() for kind in said.get("kinds", ())})
    body = [[kind] + [str(sum(kind in run.said[cell].get("kinds", ())
                              for cell in select(compiler=compiler)))
                      for compiler in table.COMPILERS] for kind in names]
    return rows(["cells with sites of kind", *table.COMPILERS], body)


def exceptions(run):
    lines = []
    for known in KNOWN:
        cells = [cell for cell in table.CELLS if run.state(cell) == "known"
                 and run.said[cell]["known"]["why"] == known.why]
        control = sum(run.said[cell]["known"]["fails"] == "control" for cell in cells)
        where = f"{control} of {len(cells)} cells without sdtlink as well"
        if control == len(cells):
            where = f"{control} cells, all without sdtlink as well"
        lines.append(textwrap.fill(f"- **{letter(known)}** ({where}): {known.why}.", 98,
                                   subsequent_indent="  ", break_on_hyphens=False))
    failed = [f"- **failed**: {cell}" for cell in table.CELLS if run.state(cell) == "failed"]
    return "\n".join(lines + failed) + "\n"


def page(run):
    from matrix import truth
    return "\n".join([
        INTRODUCTION.format(probes=len(truth.NAMES), cells=len(table.CELLS),
                            passed=run.count("passed"), known=run.count("known"),
                            failed=run.count("failed"), sites=f"{run.total('sites'):,}",
                            hits=f"{run.total('hits'):,}"),
        versions(),
        PLAIN,
        plain_table(run),
        OPTIONS,
        options_table(run), DEAD, dead_table(run),
        FORMS,
        kinds_table(run), EXCEPTIONS, exceptions(run),
        releases.section(PAGE.read_text("utf-8"))]).rstrip("\n") + "\n"


if __name__ == "__main__":
    print(page(Run(sys.argv[1])), end="")
