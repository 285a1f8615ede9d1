# SPDX-License-Identifier: BSD-2-Clause
"""What 100 000 probe sites cost a program while disabled: time to main, and dirty pages; and
what it costs to let tools look in.

The same sources are built twice: with probes and runtime, and with -DSDT_DISABLE. The program
prints how many pages of its text and of its site set are dirty or resident when main starts.
"""
import statistics

import harness
import sites

SITES = 100_000


def _program(bench, name, count, *flags):
    if flags:
        body = sites.objects(bench, count, 5000, *flags)
    else:
        body = [sites.processed(bench, count)]
    main = bench.work / f"{name}-main.o"
    bench.command(
        "gcc", "-O2", "-I", bench.include, "-c", harness.PROGRAMS / "startup.c", "-o", main
    )
    inputs = [main, *body] if flags else [main, *body, "-Wl,-u,sdt_version"]
    return bench.link(*inputs, output=name)


def _attachable(bench):
    """What it costs to let tools attach: sdt_attachable(), in processes without a tool."""
    main = bench.compile(harness.PROGRAMS / "attachable.c", output="attachable")
    exe = bench.link(main, output="attachable")
    runs = [[int(word) for word in bench.command(exe).split()]
            for _ in range(30 if bench.quick else 300)]
    times, faults, sizes = zip(*runs)
    bench.record("startup", "sdt_attachable()", statistics.median(times) / 1e3, "us", "<= 20",
                 f"of {len(runs)}", min(times) / 1e3)
    bench.record("startup", "sdt_attachable(), page faults", statistics.median(faults), "faults",
                 "<= 2", "with those of the listener", min(faults))
    bench.record("startup", "control page", max(sizes), "KiB", None, "in memory")
    least = bench.work / "page-and-thread"
    bench.command("gcc", "-O2", harness.PROGRAMS / "page_and_thread.c", "-pthread", "-o", least)
    times, faults = zip(*(map(int, bench.command(least).split()) for _ in runs))
    what = "a sealed page in memory and a thread, nothing else"
    bench.record("startup", what, statistics.median(times) / 1e3, "us", None, f"of {len(runs)}",
                 min(times) / 1e3)
    bench.record("startup", f"{what}: page faults", statistics.median(faults), "faults", None, "",
                 min(faults))


def measure(bench):
    _attachable(bench)
    count = 10_000 if bench.quick else SITES
    bench.say(f"building a program with {count} sites, and the same without probes")
    probed = _program(bench, "startup-probed", count)
    plain = _program(bench, "startup-plain", count, "-DSDT_DISABLE")
    facts = dict(line.split() for line in bench.command(probed, "pages").splitlines())
    area = "startup"
    bench.record(area, "text pages dirtied", int(facts["text_dirty"]), "pages", "0")
    bench.record(
        area,
        "site set resident",
        int(facts["set_resident"]),
        "KiB",
        None,
        "the kernel maps up to 64 KiB around a page that is read nearby",
    )
    costs = harness.paired(bench, [[probed], [plain]], 41)
    with_probes, without = (cost.wall * 1e6 for cost in costs)
    bench.record(area, "start to exit, with probes", with_probes, "us", None, "median of 41")
    bench.record(area, "start to exit, without", without, "us", None, "median of 41")
    bench.record(area, "difference", with_probes - without, "us", "<= 30")
