# SPDX-License-Identifier: BSD-2-Clause
"""Programs that others wrote, with the probes that they bring: built with our <sys/sdt.h> and our
`dtrace` they have the probes that they have with SystemTap's, the same tools count the same hits,
and linked by `sdtlink` they can be looked at from inside.

Their sources are Debian's, fetched by apt; where that is not possible the tests say so. One small
program, in the manner of those, is here (real/kvd).
"""
import collections
import fcntl
import json
import re
import shutil
import tempfile

import pytest
import patience
from conftest import CFLAGS, INCLUDE
from real.build import RUNTIME, TOOL, Builds
from real.debian import Unavailable
from real.observe import (Uprobes, bpftrace_hits, by_function, run, signatures, whole,
                          why_not)
from real.programs import ALL, WORKLOADS
from stapsdt import notes

pytestmark = pytest.mark.nosan  # builds with make and compilers; the tool takes part in links

PROGRAMS = [pytest.param(p, id=name, marks=[] if name == "kvd" else pytest.mark.slow)
            for name, p in ALL.items()]


@pytest.fixture(params=PROGRAMS)
def builds(request):
    made = Builds(request.param)
    try:
        made.source()
        made.directory("stock")
    except Unavailable as reason:
        pytest.skip(str(reason))
    return made


@pytest.fixture
def tracing(builds):
    """One test at a time looks at a program: the kernel refuses to watch one place with a semaphore
    and without at once, and the hits of another test's run are not ours.
    """
    if reason := why_not():
        pytest.skip(reason)
    with open(builds.cache.root / f"{builds.program.package}.tracing", "w", encoding="ascii") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        yield


def work(builds, flavour, **environment):
    """What the program prints."""
    command, more = builds.command(flavour)
    return run(command, more, **environment)


# The list of probes


def test_the_same_probes_with_arguments_of_the_same_sizes(builds):
    stock, ours = (signatures(builds.files(f)) for f in ("stock", "ours"))
    assert set(ours) == set(stock)
    assert {provider for provider, _, _ in ours} == set(builds.program.providers)
    # gcc inlines more, since it knows how short a probe is (docs/compat.md); never less.
    assert all(ours[site] >= n for site, n in stock.items())


def test_the_same_sites_in_each_function_without_inlining(builds):
    stock, ours = (by_function(builds.files(f)) for f in ("stock-O0", "ours-O0"))
    assert ours == stock


@pytest.mark.parametrize("flavour", ["ours", "sdtlink"])
def test_each_site_has_a_semaphore_that_is_off_in_the_file(builds, flavour):
    """One for each probe, a number of two bytes, in a part of the file that can be written to."""
    for theirs, path in zip(builds.files("stock"), builds.files(flavour), strict=True):
        assert all(n.semaphore for n in notes(theirs) + notes(path))
        probes = collections.defaultdict(set)
        for note in notes(path):
            probes[note.provider, note.name].add(note.semaphore)
        assert all(len(places) == 1 for places in probes.values())
        assert len(set.union(*probes.values())) == len(probes)


# Hits


@pytest.fixture
def stock_hits(builds, tracing):
    with Uprobes(builds.files("stock")) as uprobes:
        printed = work(builds, "stock")
        return uprobes.hits(), printed


@pytest.mark.parametrize("flavour", ["ours", "sdtlink"])
def test_the_kernel_counts_the_same_hits(builds, stock_hits, flavour):
    with Uprobes(builds.files(flavour)) as uprobes:
        printed = work(builds, flavour)
        hits = uprobes.hits()
    assert (hits, printed) == stock_hits
    assert {name: hits[name] for name, _ in builds.program.expected} \
        == dict(builds.program.expected)


@pytest.mark.parametrize("flavour", ["stock", "ours", "sdtlink"])
def test_semaphores_keep_the_way_to_probes_shut(builds, tracing, flavour):
    """A tracer that does not count them up sees those probes only that do not ask for it."""
    with Uprobes(builds.files(flavour)) as uprobes:
        work(builds, flavour)
        looked = uprobes.hits()
    with Uprobes(builds.files(flavour), counters=False) as uprobes:
        work(builds, flavour)
        assert set(looked) - set(uprobes.hits()) == set(builds.program.guarded)


@pytest.mark.parametrize("flavour", ["stock", "ours", "sdtlink"])
def test_bpftrace_counts_every_hit(builds, tracing, flavour):
    if shutil.which("bpftrace") is None:
        pytest.skip("bpftrace is not installed")
    expected = dict(builds.program.expected)
    assert bpftrace_hits(builds.files(flavour), set(expected),
                         lambda: work(builds, flavour)) == expected


def perf_probes(path, wanted):
    """Those whose sites perf can make one event of: with arguments of the same sizes, of which it
    leaves out the constants.
    """
    found = collections.defaultdict(set)
    for note in notes(path):
        words = [word.split("@") for word in note.args.split()]
        found[note.provider, note.name].add(tuple((n, size) for n, (size, place)
                                                  in enumerate(words) if place[0] != "$"))
    return [f"sdt_{provider}:{name}" for (provider, name), sites in sorted(found.items())
            if name in wanted and len(sites) == 1]


@pytest.mark.parametrize("flavour", ["stock", "ours", "sdtlink"])
def test_perf_counts_every_hit(builds, tracing, tmp_path, flavour):
    if shutil.which("perf") is None:
        pytest.skip("perf is not installed (package linux-perf)")
    expected, home = dict(builds.program.expected), {"HOME": str(tmp_path)}
    hits, command, environment = collections.Counter(), *builds.command(flavour)
    # Two perf at once get in each other's way: one may then fail to delete its events.
    with open(tempfile.gettempdir() + "/sdt_test_perf.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        probes = []
        try:
            for path in builds.files(flavour):
                run(["perf", "buildid-cache", "--add", str(path)], home)
                for probe in perf_probes(path, expected):
                    probes.append(probe)
                    run(["perf", "probe", "-q", f"%{probe}"], home)
            assert probes
            events = [word for probe in probes for word in ("-e", f"{probe}*")]
            run(["perf", "stat", "-x", ";", "-o", str(tmp_path / "counts"), *events, "--",
                 *command], {**environment, **home})
        finally:
            for probe in probes:
                run(["perf", "probe", "-q", "-d", f"{probe}*"], home)
    for count, name in re.findall(r"^(\d+);;sdt_\w+:(\w+?)(?:_\d+)?;",
                                  (tmp_path / "counts").read_text("ascii"), re.M):
        hits[name] += int(count)
    names = {probe.split(":")[1] for probe in probes}
    assert hits == {name: expected[name] for name in names}


# Our own tools on the results


def checked(path):
    """What `sdtlink list --check` says of a file, as a list of findings."""
    result = patience.run([TOOL, "list", "--check", "--json", str(path)], text=True,
                          capture_output=True)
    assert result.returncode in (0, 1) and not result.stderr, result
    return json.loads(result.stdout)


@pytest.mark.parametrize("flavour", ["ours", "sdtlink"])
def test_the_sites_are_as_consumers_want_them_also_while_traced(builds, tracing, flavour):
    """Nothing that a header can get wrong: arguments and the number of sites are the program's own,
    and the assembler's padding after a probe may happen to be a nop of five bytes.
    """
    alone = [checked(path) for path in builds.files(flavour)]
    found = {finding["id"] for findings in alone for finding in findings}
    assert not [name for name in found - {"probe-sites", "pc-nop-nop5"}
                if not name.startswith(("arg-", "args-size-", "args-unread-"))]
    with Uprobes(builds.files(flavour)):
        assert [checked(path) for path in builds.files(flavour)] == alone


def test_the_verifier_sees_every_site_of_a_link(builds, tracing):
    for path in builds.files("sdtlink"):
        result = patience.run([TOOL, "verify", str(path)], text=True, capture_output=True)
        probes = {(note.provider, note.name) for note in notes(path)}
        assert result.stdout + result.stderr == \
            f"{path}: {len(notes(path))} sites, {len(probes)} probes: ok\n"


# From inside


@pytest.fixture
def preload(tmp_path):
    """A library that subscribes to all probes of a program and reports."""
    library = tmp_path / "preload.so"
    run(["gcc", "-O2", "-Wall", "-shared", "-fPIC", *CFLAGS, f"-I{INCLUDE}",
         str(WORKLOADS / "preload.c"), "-o", str(library), f"-L{RUNTIME}", "-lsdt",
         f"-Wl,-rpath,{RUNTIME}"], {})
    return library


def preloaded(builds, preload, report, **environment):
    """(provider, probe) → sites, probe → hits, (probe, function) → hits, and what was printed."""
    printed = work(builds, "sdtlink", LD_PRELOAD=str(preload), PRELOAD_REPORT=str(report),
                   PRELOAD_COUNT=",".join(builds.program.providers), **environment)
    sites, functions, hits = collections.Counter(), collections.Counter(), {}
    for line in report.read_text("ascii").splitlines():
        provider, name, function, _, error, in_probe, at_site = line.split()
        assert error == "0", line
        sites[provider, name] += 1
        hits[name] = int(in_probe)
        functions[name, whole(function)] += int(at_site)
    return sites, +collections.Counter(hits), +functions, printed


def outside_of_main(builds):
    """Probes that constructors and destructors hit."""
    if not builds.program.idle:
        return collections.Counter()
    with Uprobes(builds.files("stock")) as uprobes:
        run(*builds.command("stock", builds.program.idle))
        return uprobes.hits()


def test_a_preloaded_library_enables_every_probe(builds, preload, stock_hits, tmp_path):
    sites, hits, _, printed = preloaded(builds, preload, tmp_path / "report")
    assert sites == collections.Counter((n.provider, n.name) for f in builds.files("sdtlink")
                                        for n in notes(f)), "every site that has a note"
    assert (hits, printed) == (stock_hits[0] - outside_of_main(builds), stock_hits[1])


def test_the_environment_enables_every_probe_also_for_constructors(builds, preload, stock_hits,
                                                                   tmp_path):
    enable = ",".join(builds.program.providers) + "=count"
    # First, as `sdt run` loads it: before libc, or breakpoints would have to wait for main().
    libraries = f"{RUNTIME}/libsdt.so {preload}"
    _, hits, _, printed = preloaded(builds, libraries, tmp_path / "report", SDT_ENABLE=enable)
    assert (hits, printed) == stock_hits


def test_each_function_has_the_hits_that_the_kernel_counts_there(builds, preload, tracing,
                                                                 tmp_path):
    """In the same file, so that inlining is the same."""
    names = {name for name, _ in builds.program.expected}
    with Uprobes(builds.files("sdtlink"), finely=names) as uprobes:
        work(builds, "sdtlink")
        counted = {what: n for what, n in uprobes.hits().items() if isinstance(what, tuple)}
    _, _, hits, _ = preloaded(builds, preload, tmp_path / "report")
    assert {what: n for what, n in hits.items() if what[0] in names} == counted
