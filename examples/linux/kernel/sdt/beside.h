/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The same function with probes of each kind: beside_sites.c has them, beside.c measures them. */
#ifndef SDT_BESIDE_H
#define SDT_BESIDE_H

#include <linux/tracepoint.h>

struct beside {
    long first, total;
    const char *name;
};

DECLARE_TRACE(sdt_beside, TP_PROTO(long n, long sum, const char *name), TP_ARGS(n, sum, name));

long beside_none(struct beside *s, long n);
long beside_tracepoint(struct beside *s, long n);
long beside_goto(struct beside *s, long n);
long beside_inline(struct beside *s, long n);
long beside_call(struct beside *s, long n);
long beside_lazy(struct beside *s, long n);

/* What a site of beside_goto() would call, and with. */
extern u32 beside_goto_probe[20];
void beside_goto_hit(u32 id, long n, long sum, long name, long unused, long unused_too);

#endif
