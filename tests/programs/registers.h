/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What aarch64_registers.c and riscv64_registers.c have in common: sites with every register in
 * use, in assembly that loads all from `in` and stores all to `out`, and a handler that changes all
 * that a function may change: spoil(). With -DNOTES the sites are those of <sys/sdt.h>, with two
 * arguments. With the argument "late", each hit finds other subscriptions than those by which it
 * came (late.h).
 */
#ifndef REGISTERS_H
#define REGISTERS_H

#include "late.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

enum { REGISTERS_ROOM = 32 * 256 + 17 * 32 };
static uint8_t in[REGISTERS_ROOM] __attribute__((aligned(16)));
static uint8_t out[REGISTERS_ROOM] __attribute__((aligned(16)));
static unsigned hits;

/* Not inlined, and with nothing but assembly in it: the compiler keeps none of these for itself. */
static __attribute__((noinline)) void spoil(int has_vectors);

/* DATA: whether there are registers that not every machine has. */
static void on_hit(const struct sdt_event *event, void *data)
{
    hits++;
#ifdef NOTES
    if (sdt_nargs(event) != 2 || (int)sdt_arg(event, 1) != -5)
        printf("arguments differ\n");
#else
    (void)event;
#endif
    spoil(*(int *)data);
}

static void compare(const char *name, size_t size, size_t unit)
{
    for (size_t i = 0; i < size; i += unit)
        if (memcmp(in + i, out + i, unit) != 0)
            printf("%s %zu differs\n", name, i / unit);
}

static void fill(void)
{
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (uint8_t)(rand() >> 7);
    memset(out, 0, sizeof out);
}

/* That of an inline site, or of a note's: the program has one of the two. */
extern struct sdt_probe __sdt_probe_regs___site __attribute__((weak, visibility("hidden")));
extern struct sdt_probe __sdt_flagged_regs___site __attribute__((weak, visibility("hidden")));

static struct sdt_probe *the_probe(void)
{
    return &__sdt_probe_regs___site ? &__sdt_probe_regs___site : &__sdt_flagged_regs___site;
}

/* What the first argument asks for. */
static int mode_of(int argc, char **argv)
{
    return argc > 1 && strcmp(argv[1], "trap") == 0 ? SDT_MODE_TRAP : SDT_MODE_JUMP;
}

/* If the second one asks for it, RUNS; the last of the three only if HAS_VECTORS. */
static int is_late(int argc, char **argv, const char *vectors, int has_vectors,
                   void (*const runs[3])(void))
{
    unsigned count = 0;
    if (argc <= 2 || strcmp(argv[2], "late") != 0)
        return 0;
    for (int i = 0; i < 2 + has_vectors; i++)
        count += late_check(the_probe(), "regs:site", mode_of(argc, argv), on_hit, &has_vectors,
                            runs[i]);
    printf("%u late hits, %s: %d\n", count, vectors, has_vectors);
    return 1;
}

#endif
