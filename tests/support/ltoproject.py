# SPDX-License-Identifier: BSD-2-Clause
"""Programs for link-time optimisation, and a count of their probes without us: a marker, bytes that
no compiler writes, stands beside each probe in the source and goes where the optimiser takes the
probe (see programs/lto_program.h).
"""
import collections
import re
import subprocess

from conftest import PROGRAMS
from elfview import ElfView
from toolchain import CLANGS, LLVMS, cxx

SOURCE = """#include <sdt/probe.h>
int twice(int x) { SDT_PROBE(web, twice, x); return 2 * x; }
"""
MAIN = "int twice(int); int main(void) { return twice(21) != 42; }\n"
# compiler → kind → flags
KINDS = {
    "gcc": {"slim": ["-flto"], "fat": ["-flto", "-ffat-lto-objects"]},
    **{clang: {"full": ["-flto"], "thin": ["-flto=thin"]} for clang in CLANGS},
}
CXX = {"gcc": "g++", **{clang: cxx(clang) for clang in CLANGS}}
AR = {"gcc": "gcc-ar", **{f"clang-{n}": f"llvm-ar-{n}" for n in LLVMS}}
PROBES = {1: "never", 2: "start", 3: "end", 4: "after", 5: "scale", 6: "add", 7: "unused",
          8: "destroyed", 9: "push", 10: "hidden", 11: "library"}


def compiled(sdt, compiler, *flags, text=SOURCE, name="twice.c"):
    return sdt.compile(sdt.write(name, text), *flags, compiler=compiler)


def assemble(sdt, text):
    return sdt.compile(sdt.write("asm.s", text), compiler="gcc")


def use_linker(compiler, linker):
    """lld as the compiler's own version: another may not read its bitcode."""
    return f"-fuse-ld={linker}" + (compiler.removeprefix("clang") if linker == "lld" else "")


class Project:
    """The program of tests/programs/lto_*, compiled by one compiler."""

    def __init__(self, sdt, compiler, *flags):
        self.sdt, self.compiler, self.flags = sdt, compiler, flags
        self.tmp = sdt.path("tmp")
        self.tmp.mkdir()

    def object(self, name, *flags):
        source = PROGRAMS / f"lto_{name}"
        return self.sdt.compile(source, *self.flags, *flags, name=source.stem + ".o",
                                compiler=CXX[self.compiler] if source.suffix == ".cc"
                                else self.compiler)

    def archive(self, name, *objects):
        self.sdt.command(AR[self.compiler], "rcs", name, *objects)
        return self.sdt.path(name)

    def link(self, *words, name="program", status=0):
        """Through sdtlink; it must leave no temporary file, whatever happens."""
        result = self.launch(CXX[self.compiler], "-O2", *self.flags, *words, "-o", name,
                             status=status)
        return result if status else self.sdt.path(name)

    def launch(self, *command, status=0, env=None):
        """The runtime beside a sanitized tool would be sanitized as well."""
        result = self.sdt.sdtlink(
            f"--runtime-directory={self.sdt.static_runtime.parent}", *command, status=status,
            env={"TMPDIR": str(self.tmp), **(env or {})})
        assert not list(self.tmp.iterdir()), result.stderr
        return result

    def plain_link(self, *words):
        """The same link without us: functions take the place of the probes."""
        symbols = [f"__dtrace_{form}_run_sdtlink___lto___{name}" for form in ("sdt", "sdtasm")
                   for name in PROBES.values()] + ["__dtrace_sdtmark"]
        text = "".join(f".globl {symbol}\n.hidden {symbol}\n{symbol}: ret\n"
                       for symbol in symbols)
        stubs = assemble(self.sdt, text + '.section .note.GNU-stack,"",@progbits\n')
        self.sdt.command(CXX[self.compiler], "-O2", *self.flags, *words, stubs,
                         self.sdt.static_runtime, "-pthread", "-o", "plain")
        return self.sdt.path("plain")


def markers(exe):
    """(address, probe) of each marker in the text, in order."""
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", exe], check=True, text=True,
                             capture_output=True).stdout
    found = re.findall(r"^ *([0-9a-f]+):\s+nopl +0x5e1c7a([0-9a-f]{2})\(%rax,%rax", listing, re.M)
    return [(int(address, 16), PROBES[int(number, 16)]) for address, number in found]


def names(sites_or_markers):
    return [item[1] if isinstance(item, tuple) else item.name for item in sites_or_markers]


def check_sites(exe):
    """Exactly one site in front of each marker, and nothing else in the list."""
    sites, marked = ElfView(exe).sites(), markers(exe)
    assert names(sites) == names(marked)
    for site, (address, _) in zip(sites, marked):
        assert 0 < address - site.pc < 32, (site, hex(address))
    return collections.Counter(names(sites))
