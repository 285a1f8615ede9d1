/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hits and changes of subscriptions in every order. A hit loads a way (sdt_probe.way) and
 * then a list, and may be late by any time in between. What must hold:
 *
 *   - a hit whose vector registers are not saved runs nothing that changes them;
 *   - a subscription that is in force from before the hit begins until it has ended is served once;
 *   - none is served twice, and none after it was withdrawn.
 *
 * First every way with every list, which covers all that processors may do with the order of two
 * loads. Then a thread that steps through dispatch_add() and dispatch_remove(): after each of their
 * instructions a hit begins by each of the ways that there have been since, and ends.
 */
#include "check.h"

#include "../programs/runtime_step.h"

#include <hit/counters.h>
#include <registry/chosen.h>
#include <registry/dispatch.h>
#include <registry/way.h>
#include <ring/hit.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* SOME: of the site of the hit, and not of all; OTHER: of another one. */
enum {
    COUNT,
    COUNT_SOME,
    PLAIN,
    PLAIN_SOME,
    GENERAL,
    GENERAL_SOME,
    RECORD,
    RECORD_SOME,
    OTHER,
    KINDS
};
enum { MOST = 3, CHANGES = 100 };
static const bool uses_vectors[KINDS] = {[PLAIN] = true, [PLAIN_SOME] = true};

static struct sdt_probe in_file;
static struct object object = {.module = "module"};
static struct probe probe = {.in_file = &in_file, .provider = "p", .name = "n", .object = &object};
static struct sdt_site records[2];
static struct site site = {.probe = &probe, .record = &records[0]};
static struct chosen *own, *others;

/* ---- What a hit runs. ---- */

static struct {
    unsigned served[KINDS]; /* of all that count, COUNT; of all that record, RECORD */
    bool has_vectors;       /* they are saved */
} hit;

static void serve(unsigned kind)
{
    hit.served[kind]++;
    CHECK(hit.has_vectors || !uses_vectors[kind]);
}

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)event;
    serve((unsigned)(uintptr_t)data);
}

void __wrap_recorder_hit(const struct sdt_event *event, void *data);
void __wrap_recorder_hit(const struct sdt_event *event, void *data)
{
    on_hit(event, data);
}

void __wrap_counters_add(struct hit_state *counted, const struct reader *reader);
void __wrap_counters_add(struct hit_state *counted, const struct reader *reader)
{
    (void)reader;
    CHECK(counted == probe.state && in_file.runtime == counted);
    hit.served[COUNT]++;
}

/* A hit that came by WAY, from where it finds the list. */
static void go_on(const void *way)
{
    struct sdt_event event = {.probe = &in_file, .site = &site};
    memset(&hit, 0, sizeof hit);
    hit.has_vectors = way == (void *)entry_save;
    if (way == (void *)entry_save)
        dispatch_event(&event);
    else if (way == (void *)entry_general)
        dispatch_general(&event);
    else if (way == (void *)entry_count)
        serve(COUNT);
    else if (way == (void *)entry_record)
        serve(RECORD);
    else
        CHECK(way == (void *)entry_nothing);
}

/* ---- Subscriptions: that of a kind has its number, plus 1. ---- */

static const atomic_bool ended;

static struct handler handler_of(unsigned kind)
{
    static const bool is_some[KINDS] = {
        [COUNT_SOME] = true, [PLAIN_SOME] = true, [GENERAL_SOME] = true, [RECORD_SOME] = true};
    bool counts = kind == COUNT || kind == COUNT_SOME;
    bool is_recorder = kind == RECORD || kind == RECORD_SOME;
    return (struct handler){
        .id = (int)kind + 1,
        .call = counts        ? SDT_COUNT
                : is_recorder ? recorder_hit
                              : on_hit,
        .data = (void *)(uintptr_t)(is_recorder ? RECORD : kind),
        .is_general = !counts && !uses_vectors[kind],
        .chosen = kind == OTHER   ? others
                  : is_some[kind] ? own
                                  : NULL,
        .ended = &ended,
    };
}

static void add(unsigned kind)
{
    const struct handler handler = handler_of(kind);
    CHECK(dispatch_add(&probe, &handler) == 0);
}

static void take_out(unsigned kind)
{
    CHECK(dispatch_remove(&probe, (int)kind + 1) == 0);
}

static bool has(unsigned set, unsigned kind)
{
    return set >> kind & 1;
}

/* How often the hit must have served KIND at least, if SET is in force. */
static unsigned least(unsigned set, unsigned kind)
{
    if (kind == COUNT || kind == COUNT_SOME)
        return kind == COUNT && (has(set, COUNT) || has(set, COUNT_SOME));
    if (kind == RECORD || kind == RECORD_SOME)
        return kind == RECORD && (has(set, RECORD) || has(set, RECORD_SOME));
    return kind != OTHER && has(set, kind);
}

/* ---- Every way with every list. ---- */

static unsigned pairs;

static void check_ways(unsigned set)
{
    void *const ways[] = {(void *)entry_nothing, (void *)entry_count, (void *)entry_general,
                          (void *)entry_record, (void *)entry_save};
    bool is_found = false;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        bool is_own = in_file.way == ways[i];
        is_found = is_found || is_own;
        go_on(ways[i]);
        pairs++;
        for (unsigned kind = 0; is_own && kind < KINDS; kind++)
            CHECK(hit.served[kind] == least(set, kind));
        /* These two ask no process. */
        CHECK(!is_own || ways[i] != (void *)entry_count || set == 1u << COUNT);
        CHECK(!is_own || ways[i] != (void *)entry_record ||
              (set & ~(1u << RECORD | 1u << RECORD_SOME)) == 0);
        /* Whoever chooses sites need not have all registers saved. */
        CHECK(!is_own ||
              (ways[i] == (void *)entry_save) == (has(set, PLAIN) || has(set, PLAIN_SOME)));
        if (ways[i] != (void *)entry_general)
            continue;
        for (unsigned kind = 0; kind < KINDS; kind++)
            CHECK(hit.served[kind] == (uses_vectors[kind] ? 0 : least(set, kind)));
    }
    CHECK(is_found);
}

/* SET is in force, in some order; and then with each other kind. */
static void check_lists(unsigned set, unsigned depth)
{
    check_ways(set);
    for (unsigned kind = 0; depth < MOST && kind < KINDS; kind++) {
        if (has(set, kind))
            continue;
        add(kind);
        check_lists(set | 1u << kind, depth + 1);
        take_out(kind);
    }
    dispatch_free_garbage(dispatch_take_garbage());
}

/* ---- Every instruction of a change. ---- */

/* A hit that has begun, and which subscriptions have been in force since. */
struct late {
    void *way;
    unsigned set;
};

static struct {
    struct late hits[64];
    unsigned count;
    unsigned in_force; /* since before the change, and until after it */
    unsigned allowed;  /* these and the one that is being changed */
    unsigned long steps, ends;
} now;

static void begin_hit(void)
{
    const struct late late = {in_file.way, now.in_force};
    for (unsigned i = 0; i < now.count; i++)
        if (now.hits[i].way == late.way && now.hits[i].set == late.set)
            return;
    CHECK(now.count < sizeof now.hits / sizeof *now.hits);
    now.hits[now.count++] = late;
}

static void end_hit(const struct late *late)
{
    unsigned set = late->set & now.in_force;
    go_on(late->way);
    now.ends++;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        unsigned served = hit.served[kind];
        CHECK(served <= (kind != OTHER) && served >= least(set, kind));
    }
}

static void on_step(int signal)
{
    (void)signal;
    now.steps++;
    begin_hit();
    for (unsigned i = 0; i < now.count; i++)
        end_hit(&now.hits[i]);
}

static void change(unsigned kind)
{
    bool is_in = has(now.in_force, kind);
    now.in_force &= ~(1u << kind);
    step(true);
    if (is_in)
        take_out(kind);
    else
        add(kind);
    step(false);
    now.in_force |= is_in ? 0 : 1u << kind;
    dispatch_free_garbage(dispatch_take_garbage());
    /* Those that are late by more than a change go on being late; of each kind one is enough. */
    for (unsigned i = 0; i < now.count; i++)
        now.hits[i].set &= now.in_force;
    unsigned count = 0;
    for (unsigned i = 0; i < now.count; i++) {
        bool is_new = true;
        for (unsigned j = 0; j < count; j++)
            is_new = is_new &&
                     (now.hits[j].way != now.hits[i].way || now.hits[j].set != now.hits[i].set);
        if (is_new)
            now.hits[count++] = now.hits[i];
    }
    now.count = count;
}

static void check_steps(void)
{
    const struct sigaction action = {.sa_handler = on_step};
    CHECK(sigaction(SIGTRAP, &action, NULL) == 0);
    srand(1);
    for (int i = 0; i < CHANGES; i++)
        change((unsigned)rand() % KINDS);
    CHECK(now.steps > CHANGES * 20 && now.ends > now.steps * 2);
}

/* Of records[I]. */
static struct chosen *choose(size_t i)
{
    struct chosen *chosen = calloc(1, sizeof *chosen + sizeof(uint64_t));
    CHECK(chosen != NULL);
    *chosen = (struct chosen){.first = &records[i], .count = 1};
    chosen->bits[0] = 1;
    return chosen;
}

int main(int argc, char **argv)
{
    own = choose(0);
    others = choose(1);
    in_file.way = (void *)entry_nothing;
    check_lists(0, 0);
    check_steps();
    free(own);
    free(others);
    if (argc > 1 && argv)
        printf("%u pairs, %lu steps, %lu hits\n", pairs, now.steps, now.ends);
    return check_failures != 0;
}
