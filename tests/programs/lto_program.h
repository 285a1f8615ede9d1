/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes with a witness. MARKED(name, number, arguments) is a probe and beside it a NOP whose
 * displacement is unlike anything a compiler writes and says which probe it stands at. It is
 * copied, moved and thrown away together with the probe, so the NOPs in the program's text are an
 * independent count of the sites that the optimiser left there.
 */
#ifndef LTO_PROGRAM_H
#define LTO_PROGRAM_H

#include <sdt/probe.h>

#define MARK(number) __asm__ __volatile__ __inline__("nopl 0x5e1c7a00+" #number "(%%rax,%%rax)" : :)
#define MARKED(name, number, ...)                                                                  \
    do {                                                                                           \
        SDT_PROBE(lto, name, __VA_ARGS__);                                                         \
        MARK(number);                                                                              \
    } while (0)

#ifdef __cplusplus
extern "C" {
#endif
int scale(int x);                /* lto_scale.c: small, used everywhere, gets inlined */
int sum_of(const int *v, int n); /* lto_sum.c, in an archive */
int unused_member(int x);        /* lto_unused.c, in the same archive: never called */
int stack_total(int x);          /* lto_stack.cc */
int in_library(int x);           /* lto_library.c, in a shared library */
#ifdef __cplusplus
}
#endif

#endif
