/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters: each probe's words are its own, on each CPU in pages of that CPU alone; more probes
 * than a slab has words; words that come back are zero. Against what is written to them by hand.
 */
#include "check.h"

#include <hit/counters.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 1300, PAGE = 4096 };

static struct hit_state states[PROBES];

static uint64_t *word(const struct hit_state *state, size_t cpu)
{
    return (uint64_t *)((char *)state->counters + cpu * PAGE);
}

static int compare(const void *left, const void *right)
{
    const uint64_t *const *a = left, *const *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* No word twice; and a page has words of one CPU only: as many pages as there have to be. */
static void check_places(void)
{
    size_t n = 0, pages = 0;
    uint64_t **all = calloc(PROBES * counters_cpus, sizeof(uint64_t *));
    for (size_t i = 0; i < PROBES; i++)
        for (size_t cpu = 0; cpu < counters_cpus; cpu++)
            all[n++] = word(&states[i], cpu);
    qsort(all, n, sizeof *all, compare);
    for (size_t i = 0; i < n; i++) {
        CHECK(i == 0 || all[i] != all[i - 1]);
        pages += i == 0 || (uintptr_t)all[i] / PAGE != (uintptr_t)all[i - 1] / PAGE;
    }
    CHECK(pages == (PROBES + 511) / 512 * counters_cpus);
    free(all);
}

static void check_sums(void)
{
    for (size_t i = 0; i < PROBES; i++) {
        uint64_t sum = states[i].hits = i % 7;
        CHECK(counters_sum(&states[i]) == sum);
        for (size_t cpu = 0; cpu < counters_cpus; cpu++)
            sum += *word(&states[i], cpu) = i * 3 + cpu;
        CHECK(counters_sum(&states[i]) == sum);
    }
}

static void check_return(void)
{
    for (size_t i = 0; i < PROBES; i += 3) {
        counters_free(&states[i]);
        memset(&states[i], 0, sizeof states[i]);
        CHECK(counters_sum(&states[i]) == 0);
    }
    for (size_t i = 0; i < PROBES; i += 3)
        counters_make(&states[i]);
    check_places(); /* in the same pages */
    for (size_t i = 0; i < PROBES; i++)
        CHECK((counters_sum(&states[i]) == 0) == (i % 3 == 0));
}

/* By the CPU that we are on, if nothing interrupts; in one word or the other. */
static void check_adding(void)
{
    struct hit_state state = {0};
    counters_add(&state, NULL);
    CHECK(state.hits == 1 && !state.counters);
    counters_make(&state);
    void *made = state.counters;
    counters_make(&state);
    CHECK(state.counters == made);
    for (int i = 0; i < 1000; i++)
        counters_add(&state, NULL);
    CHECK(counters_sum(&state) == 1001);
    CHECK(state.hits == 1 + (made ? 0 : 1000));
    uint64_t cpus = counters_cpus, *rest = made ? word(&state, cpus) : &state.hits, hits = *rest;
    CHECK(!made || hits < 100);
    counters_cpus = 0; /* this CPU came later */
    for (int i = 0; i < 1000; i++)
        counters_add(&state, NULL);
    counters_cpus = cpus;
    CHECK(*rest == hits + 1000 && counters_sum(&state) == 2001);
    counters_free(&state);
}

int main(void)
{
    check_adding();
    for (size_t i = 0; i < PROBES; i++)
        counters_make(&states[i]);
    if (!states[0].counters) {
        puts("no rseq(2) here: probes have no counters");
        return check_failures != 0;
    }
    check_places();
    check_sums();
    check_return();
    return check_failures != 0;
}
