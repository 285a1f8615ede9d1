# SPDX-License-Identifier: BSD-2-Clause
"""A thousand small objects, one run of the tool for each: what a build of small files pays.

Without probes they are the members of libcrypto.a, as others have compiled them; with probes they
are ours, ten sites each. Beside it what the shell's way of doing nothing costs: starting /bin/true,
and cp of the same files.
"""
import pathlib

import harness
import sites

ARCHIVE = pathlib.Path("/usr/lib/x86_64-linux-gnu/libcrypto.a")
COUNT = 1000


def _members(bench, count):
    """The first COUNT members of the archive, as files."""
    directory = bench.work / "members"
    directory.mkdir()
    bench.command("ar", "x", ARCHIVE, cwd=directory)
    found = sorted(directory.glob("*.o"))
    return (found * (count // len(found) + 1))[:count]


def _outputs(bench, paths, name):
    """One new file for each: to replace one makes ext4 write it to the disk."""
    return [bench.work / f"{name}-{i}.o" for i in range(len(paths))]


def _compare(bench, area, paths):
    size = sum(path.stat().st_size for path in paths) / len(paths)
    copies, outputs = _outputs(bench, paths, "copy"), _outputs(bench, paths, "out")
    candidates = (
        [["/bin/true"] for _ in paths],
        [["/bin/cp", *pair] for pair in zip(paths, copies)],
        [[bench.tool, "-q", "-o", out, path] for path, out in zip(paths, outputs)],
    )
    costs = harness.rounds(bench, candidates, 3 if bench.quick else 5, copies + outputs)
    bench.record(area, "size of an object", size / 1e3, "KB", None, f"mean of {len(paths)}")
    for what, cost, goal in zip(("/bin/true", "cp", "sdtlink"), costs, (None, None, "<= 1")):
        bench.record(area, what, cost.wall * 1e3 / len(paths), "ms")
        bench.record(area, f"{what}, CPU time", cost.cpu * 1e3 / len(paths), "ms", goal)


def _grown(bench, compiler):
    """How large an object with probes becomes."""
    area, flags = "small, a thousand probes", ("-O2", "-I", bench.include)
    source, obj, out = (bench.work / f"grown.{kind}" for kind in ("c", "o", "out.o"))
    source.write_text("#include <sdt/probe.h>\n" + "".join(
        f"int grown_{i}(long a, int b, const char *c)\n"
        f"{{\n    SDT_PROBE(bench, p{i}, a, b, c);\n    return b + {i};\n}}\n"
        for i in range(COUNT)))
    for more, what in (((), ""), (("-g",), ", -g")):
        bench.command(compiler, *flags, *more, "-c", source, "-o", obj)
        bench.command(bench.tool, "-q", "-o", out, obj)
        bench.record(area, f"output / input, {compiler}{what}",
                     out.stat().st_size / obj.stat().st_size, "x", "<= 2.5",
                     f"a function each; input {obj.stat().st_size / 1e3:.0f} KB")


def measure(bench):
    for compiler in ("gcc", "clang"):
        _grown(bench, compiler)
    count = 100 if bench.quick else COUNT
    bench.say(f"{count} small objects without probes, and as many with ten sites each")
    _compare(bench, "small, no probes", _members(bench, count))
    _compare(bench, "small, ten sites", sites.objects(bench, 10 * count, 10, prefix="s"))
