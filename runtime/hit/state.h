/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hit finds of its probe: sdt_probe.runtime leads here. It is made when the probe is first
 * enabled.
 *
 * A hit that only counts is no reader (sync.h), so nobody can wait for it: a thread that has loaded
 * the address may use it long after the probe's object is gone. So this memory is never freed, but
 * used again for another probe, which then gets the count of a hit as late as that.
 */
#ifndef SDT_STATE_H
#define SDT_STATE_H

#include <sdt/format.h>
#include <stdint.h>

struct probe;

/* 64 bytes, so that threads that count in `hits` of two probes do not share a cache line.
 * <arch/layout.h> knows the first two. */
struct hit_state {
    void *counters;            /* counters.h; NULL: none */
    _Alignas(8) uint64_t hits; /* those that were counted here, for want of counters */
    void *old_counters;        /* before `counters`: no tool could read them; NULL */
    const struct probe *probe; /* NULL: its object has left */
    struct hit_state *next;    /* state.c's, while this is unused */
} __attribute__((aligned(64)));

/* What hits find after their object has left. */
extern struct hit_state state_gone;

/* Zeros, but for PROBE; NULL: there is no memory. Locked. */
struct hit_state *state_take(const struct probe *probe);
/* No reader can find STATE any more; NULL does nothing. Needs no lock. */
void state_give_back(struct hit_state *state);

/* Readers: the probe of a hit, or NULL: its object has left. */
static inline const struct probe *state_probe(const struct sdt_probe *hit)
{
    const struct hit_state *state = __atomic_load_n(&hit->runtime, __ATOMIC_ACQUIRE);
    return state ? state->probe : NULL;
}

#endif
