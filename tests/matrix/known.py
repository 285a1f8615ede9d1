# SPDX-License-Identifier: BSD-2-Clause
"""What a toolchain cannot do without sdtlink either, and how it says so."""
import dataclasses
import itertools
import re

from toolchain import LLVMS, NEWER, OLDER


@dataclasses.dataclass(frozen=True)
class Known:
    """`says` is in the output of the command that fails. `ours`: it fails only with sdtlink.
    `may_work`: not with every program and version."""
    why: str
    says: str
    compiler: str = ".*"
    linker: str = ".*"
    optimisation: str = ".*"
    kind: str = ".*"
    option: str = ".*"
    ours: bool = False
    may_work: bool = False

    def applies(self, cell):
        return all(re.fullmatch(getattr(self, field.name), getattr(cell, field.name))
                   for field in dataclasses.fields(cell))

    def matches(self, failure):
        return re.search(self.says, failure.output, re.S) is not None


# Of bitcode: what is newer than its reader.
UNREADABLE = "Opaque pointers|Unknown attribute kind|Invalid (record|value|encoding)|Producer: "

KNOWN = (
    Known("gold has no static-pie", "--no-dynamic-linker: unknown option",
          linker="gold", kind="static-pie"),
    Known("llvm-strip takes no static program of bfd's",
          "Link field value .* in section .rela.plt is not a symbol table",
          linker="bfd", kind="static", option="llvm-strip"),
    Known("what gold -r makes of gcc -O0 objects calls address 0 when lld has linked it",
          "exit status -11", compiler="gcc-.*", linker="lld-.*", optimisation="-O0",
          option="(r|seed)-gold"),
    Known("lld does not read what gcc -flto writes", "undefined symbol: main|exit status -11",
          compiler="gcc-.*", linker="lld-.*", option="lto-slim"),
    *(Known(f"lld {lld} does not read bitcode of clang {clang}", UNREADABLE,
            compiler=f"clang-{clang}", linker=f"lld-{lld}", option="lto-.*",
            may_work=(str(lld), str(clang)) != (OLDER, NEWER))
      for lld, clang in itertools.combinations(LLVMS, 2)),
    Known("mold -r merges sections of different COMDAT groups and writes groups after their "
          "members; no linker then gets C++ right, and every processed object has groups: use "
          "another linker for -r", "exit status", option="r-mold", ours=True, may_work=True),
)


def known_failure(cell):
    return next((k for k in KNOWN if k.applies(cell)), None)
