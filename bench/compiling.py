# SPDX-License-Identifier: BSD-2-Clause
"""What a probe costs to compile: processor time of the compiler and the assembler, a probe.

A file of functions with one probe each, of three arguments, against the same file without; the
same with <sys/sdt.h>, with sdt.h, and with calls instead of inline sites. Each file comes in two
sizes: their difference, divided by the number of functions, leaves out the start of the compiler
and the headers, so small files are enough. All forms in turn, round after round. The least of the
rounds counts, as the work is the same each time and a busy machine only adds.
"""
import os

import harness
import peers

GOAL = 0.8
SIZES, QUICK_SIZES = (100, 400), (50, 200)  # functions in a file
FORMS = {
    "none": "#define PROBE(name, a, b, c)\n",
    "inline site": "#include <sdt/probe.h>\n#define PROBE(name, a, b, c) "
                   "SDT_PROBE(bench, name, a, b, c)\n",
    "call site": "#define SDT_CALL_SITES\n#include <sdt/probe.h>\n#define PROBE(name, a, b, c) "
                 "SDT_PROBE(bench, name, a, b, c)\n",
    "sdt.h": "#include <sdt.h>\n#define PROBE(name, a, b, c) SDT_PROBE(bench, name, a, b, c)\n",
    "<sys/sdt.h>": "#include <sys/sdt.h>\n#define PROBE(name, a, b, c) "
                   "DTRACE_PROBE3(bench, name, a, b, c)\n",
}


def _sources(bench, count, suffix):
    """Form -> file."""
    functions = "".join(
        f"long f{i}(const char *path, int bytes, long id)\n{{\n    PROBE(n{i}, path, bytes, id);\n"
        f"    return bytes + id * {i};\n}}\n" for i in range(count))
    found = {}
    for number, (form, head) in enumerate(FORMS.items()):
        found[form] = bench.work / f"compile{number}_{count}.{suffix}"
        found[form].write_text(head + functions)
    return found


def _compare(bench, compiler, sizes, rounds):
    sources = {(form, count): source for count in sizes
               for form, source in _sources(bench, count,
                                            "cc" if "++" in compiler else "c").items()}
    headers = ("-I", bench.include, "-I", bench.generated)
    commands = [[[compiler, "-O2", *headers, "-c", source, "-o", os.devnull]]
                for source in sources.values()]
    costs = harness.samples(bench, commands, rounds)
    least = dict(zip(sources, (min(cost.cpu for cost in slot) for slot in costs)))
    small, big = sizes
    function = {form: (least[form, big] - least[form, small]) / (big - small) * 1e3
                for form in FORMS}
    for form in list(FORMS)[1:]:
        bench.record("compile", f"{compiler}: {form}", function[form] - function["none"],
                     "ms a probe", None if "sys" in form else f"<= {GOAL}",
                     f"a function: {function['none']:.2f} -> {function[form]:.2f} ms, "
                     f"from {small} and {big} of them")


def measure(bench):
    bench.say("what a probe costs to compile")
    try:
        peers.need_header("sys/sdt.h")
        for compiler in ("gcc", "clang", "g++", "clang++"):
            peers.need(compiler)
            _compare(bench, compiler, QUICK_SIZES if bench.quick else SIZES,
                     3 if bench.quick else 7)
    except peers.Missing as why:
        bench.skip("compile", str(why))
