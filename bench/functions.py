# SPDX-License-Identifier: BSD-2-Clause
"""What a probe that is off costs the function that it is in: instructions that are executed.

The program is Lua, from Debian's source. Every function of its core that has arguments gets a probe
with all of them, by a rule that knows nothing of compilers: every second function at its beginning,
where arguments are still in registers, the others in front of their first `return`, or at their
end, where an argument may be used for nothing else any more. The same sources are compiled without
probes, with <sdt/probe.h> and with <sys/sdt.h>; each runs the same script under callgrind, which
counts by the address of the instruction; for aarch64 and riscv64, in qemu with a plugin that does
(programs/executions.c). NOPs are left out on all sides; on riscv64, so are the two instructions of
a site that is off, which change nothing but a register that is dead there.

A function is what the symbol table of the program without probes calls one, together with what the
compiler split off (.cold, .part). It counts if a probe in it was reached.
"""
import collections
import functools
import json
import os
import re
import statistics
import subprocess
import sys
import typing

import harness
import peers

sys.path.insert(0, str(harness.ROOT / "tests"))
sys.path.insert(0, str(harness.ROOT / "tests" / "support"))
from real import debian  # noqa: E402

CORE = ("lapi", "lauxlib", "lbaselib", "lcode", "lcorolib", "ldebug", "ldo", "ldump", "lfunc",
        "lgc", "llex", "lmem", "lobject", "lparser", "lstate", "lstring", "lstrlib", "ltable",
        "ltablib", "ltm", "lundump", "lvm", "lzio")
OTHERS = ("lctype", "ldblib", "linit", "liolib", "lmathlib", "loadlib", "lopcodes", "loslib",
          "lua", "lutf8lib")
DEFINITION = re.compile(r"^(?!typedef|struct|union|enum|#)\w[\w \t*]*?[ *]\(?(\w+)\)? ?"
                        r"\(([^(){};]*)\)\s*\{\n(.*?)^\}", re.M | re.S)
PARAMETER = re.compile(r"^(?:const |unsigned )*\w+[ *]*[ *](\w+)$")
UNKNOWN = ("va_list", "...", "lua_Number", "[")
HEADERS = {
    "none": "#define PROBE(name, count, ...)\n",
    "sdt": "#include <sdt/probe.h>\n#define PROBE(name, count, ...) "
           "SDT_PROBE(lua, name, __VA_ARGS__)\n",
    "stap": "#include <sys/sdt.h>\n#define PROBE(name, count, ...) "
            "DTRACE_PROBE##count(lua, name, __VA_ARGS__)\n",
}
MOST = 6
# Which function is inlined where, and what gcc knows of its callees' registers, would change with
# the probes in others.
FLAGS = {"gcc": ("-O2", "-fno-inline", "-fno-ipa-ra"), "clang": ("-O2", "-fno-inline")}
ARM, RISCV = "aarch64-linux-gnu", "riscv64-linux-gnu"


class Places:
    """Puts the probes in, one a function, turn by turn at its beginning and at its end."""

    def __init__(self):
        self.count = 0
        self.first = set()  # functions whose probe is at their beginning

    def _parameters(self, text):
        names = []
        for word in " ".join(text.split()).split(", "):
            match = PARAMETER.match(word)
            if match and not any(unknown in word for unknown in UNKNOWN):
                names.append(match[1])
        return names[:MOST]

    def _function(self, match):
        names = self._parameters(match[2])
        if not names or match[2].strip() == "void":
            return match[0]
        self.count += 1
        probe = f"PROBE({match[1]}, {len(names)}, {', '.join(names)});"
        start, body = match[0][:match.start(3) - match.start()], match[3]
        if self.count % 2:
            self.first.add(match[1])
            return f"{start}{probe}\n{body}}}"
        body, found = re.subn(r"\breturn\b[^;]*;", lambda r: f"{{ {probe} {r[0]} }}", body, count=1)
        return f"{start}{body}{'' if found else probe}\n}}"

    def apply(self, text):
        text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n") or " ", text, flags=re.S)
        return DEFINITION.sub(self._function, text)


def _executed_by_callgrind(bench, exe, script):
    """Address → how often the instruction there was executed."""
    out = exe.parent / "callgrind.out"
    bench.command("valgrind", "-q", "--tool=callgrind", "--dump-instr=yes", "--dump-line=no",
                  "--compress-pos=no", f"--callgrind-out-file={out}", exe, script)
    counts, skip = collections.Counter(), False
    for line in out.read_text("ascii", "replace").splitlines():
        if line.startswith("calls="):
            skip = True  # the next line is what the callee costs
        elif line.startswith("0x"):
            if not skip:
                address, count = line.split()[:2]
                counts[int(address, 16)] += int(count)
            skip = False
    return counts


def _emulator(triple):
    return f"qemu-{triple.partition('-')[0]}"


def need_counter(triple):
    """What executed_in_qemu() needs: Debian 13 builds qemu-user without plugins."""
    qemu = _emulator(triple)
    peers.need(f"{triple}-gcc", qemu)
    if "-plugin" not in subprocess.run([qemu, "-h"], check=False, capture_output=True,
                                       text=True).stdout:
        raise peers.Missing(f"{qemu} has no plugins")


def executed_in_qemu(bench, exe, *arguments, triple):
    """The same; below 16 MiB."""
    plugin, out = bench.work / "executions.so", exe.parent / "executions.out"
    bench.command("gcc", "-O2", "-shared", "-fPIC", harness.PROGRAMS / "executions.c", "-o", plugin)
    bench.command(_emulator(triple), "-L", f"/usr/{triple}", "-plugin", plugin, exe,
                  *arguments, env={**os.environ, "PLUGIN_OUT": str(out)})
    lines = (line.split() for line in out.read_text("ascii").splitlines())
    return collections.Counter({int(address, 16): int(count) for address, count in lines})


class Machine(typing.NamedTuple):
    """Where functions are compared: AREA is that of the rows."""
    area: str
    compilers: dict  # name in FLAGS → command
    linker: dict  # the same, to link with
    objdump: str
    nop: str  # in its disassembly
    executed: typing.Callable
    off: tuple = ()  # where a site has instructions that do nothing, and are no NOPs by name


X86_64 = Machine("functions", {"gcc": ["gcc"], "clang": ["clang"]},
                 {"gcc": "gcc", "clang": "clang"}, "objdump",
                 r"(?:(?:ds|cs|data16) )*nop|xchg +%ax,%ax", _executed_by_callgrind)


def _cross(name, triple, off=(), clang=()):
    # <sys/sdt.h> is the host's: it is the same file.
    host = ["-idirafter", "/usr/include/x86_64-linux-gnu"]
    return Machine(
        f"functions-{name}",
        {"gcc": [f"{triple}-gcc", *host],
         "clang": ["clang", f"--target={triple}", "-isystem", f"/usr/{triple}/include", *host,
                   *clang]},
        {"gcc": f"{triple}-gcc", "clang": f"{triple}-gcc"}, f"{triple}-objdump", r"nop\b",
        functools.partial(executed_in_qemu, triple=triple), off)


AARCH64 = _cross("aarch64", ARM)
# A site's auipc t1, and addi zero, t1. clang 14 ends at operands in memory, as <sys/sdt.h> allows.
RISCV64 = _cross("riscv64", RISCV, (0, 4), ["-DSTAP_SDT_ARG_CONSTRAINT=nr"])


def _source(bench, machine):
    """Lua's sources, with a PROBE in each function of CORE."""
    directory = bench.work / machine.area
    archive = debian.Archive(directory / "apt")
    archive.directory.mkdir(parents=True)
    archive.update()
    version = archive.unpack("lua5.4", directory / "lua")
    places, source = Places(), directory / "lua" / "src"
    for name in CORE:
        path = source / f"{name}.c"
        path.write_text(f'#include "lua_probe.h"\n{places.apply(path.read_text("utf-8"))}', "utf-8")
    bench.say(f"Lua {version}: {places.count} probes")
    return source, places.first


def _build(bench, machine, source, compiler, form):
    directory = bench.work / machine.area / f"{compiler}-{form}"
    directory.mkdir()
    (directory / "lua_probe.h").write_text(HEADERS[form], "ascii")
    (directory / "lua5.4-deb-multiarch.h").write_text(
        '#define DEB_HOST_MULTIARCH "x86_64-linux-gnu"\n', "ascii")
    objects = []
    for name in (*CORE, *OTHERS):
        objects.append(directory / f"{name}.o")
        bench.command(*machine.compilers[compiler], *FLAGS[compiler], "-std=gnu99",
                      "-DLUA_USE_LINUX", "-DLUA_COMPAT_5_3", "-Dluai_makeseed(L)=42",
                      "-I", directory, "-I", bench.include, "-c", source / f"{name}.c",
                      "-o", objects[-1])
        if form == "sdt":
            bench.command(bench.tool, "-q", "-o", objects[-1], objects[-1])
    exe = directory / "lua"
    bench.command(machine.linker[compiler], "-no-pie", *objects, "-lm", "-ldl", "-o", exe)
    return exe


def _functions(bench, machine, exe):
    """Address → (function, is it a NOP) of every instruction."""
    found, function = {}, None
    for line in bench.command(machine.objdump, "-d", "--no-show-raw-insn", exe).splitlines():
        if line.endswith(">:"):
            name = line[line.index("<") + 1:-2]
            function = re.split(r"\.(?:cold|part|constprop|isra)\b", name)[0]
        elif match := re.match(r" *([0-9a-f]+):\t(.*)", line):
            is_nop = re.match(machine.nop, match[2])
            found[int(match[1], 16)] = (function, is_nop is not None)
    return found


def _work(bench, machine, exe):
    """Function → instructions executed in it, NOPs aside; and its probes' hits."""
    bench.say(f"  counting: {exe.parent.name}")
    counts = machine.executed(bench, exe, harness.PROGRAMS / "functions.lua")
    functions = _functions(bench, machine, exe)
    sites = json.loads(bench.command(bench.tool, "list", "--json", exe))
    off = {site["address"] + at for site in sites if site["kind"] == "inline" for at in machine.off}
    work = collections.Counter()
    for address, count in counts.items():
        if address in functions and not functions[address][1] and address not in off:
            work[functions[address][0]] += count
    hits = collections.Counter()
    for site in sites:
        if counts[site["address"]]:
            hits[functions[site["address"]][0]] += counts[site["address"]]
    return work, hits


def _compare(bench, machine, source, first, compiler, goal):
    programs = {form: _build(bench, machine, source, compiler, form) for form in HEADERS}
    work = {form: _work(bench, machine, exe) for form, exe in programs.items()}
    base = work["none"][0]
    hit = work["sdt"][1]
    functions = sorted(f for f in hit if base[f])
    elsewhere = sorted(f for f in hit if not base[f])
    more = {form: {f: work[form][0][f] - base[f] for f in functions} for form in ("sdt", "stap")}
    worse = [f for f in functions if more["sdt"][f] > max(more["stap"][f], 0)]
    total = {form: sum(n.values()) / sum(base[f] for f in functions) for form, n in more.items()}
    area = machine.area

    def record(what, values, unit, goal=None):
        bench.record(area, f"{what}, {compiler}", values["sdt"], unit, goal)
        bench.record(area, f"{what}, {compiler}, <sys/sdt.h>", values["stap"], unit)

    bench.record(area, f"functions with a probe that was hit, {compiler}", len(functions), "",
                 ">= 40", f"{sum(hit.values())} hits; {len(elsewhere)} more are no functions "
                 "without probes")
    for place, where in (("", functions),
                         (", at the beginning", [f for f in functions if f in first]),
                         (", at the end", [f for f in functions if f not in first])):
        share = {form: 100 * sum(more[form][f] <= 0 for f in where) / len(where) for form in more}
        bench.record(area, f"functions{place}, {compiler}", len(where), "")
        record(f"only the NOPs added{place}", share, "%", f">= {goal}")
        # A function that got shorter makes up for no other one.
        mean = {form: statistics.mean(max(more[form][f], 0) / hit[f] for f in where)
                for form in more}
        record(f"mean of the functions{place}", mean, "instructions a hit", "<= 0.5")
    record("instructions executed in them",
           {form: 100 * share for form, share in total.items()}, "% more")
    bench.record(area, f"more than <sys/sdt.h>, {compiler}", len(worse), "functions", "0",
                 " ".join(worse))
    for function in functions:
        if more["sdt"][function] > 0:
            bench.record(area, f"{compiler}: {function}", more["sdt"][function] / hit[function],
                         "instructions a hit", None,
                         f"<sys/sdt.h>: {more['stap'][function] / hit[function]:.3f}")


def _measure(bench, machine, need):
    bench.say("what probes that are off cost the functions around them")
    try:
        peers.need("clang")
        need()
        peers.need_header("sys/sdt.h")
        source, first = _source(bench, machine)
    except (peers.Missing, debian.Unavailable) as why:
        bench.skip(machine.area, str(why))
        return
    _compare(bench, machine, source, first, "gcc", 75)
    _compare(bench, machine, source, first, "clang", 85)


def measure(bench):
    _measure(bench, X86_64, lambda: peers.need("valgrind"))


def measure_aarch64(bench):
    _measure(bench, AARCH64, lambda: need_counter(ARM))


def measure_riscv64(bench):
    _measure(bench, RISCV64, lambda: need_counter(RISCV))
