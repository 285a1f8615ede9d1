/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Of aarch64_registers.c and riscv64_registers.c: what goes into every register before a site and
 * comes out behind it, and a handler that changes all that a function may change.
 */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <sdt/runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 32 * 256 + 17 * 32 }; /* vectors of 256 bytes, and predicates */
static uint8_t in[ROOM] __attribute__((aligned(16))), out[ROOM] __attribute__((aligned(16)));
static unsigned hits;

/* Not inlined, and with nothing but assembly in it: the compiler keeps none of these for itself. */
static __attribute__((noinline)) void spoil(int has_vectors);

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

#endif
