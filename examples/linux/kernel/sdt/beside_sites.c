/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A function of a few instructions without a probe, and with one of each kind. The three arguments
 * are what a function has at hand: a parameter, a sum, and a field that is not loaded yet. With
 * -DONLY=INLINE, and with -DTWICE, beside.py compiles one of them, and that twice, to see what a
 * site takes.
 */
#include "beside.h"

#include <linux/compiler.h>
#include <sdt/probe.h>

#define NONE 1
#define TRACEPOINT 2
#define GOTO 3
#define INLINE 4
#define CALL 5
#define LAZY 6
#ifdef ONLY
#define IS(kind) (ONLY == (kind))
#else
#define IS(kind) 1
#endif

#define FUNCTION(name, probe)                                                                      \
    noinline long name(struct beside *s, long n)                                                   \
    {                                                                                              \
        long sum = s->first + n;                                                                   \
        probe;                                                                                     \
        s->total += sum;                                                                           \
        return sum;                                                                                \
    }
#ifdef TWICE
#define FUNCTIONS(name, probe) FUNCTION(name, probe) FUNCTION(name##_again, probe)
long beside_none_again(struct beside *s, long n);
long beside_tracepoint_again(struct beside *s, long n);
long beside_goto_again(struct beside *s, long n);
long beside_inline_again(struct beside *s, long n);
long beside_call_again(struct beside *s, long n);
long beside_lazy_again(struct beside *s, long n);
#else
#define FUNCTIONS(name, probe) FUNCTION(name, probe)
#endif

#if IS(NONE)
FUNCTIONS(beside_none, )
#endif

#if IS(TRACEPOINT)
DEFINE_TRACE(sdt_beside, TP_PROTO(long n, long sum, const char *name), TP_ARGS(n, sum, name));
FUNCTIONS(beside_tracepoint, trace_sdt_beside(n, sum, s->name))
#endif

/*
 * The form that FreeBSD's sdt(9) has had since 2024: a NOP of five bytes that becomes a jump to a
 * call in the same function, and a record of four words. Nothing here enables it.
 */
#if IS(GOTO)
#define GOTO_PROBE(n, sum, name)                                                                   \
    do {                                                                                           \
        __label__ hit;                                                                             \
        asm goto("0: .byte 0x66, 0x0f, 0x1f, 0x04, 0x00\n"                                         \
                 ".pushsection .discard.beside, \"aw\"\n"                                          \
                 ".quad %c0, 0b, %l1, 0\n"                                                         \
                 ".popsection"                                                                     \
                 :                                                                                 \
                 : "i"(beside_goto_probe)                                                          \
                 :                                                                                 \
                 : hit);                                                                           \
        if (0) {                                                                                   \
        hit:                                                                                       \
            beside_goto_hit(*beside_goto_probe, n, sum, (long)(name), 0, 0);                       \
        }                                                                                          \
    } while (0)
FUNCTIONS(beside_goto, GOTO_PROBE(n, sum, s->name))
#endif

#if IS(INLINE)
FUNCTIONS(beside_inline, SDT_PROBE(beside, site, n, sum, SDT_STR(s->name)))
#endif

#if IS(CALL)
extern void __dtrace_sdt_beside___call(long n, long sum, const char *name);
FUNCTIONS(beside_call, __dtrace_sdt_beside___call(n, sum, s->name))
#endif

#if IS(LAZY)
FUNCTIONS(beside_lazy, SDT_PROBE_LAZY(beside, lazy, n, sum, SDT_STR(s->name)))
#endif
