/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where hits are counted: a word for each CPU of each probe that was ever counted.
 *
 * The words of one CPU lie together, in pages that no other CPU writes to, so that counting on one
 * never takes a cache line from another, and yet a probe costs 8 bytes per CPU and not 64. A slab
 * is one such page for each CPU; the counters of a probe are the words at one place of all pages of
 * a slab, and are known by the address of the first:
 *
 *     counters ──> CPU 0   | word | word | …        a page
 *       + 4096 ──> CPU 1   | word | word | …        a page, without memory until it is used
 *       + 8192 ──> CPU 2   …
 *
 * The assembly of the machine's count.inc does the counting, by rseq(2), and says how. One more
 * page, after those of the CPUs, is for the rare moments in which that fails; without rseq(2), all
 * hits go there, or to the `hits` of the probe's state (state.h): the number of hits is the sum of
 * all. A word belongs to its probe as long as the probe's object is loaded, whether hits are
 * counted or not, so a late hit is neither lost nor counted elsewhere. Pages are never unmapped. A
 * child of fork(2) has copies of all of them, and continues from there.
 *
 * In an attachable process (control/), slabs are memfds that tools map to read: so counts are
 * complete up to the last hit, however the process ends.
 */
#ifndef SDT_COUNTERS_H
#define SDT_COUNTERS_H

#include "state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Look where the C library says whether it registers threads; before anything else, not locked: it
 * may take the loader's lock. */
void counters_find(void);
/* Restartable sequences: whether threads are registered for them, how far a thread's struct rseq is
 * from its thread pointer, how many CPUs there can be, and how far the last page is. Locked; the
 * variables are for hits. */
bool counters_start(void);
extern ptrdiff_t counters_area;
extern uint64_t counters_cpus; /* 0: there are none */
extern uint64_t counters_rest;

/* Give STATE counters if it has none, or none that tools can read and they should. If they cannot
 * be made, what it has, or `hits`, is used. Those that it had are kept: hits that have begun still
 * count there. Locked. */
void counters_make(struct hit_state *state);

/* Take back those of a probe that is gone. Needs no lock. */
void counters_free(const struct hit_state *state);

/* All hits of a probe so far; NULL: it was never enabled. */
uint64_t counters_sum(const struct hit_state *state);

/* From now on, slabs are made so that other processes can map them. Locked. */
void counters_share(void);
/* Where a tool finds the counters of a probe: the word of CPU 0 is at offset PLACE of the
 * descriptor, and the others, the last one of no CPU, each a page after. */
struct counters_place {
    int fd; /* -1: nowhere, or, with an inode, in a file that can no longer be opened */
    uint64_t inode;
    uint32_t offset, pages;
};
struct counters_place counters_place(const struct hit_state *state);
/* In the child of a fork: its counters are its own. */
void counters_after_fork_child(void);

/* In the machine's trampoline.S: count a hit of the thread whose record READER is (sync.h). */
struct reader;
void counters_add(struct hit_state *state, const struct reader *reader);

#endif
