# SPDX-License-Identifier: BSD-2-Clause
"""Every compiler with every linker, optimisation, kind of output and option: one cell, one test.

matrix/table.py says which cells there are, matrix/truth.py what is true of a linked file. The
quick cells have every value, and every compiler with every linker; the others are slow only
because they are many.
"""
import collections
import dataclasses
import json
import os
import pathlib
import re
import shutil

import pytest

from conftest import ROOT
from elfview import ElfView
from matrix import releases, table, truth
from matrix.build import TOOL, Build, Cache, Failed, command
from matrix.known import KNOWN, known_failure
from stapsdt import notes

pytestmark = pytest.mark.nosan  # the tool meets its objects there in the other tests

# What registering one object with the runtime costs the dynamic loader, and nothing else may: the
# constructor, which is called twice, the destructor, and the two weak functions that they call.
REGISTRATION = collections.Counter({".init_array": 2, ".fini_array": 1, ".got": 2, ".got.plt": 2})


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    """One for all processes of a run: xdist gives each a directory of its own below the run's."""
    base = tmp_path_factory.getbasetemp()
    return Cache((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "matrix")


@pytest.fixture
def report(request):
    """What the cell has to say for docs/toolchains.md; written if SDT_MATRIX names a directory."""
    said = {}
    yield said
    directory = os.environ.get("SDT_MATRIX")
    if directory:
        path = pathlib.Path(directory)
        path.mkdir(parents=True, exist_ok=True)
        name = request.node.callspec.id.replace(":", "_")
        (path / f"{name}.json").write_text(json.dumps({"cell": request.node.callspec.id, **said}))


def check_set(build, view, sites, control):
    """The records are the sites: the markers and the control agree."""
    assert truth.pairing(view, sites) == []
    assert truth.recorded_calls(sites) == truth.calls(control)
    if not build.option.folds:
        assert truth.doubled(sites) == []


def check_markers(build, view, control):
    """Every site of the control is there. Returns how many there are of functions that the control
    has not, being dead; no other is there that the control has not."""
    ours = collections.Counter(number for _, number in truth.markers(view))
    theirs = collections.Counter(number for _, number in truth.markers(control))
    assert not theirs - ours
    dead, live = truth.surplus(ours, theirs, build.option.folds)
    assert not live
    return dead


def check_collected(build, dead):
    """Where dead functions can be collected they are: by lld, and by bfd with -z start-stop-gc or
    the launcher. Otherwise their records keep them. (What -r has joined is counted only: it depends
    on which sections that linker merges.)"""
    option, linker = build.option, table.LINKERS[build.cell.linker]
    is_exact = (linker.family == "lld" or option.name == "gc-start-stop" or
                (option.launcher and linker.family == "bfd"))
    if not option.collects or (is_exact and not option.join):
        assert dead == 0


def check_relocations(view, control):
    ours, theirs = truth.dynamic_relocations(view), truth.dynamic_relocations(control)
    more = collections.Counter()
    for (section, _), n in (ours - theirs).items():
        more[section] += n
    assert not more - REGISTRATION, ours - theirs


def check_readers(path, sites):
    """`list` and `verify` see the same sites."""
    command(TOOL, "verify", path)
    listed = json.loads(command(TOOL, "list", "--json", path))
    assert sorted((s["address"], s["provider"], s["name"], s["kind"]) for s in listed
                  if s["kind"] != "stapsdt") == \
        sorted((s.pc, s.provider, s.name, s.kind) for s in sites)


def check_notes(path, sites, are_stripped):
    """A note at each site that fires, and nowhere else, which says what the record says."""
    def words(site):
        text = (site.args or "").replace("p@", "@")
        return text.replace("f@", "@") if site.kind == "inline" else re.sub("[48]f@", "8@", text)
    # Statically linked, libstdc++ brings notes of its own.
    found = [n for n in notes(path) if n.provider == "matrix"]
    fires = [s for s in sites if not s.kind.startswith("enabled")]
    if are_stripped:
        assert fires and not found
        return
    assert collections.Counter((n.pc, n.provider, n.name, n.args) for n in found) == \
        collections.Counter((s.pc, s.provider, s.name, words(s)) for s in fires)
    [base] = [s.address for s in ElfView(path).sections if s.name == ".stapsdt.base"]
    assert {(n.base, n.semaphore) for n in found} == {(base, 0)} and base


def check_run(build, path, sites):
    output = build.run(path)
    assert output.endswith("ok\n"), output
    assert f"sites {len(sites)}\n" in output
    return int(output.split("hits ")[1].split()[0])


def check_debug(path, sites):
    """The debug information knows the sites' functions."""
    sites = [site for site in sites if site.kind != "jcc"]  # whose first byte no compiler made
    listed = command("addr2line", "-aCfi", "-e", path, *(hex(site.pc) for site in sites))
    names = command("c++filt", *(truth.plain(site.function) for site in sites)).splitlines()
    found = re.split("^0x", listed, flags=re.M)[1:]
    assert len(found) == len(names)
    for frames, name in zip(found, names):
        functions = [truth.plain(line).split("(")[0] for line in frames.splitlines()[1::2]]
        assert name.split("(")[0] in functions


@pytest.mark.parametrize("cell", [
    pytest.param(cell, marks=() if cell in table.QUICK else pytest.mark.slow, id=str(cell))
    for cell in table.CELLS])
def test_cell(cell, cache, tmp_path, report):
    build = Build(cell, cache, tmp_path)
    known = known_failure(cell)
    reached = "control"
    try:
        control = build.control()
        build.run_control(control)
        reached = "sdtlink"
        if known and known.ours:
            build.run(build.linked())
        assert not known or known.may_work, \
            f"it works now, though matrix/known.py says: {known.why}"
    except Failed as failure:
        assert known and known.matches(failure), failure
        report["known"] = {"why": known.why, "fails": reached}
        pytest.skip(f"{reached}: {known.why}")
    control = ElfView(control)
    path = build.linked()
    view = ElfView(path)
    sites = view.sites()
    check_set(build, view, sites, control)
    report["dead"] = check_markers(build, view, control)
    check_collected(build, report["dead"])
    check_relocations(view, control)
    check_readers(path, sites)
    check_notes(path, sites, are_stripped=build.option.strips_notes)
    report["sites"] = len(sites)
    report["kinds"] = sorted({s.kind for s in sites})
    report["hits"] = check_run(build, path, sites)
    if build.option.debug:
        check_debug(path, sites)
    report["passed"] = True
    shutil.rmtree(tmp_path)


def test_the_quick_cells_have_every_value():
    quick, every = (set().union(*map(table.shown, cells)) for cells in (table.QUICK, table.CELLS))
    assert quick == every and len(table.QUICK) < len(table.CELLS) / 50


def test_the_truth_differs_from_wrong_sets(cache, tmp_path):
    """A record less, one more, one at another place, of another probe, or twice."""
    build = Build(table.Cell(table.GCC_NAME, "bfd", "-O2", "pie", "plain"), cache, tmp_path)
    calls = truth.calls(ElfView(build.control()))
    view = ElfView(build.linked())
    sites = view.sites()
    for i, site in enumerate(sites):
        others = sites[:i] + sites[i + 1:]
        wrong = {"less": others, "moved": others + [dataclasses.replace(site, pc=site.pc + 256)],
                 "other": others + [dataclasses.replace(site, name="form__arm", kind="call")],
                 "more": sites + [dataclasses.replace(site, pc=site.pc + 1)]}
        for what, changed in wrong.items():
            is_seen = truth.pairing(view, changed) or truth.recorded_calls(changed) != calls
            # Where a plain call is, the run and `verify` have to say.
            assert is_seen or (what == "moved" and truth.is_form(site)), (what, site)
        assert truth.doubled(sites + [site])


@pytest.mark.parametrize("folds", [False, True])
def test_a_live_marker_more_is_seen_beside_dead_ones(folds):
    """Of each probe, with and without dead functions; also where one of it may be more."""
    number = {name: n for n, name in enumerate(truth.NAMES)}
    theirs = collections.Counter(number.values())
    for name in truth.NAMES:
        for dead in ({}, {number["dead__c"]: 3}):
            for more in range(4):
                ours = theirs + collections.Counter(dead)
                ours[number[name]] += more
                counted, live = truth.surplus(ours, theirs, folds)
                if name in truth.DEAD:
                    assert counted == sum(dead.values()) + more and not live
                else:
                    inline = 2 if folds else bool(dead)
                    free = {"fold": folds, "shared__inline": inline}.get(name, 0)
                    assert counted == sum(dead.values())
                    assert sum(live.values()) == max(0, more - free), (name, more, dead)


def test_the_page_is_of_this_table():
    """docs/toolchains.md was printed from a run of these very cells, all of them as they should."""
    page = " ".join((ROOT / "docs" / "toolchains.md").read_text().split())
    for name in (*table.COMPILERS, *table.LINKERS):
        if f" {name} |" not in page:
            pytest.skip(f"docs/toolchains.md is of another distribution: it does not know {name}")
    assert f"**{len(table.CELLS)} cells, " in page
    assert re.search(r"\b0 failed\*\*", page)
    for option in table.OPTIONS.values():
        assert option.name == "plain" or f"| {option.title} |" in page
    for known in KNOWN:
        assert known.why in page


def test_each_release_has_one_row():
    """Of several runs the latest; the rest of the page stays."""
    first = releases.with_row("# Page\n\nText.\n", ["trixie", *"123456789"])
    assert first.startswith(f"# Page\n\nText.\n\n{releases.HEADING}\n\n")
    both = releases.with_row(first, ["sid", *"123456789"])
    again = releases.with_row(both, ["trixie", *"987654321"])
    assert [line[:12] for line in again.splitlines()[-2:]] == ["| sid | 1 | ", "| trixie | 9"]
    assert releases.with_row(again, ["trixie", *"987654321"]) == again
    assert releases.section(again) == again.partition("Text.\n\n")[2]
