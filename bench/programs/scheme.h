/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PROBE(a, b, c), a probe with a long, an int and a pointer, as each tracer has it; nothing if no
 * WITH_… is defined. PROBE_OF(name, a, b, c): with -DPROBE_EACH a probe of that name. Whoever
 * includes this is one file, and a whole program.
 */
#if defined(WITH_SDT)
#include <sdt/probe.h>
#define PROBE(a, b, c) SDT_PROBE(scheme, site, a, b, c)
#elif defined(WITH_STAP)
#include <sys/sdt.h>
#define PROBE(a, b, c) DTRACE_PROBE3(scheme, site, a, b, c)
#elif defined(WITH_FLAG)
extern int scheme_flag;
void scheme_hook(long a, int b, const void *c);
#define PROBE(a, b, c)                                                                             \
    do {                                                                                           \
        if (__builtin_expect(__atomic_load_n(&scheme_flag, __ATOMIC_RELAXED), 0))                  \
            scheme_hook(a, b, c);                                                                  \
    } while (0)
int scheme_flag;
__attribute__((noinline)) void scheme_hook(long a, int b, const void *c)
{
    __asm__ volatile("" : : "r"(a), "r"(b), "r"(c));
}
#elif defined(WITH_LTTNG)
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "scheme_lttng.h"
#define PROBE(a, b, c) lttng_ust_tracepoint(scheme, site, a, b, c)
#else
#define PROBE(a, b, c) ((void)(a), (void)(b), (void)(c))
#endif

#if defined(WITH_SDT) && defined(PROBE_EACH)
#define PROBE_OF(name, a, b, c) SDT_PROBE(scheme, name, a, b, c)
#else
#define PROBE_OF(name, a, b, c) PROBE(a, b, c)
#endif
