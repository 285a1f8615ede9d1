/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What runtime_counting.c needs of the fixture, for aarch64 and riscv64, by <sdt/probe.h>;
 * see test_machine_guest.py, in which fx_probe is defined for the linker.
 */
#include "runtime_fixture.h"

#include <sdt/probe.h>

__attribute__((noinline)) void fx_call(word a, word b, word c, word d, word e, word f)
{
    SDT_PROBE(fixture, call, a, b, c, d, e, f);
}

__attribute__((noinline)) void fx_call_again(word a, word b, word c, word d, word e, word f)
{
    SDT_PROBE(fixture, call, a, b, c, d, e, f);
}
