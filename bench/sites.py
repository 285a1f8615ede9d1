# SPDX-License-Identifier: BSD-2-Clause
"""Generated C sources with a given number of probe sites, and the objects made of them.

Each function holds ten sites with two arguments each; every hundred functions share ten probe
names, as real programs repeat their probes.
"""
_HEAD = "#include <sdt/probe.h>\n"
_SITES_PER_FUNCTION = 10
# For objects that are linked more than once.
STATIC = "__attribute__((used)) static "


def _function(prefix, index, storage):
    lines = [f"{storage}void {prefix}_{index}(int a, const char *s)\n{{\n"]
    for i in range(_SITES_PER_FUNCTION):
        lines.append(f"    SDT_PROBE(bench, {prefix}_{index // 100}_{i}, a + {i}, s);\n")
    lines.append("}\n")
    return "".join(lines)


def source(prefix, count, storage=""):
    """C text with COUNT sites, and the names of its functions."""
    names = [f"{prefix}_{i}" for i in range(count // _SITES_PER_FUNCTION)]
    return _HEAD + "".join(_function(prefix, i, storage) for i in range(len(names))), names


def objects(bench, count, per_object, *flags, prefix="b", storage=""):
    """Unprocessed objects with COUNT sites in all; functions are b<K>_<I>(int, const char *)."""
    paths = []
    for k in range(count // per_object):
        bench.progress(k, count // per_object, "compiling an object with sites")
        text, _ = source(f"{prefix}{k}", per_object, storage)
        path = bench.work / f"{prefix}{k}.c"
        path.write_text(text)
        obj = path.with_suffix(".o")
        bench.command("gcc", "-O1", "-I", bench.include, *flags, "-c", path, "-o", obj)
        paths.append(obj)
    return paths


def processed(bench, count, *flags):
    """One processed object with COUNT sites."""
    parts = objects(bench, count, min(count, 5000), *flags)
    whole = bench.work / f"sites{count}.raw.o"
    bench.command("ld", "-r", "-o", whole, *parts)
    output = bench.work / f"sites{count}.o"
    bench.command(bench.tool, "-q", "-o", output, whole)
    return output
