# SPDX-License-Identifier: BSD-2-Clause
"""Does the time of the tool grow with the number of sites, and no faster?

Objects with 10^4, 10^5 and 10^6 sites, once in one text section and once with a section for each
function (ten sites). The functions are static, so that the same hundred objects can be linked ten
times over: sites and sections are new each time, the probes are the same.
"""
import math

import harness
import sites


def _object(bench, name, parts, count):
    output = bench.work / f"{name}-{count}.o"
    times = max(1, count // (len(parts) * 1000))
    bench.command("ld.lld", "-r", "-o", output, *(parts * times)[: count // 1000])
    return output


def _series(bench, area, counts, *flags):
    most = min(counts[-1], 100_000)
    parts = sites.objects(bench, most, 1000, *flags, prefix="l", storage=sites.STATIC)
    out = bench.work / "linear.out.o"
    costs = []
    for count in counts:
        whole = _object(bench, "linear", parts, count)
        cost, = harness.paired(bench, [[bench.tool, "-q", "-o", out, whole]], 5, (out,))
        costs.append(cost.cpu)
        note = f"a site: {cost.wall / count * 1e6:.2f} us, {cost.cpu / count * 1e6:.2f} of CPU"
        bench.record(area, f"{count} sites", cost.wall * 1e3, "ms", None, note)
        whole.unlink()
    growth = math.log(costs[-1] / costs[0]) / math.log(counts[-1] / counts[0])
    bench.record(area, "CPU time is the sites to the power of", growth, "", "<= 1.05")


def measure(bench):
    counts = (1_000, 10_000) if bench.quick else (10_000, 100_000, 1_000_000)
    bench.say(f"objects with {counts[0]} to {counts[-1]} sites")
    _series(bench, "linear, one section", counts)
    _series(bench, "linear, section per function", counts, "-ffunction-sections")
