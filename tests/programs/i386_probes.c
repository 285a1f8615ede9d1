/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes of <sdt/probe.h> in a program of 32 bits that needs no library: test_i386_headers.py. Each
 * round has other values, and the exit status says how often somebody asked for `asked`.
 */
#ifdef OWN_HEADER
#include "sdt.h"
#else
#include <sdt/event.h>
#include <sdt/probe.h>
#endif

enum state { IDLE, BUSY };
struct item {
    const char *name;
    unsigned bits : 5;
    long long wide : 40;
    int numbers[4];
};
static int asked;
int global = 70;

#if defined(__cplusplus)
extern "C" {
#endif
SDT_EVENT(p, event, SDT_FIELD(int, size), SDT_FIELD_TEXT(text, 8), SDT_FIELD(long long, big));

int work(int i, signed char byte, unsigned short half, long long big, struct item *item,
         double real, float share);
__attribute__((noinline)) int work(int i, signed char byte, unsigned short half, long long big,
                                   struct item *item, double real, float share)
{
    SDT_PROBE(p, none);
    SDT_PROBE(p, few, i, byte, half);
    SDT_PROBE(p, longs, big, real, item->name);
    SDT_PROBE(p, fields, item->bits, item->wide, item->numbers[i & 3]);
    SDT_PROBE(p, all, i, byte, half, big, item->name, real, share, 7, -3L, -4LL,
              (unsigned char)(i > -1500), global);
    SDT_PROBE(p, constants, -5, (unsigned char)200, BUSY);
    if (SDT_PROBE_ENABLED(p, asked))
        asked++;
    SDT_PROBE_LAZY(p, asked, i * 2);
    SDT_RESERVE(p, event, e);
    if (e) {
        e->size = i;
        e->text[0] = 'x';
        e->text[1] = 0;
        e->big = big;
        SDT_COMMIT(p, event, e);
    }
    return i;
}

static void leave(int status)
{
    __asm__ volatile("push %%ebx\n\tmov %0,%%ebx\n\tint $0x80\n\tpop %%ebx"
                     :
                     : "r"(status), "a"(1)
                     : "memory");
}

#ifndef LIBRARY
void _start(void);
__attribute__((force_align_arg_pointer)) void _start(void)
{
    struct item item;
    const char *volatile name = "text";
    item.name = name;
    item.numbers[0] = item.numbers[1] = item.numbers[2] = item.numbers[3] = 99;
    for (int i = 0; i < 3; i++) {
        item.bits = 17u + (unsigned)i;
        item.wide = -(1LL << 38) - i;
        if (item.name[i] == 0) /* bpftrace reads only what is in memory already */
            break;
        work(-1000 * i - 1, (signed char)(-5 - i), (unsigned short)(65000 + i), (1LL << 40) + i,
             &item, i + 0.5, (float)i + 2.5f);
        global++;
    }
    leave(asked);
    for (;;)
        ;
}
#else
void (*const keep)(int) = leave;
#endif
#if defined(__cplusplus)
}
#endif
