/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What tracers look at: probes with 0 to 12 arguments, executed a known number of times with known
 * values. PROVIDER is given on the command line, so that tests that run at once do not share the
 * kernel's events. With SEMAPHORES the program also counts how often a tracer was attached; with
 * OURS the probes are those of <sdt/probe.h>.
 */
#if defined(SEMAPHORES)
#define _SDT_HAS_SEMAPHORES 1
#endif
#if defined(OURS)
#include <sdt/probe.h>
#define STAP_PROBE(provider, name) SDT_PROBE(provider, name)
#define STAP_PROBE1(...) SDT_PROBE(__VA_ARGS__)
#define STAP_PROBE12(...) SDT_PROBE(__VA_ARGS__)
#else
#include <sys/sdt.h>
#endif

#if defined(SEMAPHORES)
#define NAME(provider, probe) NAME_(provider, probe)
#define NAME_(provider, probe) provider##_##probe##_semaphore
#define SEMAPHORE(probe)                                                                           \
    __extension__ unsigned short NAME(PROVIDER, probe)                                             \
        __attribute__((section(".probes"), visibility("hidden"), aligned(2)))
SEMAPHORE(none);
SEMAPHORE(string);
SEMAPHORE(twelve);
SEMAPHORE(many__sites);
#define LOOKING (NAME(PROVIDER, twelve) != 0)
#else
#define LOOKING 0
#endif

int traced(int rounds);

static __attribute__((noinline)) void many(int i)
{
    if (i % 2 == 0)
        STAP_PROBE1(PROVIDER, many__sites, i);
    else
        STAP_PROBE1(PROVIDER, many__sites, -i);
}

/* How often a tracer was attached to the probe `twelve`. */
int traced(int rounds)
{
    int looked = 0;

    for (int i = 0; i < rounds; i++) {
        signed char c = (signed char)(i - 100);
        unsigned char u = (unsigned char)(i + 200);
        short s = (short)(i - 1000);
        unsigned short us = (unsigned short)(i + 60000);
        unsigned ui = (unsigned)i + 4000000000u;
        long l = i - 5000000000l;
        unsigned long ul = (unsigned long)i + 0x8000000000000000ul;
        char text[16] = "round ";

        text[6] = (char)('0' + i % 10);
        STAP_PROBE(PROVIDER, none);
        STAP_PROBE1(PROVIDER, string, text);
        STAP_PROBE12(PROVIDER, twelve, c, u, s, us, i, ui, l, ul, i == 1, &looked, 77, l - 1);
        many(i);
        looked += LOOKING;
    }
    return looked;
}
