#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What a probe takes beside one of another kind, as a table.

    CONFIG=lean.config ./run.sh DIR && ./beside.py DIR sdtlink [KIND...]

DIR/build is a Linux that apply.py has changed, DIR/count.log what boot/init.beside printed in qemu
with -icount shift=0, where a tick of the clock is an instruction.
Instructions of a site that is off are counted twice, by qemu and in objdump's list of the function;
if the two differ, this fails. Bytes are those of functions in vmlinux, and of sections of
beside_sites.c, compiled by the kernel's own command with one kind of probe, once and twice.
"""
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

KINDS = {  # of beside_sites.c: what the table calls it, and its rows of the log while it is on
    "tracepoint": ("tracepoint", ["tracepoint-on"]),
    "goto": ("FreeBSD's form", []),
    "inline": ("`SDT_PROBE`", ["inline-on", "inline-int3"]),
    "call": ("a plain call", ["call-on"]),
    "lazy": ("`SDT_PROBE_LAZY`", ["lazy-on"]),
}
OTHERS = {"ftrace-on": "function tracer", "kprobe-jump": "kprobe, a jump",
          "kprobe-int3": "kprobe, a breakpoint"}
ORC_ROW = 10  # bytes: .orc_unwind_ip and .orc_unwind
CALLS = 1000


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, text=True,
                          stdout=subprocess.PIPE, **options).stdout


# ---- What ran. ----


def ticks(log):
    """Of each row: how many instructions a call takes beyond one of a function without a probe.
    The last of two boots with and without jumps of kprobes says both."""
    rows = {}
    for name, hits, count in re.findall(r"^([a-z0-9-]+) (\d+) (-?\d+)\r?$", log, re.M):
        if name == "none":
            continue
        if int(count) % CALLS or int(hits) not in (0, CALLS):
            sys.exit(f"beside.py: {name}: {hits} hits, {count} ticks of {CALLS} calls: was this "
                     "qemu with -icount shift=0?")
        rows[name] = int(count) // CALLS
    return rows


# ---- The code. ----


class Function:
    """Instructions by address, as objdump lists them."""

    def __init__(self, vmlinux, name):
        listed = run("objdump", "-d", "--no-show-raw-insn", "-w", f"--disassemble={name}", vmlinux)
        found = re.findall(r"^([0-9a-f]+):\t(\S+) *(\S*)", listed.partition(f"<{name}>:")[2], re.M)
        self.code = {int(at, 16): (word, operand) for at, word, operand in found}
        self.order = sorted(self.code)
        size = run("nm", "-S", vmlinux)
        self.size = int(re.search(rf"^\w+ (\w+) \w {name}$", size, re.M)[1], 16)

    def next_of(self, at):
        """Where it goes while the probe is off. A question answers 0."""
        word, operand = self.code[at]
        after = next((k for k in self.order if k > at), None)
        if word == "ret" or (word == "jmp" and int(operand, 16) not in self.code):
            return None
        return int(operand, 16) if word in ("jmp", "je") else after

    def when_off(self):
        at, path = self.order[0], []
        while at is not None:
            path.append(at)
            at = self.next_of(at)
        return path

    def bytes_of(self, path):
        ends = self.order[1:] + [self.order[0] + self.size]
        length = dict(zip(self.order, (end - at for at, end in zip(self.order, ends))))
        return sum(length[at] for at in path)


def orc_rows(vmlinux, name):
    """How many rows the unwinder has for the function NAME."""
    symbols = re.search(rf"^(\w+) (\w+) \w {re.escape(name)}$", run("nm", "-S", vmlinux), re.M)
    if not symbols:
        return 0
    start, size = (int(word, 16) for word in symbols.groups())
    row = re.search(r"\.orc_unwind_ip +PROGBITS +(\w+) (\w+) (\w+)",
                    run("readelf", "-SW", vmlinux))
    address, offset, length = (int(word, 16) for word in row.groups())
    with open(vmlinux, "rb") as file:
        file.seek(offset)
        words = struct.unpack(f"<{length // 4}i", file.read(length))
    return sum(start <= address + 4 * k + word < start + size for k, word in enumerate(words))


# ---- The rest of a site. ----


def compiled(build, sdtlink, kind, *flags):
    """Sizes of the sections that KIND in beside_sites.c leaves in memory."""
    saved = (build / "kernel/sdt/.beside_sites.o.cmd").read_text().partition("\n")[0]
    command = re.sub(r"-Wp,-MMD,\S+", "", saved.partition(":=")[2])
    with tempfile.TemporaryDirectory() as directory:
        out = pathlib.Path(directory) / "sites.o"
        words = [f"-DONLY={kind.upper()}", *flags]
        command = command.replace("-c -o kernel/sdt/beside_sites.o",
                                  " ".join(words) + f" -c -o {out}")
        run("sh", "-c", command, cwd=build)
        if kind in ("inline", "call", "lazy"):
            run(sdtlink, "--freestanding", "-q", "-o", out, out)
        listed = run("readelf", "-SW", out)
    sizes = {}
    for name, size, attributes in re.findall(
            r"\] (\S+) +\w+ +\w{16} \w+ (\w+) \w\w +([A-Z]*)", listed):
        if "A" in attributes and (name == ".discard.beside" or not name.startswith(".discard")):
            sizes[name] = sizes.get(name, 0) + int(size, 16)
    return sizes


def is_text(section):
    return section.startswith((".text", ".static_call.text"))


def data(sizes):
    return sum(size for name, size in sizes.items() if not is_text(name))


def cold(sizes):
    return sum(size for name, size in sizes.items() if is_text(name) and name != ".text")


def measure(build, sdtlink, kind, plain):
    vmlinux = build / "vmlinux"
    function = Function(vmlinux, f"beside_{kind}")
    path, without = function.when_off(), plain.when_off()
    once, twice = (compiled(build, sdtlink, kind, *flags) for flags in ([], ["-DTWICE"]))
    none = [data(compiled(build, sdtlink, "none", *flags)) for flags in ([], ["-DTWICE"])]
    hot = function.bytes_of(path) - plain.bytes_of(without)
    site = data(twice) - data(once) - (none[1] - none[0])
    probe = data(once) - none[0] - site + 2 * cold(once) - cold(twice)
    rows = sum(orc_rows(vmlinux, f"beside_{kind}{end}") for end in ("", ".sdt"))
    return {
        "off": len(path) - len(without),
        "hot": hot,
        "cold": function.size - function.bytes_of(path) + cold(twice) - cold(once),
        "data": site,
        "orc": ORC_ROW * (rows - orc_rows(vmlinux, "beside_none")),
        "probe": "-" if kind == "goto" else probe,  # beside.c has its probe
    }


def main():
    if len(sys.argv) < 3 or not set(sys.argv[3:]) <= set(KINDS):
        sys.exit(__doc__)
    work = pathlib.Path(sys.argv[1]).resolve()
    build, sdtlink = work / "build", shutil.which(sys.argv[2])
    ran = ticks((work / "count.log").read_text(errors="replace"))
    plain = Function(build / "vmlinux", "beside_none")
    print("| | off: instructions | hot bytes | cold bytes | data per site | unwinding | "
          "per probe | on: instructions |\n|---|---|---|---|---|---|---|---|")
    for kind in sys.argv[3:] or KINDS:
        title, rows = KINDS[kind]
        of = measure(build, sdtlink, kind, plain)
        if of["off"] != ran[kind]:
            sys.exit(f"beside.py: {kind}: {of['off']} instructions in objdump's list, "
                     f"{ran[kind]} executed")
        on = ", ".join(f"{ran[row]}{' by breakpoint' if 'int3' in row else ''}" for row in rows)
        print("|", " | ".join([title, *(str(of[key]) for key in (
            "off", "hot", "cold", "data", "orc", "probe")), on or "-"]), "|")
    for row, title in OTHERS.items() if len(sys.argv) == 3 else ():
        print(f"| {title} | - | - | - | - | - | - | {ran[row]} |")


main()
