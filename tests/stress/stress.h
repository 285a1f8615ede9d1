/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sites of the stress test (sites.S), and what its parts know of them.
 *
 * A site's class is the last digit of its number. Between two quiescent points a class has one
 * part to play, so that what must have happened at each site is known exactly:
 *
 *     COUNTED     armed all the time for SDT_COUNT: every execution is counted
 *     HANDLED     armed all the time for a handler: it is called for every execution
 *     LEFT_OFF    it is not enabled: nothing happens
 *     OWNED + t   toggled by thread t alone: each enable and disable changes every site
 *     SHARED      enabled by everybody, in overlapping subscriptions
 */
#ifndef STRESS_H
#define STRESS_H

#include "../programs/runtime_fixture.h"

#include <sdt/format.h>
#include <stdatomic.h>
#include <stdbool.h>

/*
 * -DCOPIES=N: how many sites of a kind there are at each offset in a cache line; more make a call
 * change more sites, so that more of the time goes into toggling, and less into waiting for grace
 * periods.
 */
enum { SITES_MAX = COPIES * 64 * 9 + 6 * 9 };
enum { CLASSES = 10, RUNNERS = 2, TOGGLERS = 2, ALL_THREADS = 8 };
enum role { COUNTED, HANDLED, LEFT_OFF, SHARED, OWNED };

typedef uint64_t stress_function(uint64_t number);

struct stress_site {
    const uint8_t *pc;
    const char *probe; /* its name */
    unsigned kind;
};
extern struct stress_site stress_sites[SITES_MAX];
extern unsigned stress_count;

/* Find the sites and check that they are where sites.S means them to be. */
void sites_find(void);
void sites_check_places(void); /* places.c; sites_compiled.c */
/* What memory says that the is-enabled site at PC gives; in the same files. */
unsigned sites_answer(const uint8_t *pc);
/* How often a CPU gave another one than its memory. */
extern atomic_ulong stress_stale;
/* How many of the sites of CLASS (kind KIND; 0: any kind) can be armed with MODE. */
unsigned sites_in(unsigned class, unsigned kind, int mode);
/* Check that those sites are armed, or off. */
void sites_check(unsigned class, int mode, bool armed);
/* Keep a copy of the text, and compare. */
void sites_keep_text(void);
void sites_compare_text(void);

/* What one thread executed since the last quiescent point; written by it alone. */
struct worker {
    uint64_t random;
    unsigned rounds;      /* of a toggler */
    uint64_t toggles;     /* bytes of text that it changed */
    uint64_t now;         /* the number that the site being run was called with */
    atomic_int in_signal; /* number of signal handlers */
    uint64_t signals;
    uint64_t runs[SITES_MAX];    /* from the thread itself */
    uint64_t in_runs[SITES_MAX]; /* from its signal handlers */
    uint64_t handled[SITES_MAX]; /* calls of the handler, for runs from the thread itself */
};

extern struct worker workers[ALL_THREADS];
extern __thread struct worker *me;

uint64_t random_number(struct worker *worker);

/* Run site N; check what it returns. */
void run_site(unsigned n);
/* Which site is called with NUMBER, by the calling thread. */
unsigned number_site(uint64_t number);
/* Run each site once, in an order of the worker's own. */
void run_all(void);

/* The roles of the classes, changed at quiescent points. */
extern uint8_t roles[CLASSES];

/* The parts of a toggling thread, T. */
void toggle(unsigned t, int mode);

/* The program's MODE for one subscription: the same always, or drawn. */
int draw_mode(struct worker *worker, int mode);

#endif
