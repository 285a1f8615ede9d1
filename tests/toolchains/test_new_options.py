# SPDX-License-Identifier: BSD-2-Clause
"""Options that older compilers, assemblers and linkers lack, with each on this machine that has
them: objects are processed and proven, and the program's probes are hit, enabled and disabled."""
import pytest

from toolchain import EVERY_COMPILER, LINKERS, accepts

PROGRAM = """
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <string.h>
static int hits;
static void hit(const struct sdt_event *event, void *data)
{
    (void)data;
    hits += (int)sdt_arg(event, 0);
}
__attribute__((noinline)) static int length(const char *text, int more)
{
    char copy[32];
    strncpy(copy, text, sizeof copy - 1);
    copy[sizeof copy - 1] = 0;
    SDT_PROBE(app, length, more, copy, text);
    if (SDT_PROBE_ENABLED(app, length))
        hits += 100;
    return (int)strlen(copy) + more;
}
static int (*const functions[])(const char *, int) = {length, length};
int main(void)
{
    int result = functions[0]("off", 1);
    int id = sdt_enable("app:*", hit, NULL);
    result += functions[1]("on", 10);
    sdt_disable(id);
    printf("%d %d\\n", result + functions[0]("off", 1), hits);
    return 0;
}
"""
OUTPUT = "20 110\n"
# Of the compiler, and of its link.
OPTIONS = [
    ("-fhardened", "-fhardened"),
    ("-g -gz=zstd", "-gz=zstd"),
    ("-g -Wa,--crel,--allow-experimental-crel", ""),
    ("-fzero-call-used-regs=all -ftrivial-auto-var-init=pattern", ""),
    ("-fstrict-flex-arrays=3 -D_FORTIFY_SOURCE=3 -fcf-protection=full -fstack-clash-protection",
     "-Wl,-z,now"),
]


def processed(sdt, compiler, *flags):
    obj = sdt.compile(sdt.write("main.c", PROGRAM), "-g0", "-fPIE", *flags, compiler=compiler)
    made = sdt.process(obj)
    sdt.command(sdt.tool, "verify", "-q", made)
    return made


@pytest.mark.parametrize("flags, ldflags", OPTIONS, ids=[flags for flags, _ in OPTIONS])
@pytest.mark.parametrize("compiler", EVERY_COMPILER)
def test_of_compilers(sdt, compiler, flags, ldflags):
    flags = flags.split()
    if not accepts(compiler, "-O2", *flags):
        pytest.skip(f"{compiler} does not have {' '.join(flags)}")
    exe = sdt.link(processed(sdt, compiler, *flags), "-pie", *ldflags.split(), compiler=compiler)
    sdt.command(sdt.tool, "verify", "-q", exe)
    assert sdt.run(exe) == OUTPUT


@pytest.mark.parametrize("linker", LINKERS)
def test_packed_relative_relocations(sdt, linker):
    """DT_RELR, of which glibc demands the version GLIBC_ABI_DT_RELR."""
    flags = ["-pie", f"-fuse-ld={linker}", "-Wl,-z,pack-relative-relocs"]
    compiler = "clang" if "-" in linker else "gcc"  # gcc knows no numbers of linkers
    plain = sdt.path("plain")
    source = sdt.write("plain.c", "static int f(void) { return 0; }\n"
                       "int (*p[])(void) = {f, f}; int main(void) { return p[1](); }")
    sdt.command(compiler, "-fPIE", source, *flags, "-o", plain, status=None)
    if not plain.exists() or ".relr.dyn" not in sdt.command("readelf", "-SW", plain).stdout:
        pytest.skip(f"ld.{linker} packs no relocations")
    if sdt.command(plain, status=None).returncode != 0:
        pytest.skip(f"what ld.{linker} packs does not run")  # mold 1 forgets that version
    exe = sdt.link(processed(sdt, compiler), *flags, compiler=compiler)
    assert ".relr.dyn" in sdt.command("readelf", "-SW", exe).stdout
    sdt.command(sdt.tool, "verify", "-q", exe)
    assert sdt.run(exe) == OUTPUT
