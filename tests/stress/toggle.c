/* SPDX-License-Identifier: BSD-2-Clause */
/* See stress.h: a thread that enables and disables, and the handlers that it enables. */
#include "stress.h"

/* What a subscription's handler may use: until sdt_disable has returned. */
struct box {
    atomic_bool is_over;
    atomic_ulong calls;
};

static void on_hit(const struct sdt_event *event, void *data)
{
    struct box *box = data;
    if (atomic_load(&box->is_over))
        CHECK(!"a handler ran after sdt_disable");
    CHECK_EQUAL(sdt_arg(event, 0), me->now);
    atomic_fetch_add_explicit(&box->calls, 1, memory_order_relaxed);
    if (atomic_load(&box->is_over))
        CHECK(!"sdt_disable returned while a handler ran");
}

int draw_mode(struct worker *worker, int mode)
{
    static const int modes[] = {SDT_MODE_AUTO, SDT_MODE_JUMP, SDT_MODE_TRAP};
    return mode >= 0 ? mode : modes[random_number(worker) % 3];
}

static int enable(const char *pattern, struct box *box, int mode)
{
    int id = sdt_enable_mode(pattern, on_hit, box, mode);
    if (id <= 0)
        fprintf(stderr, "%s, mode %d: %d\n", pattern, mode, id);
    CHECK(id > 0);
    return id;
}

static void disable(int id, struct box *box)
{
    CHECK_EQUAL(sdt_disable(id), 0);
    atomic_store(&box->is_over, true);
}

/* A class that has ROLE, drawn. */
static unsigned draw_class(unsigned role)
{
    unsigned class;
    do
        class = (unsigned)(random_number(me) % CLASSES);
    while (roles[class] != role);
    return class;
}

struct round {
    char pattern[64];
    unsigned changes; /* sites that turning it on changes */
};

/* One class of the thread's own, all of them, one kind of it; or one that others also change. */
static struct round draw_round(unsigned t, int mode)
{
    static const unsigned kinds[] = {SDT_KIND_CALL, SDT_KIND_CALL6, SDT_KIND_INLINE, SDT_KIND_NOP11,
                                     SDT_KIND_TAIL};
    static const char *const names[] = {"call", "call6", "live", "tail"};
    struct round round = {.changes = 0};
    unsigned shape = (unsigned)(random_number(me) % 8), own = draw_class(OWNED + t);
    size_t end = 0;
    if (shape == 0) {
        unsigned i;
        do /* not every machine has all kinds */
            i = (unsigned)(random_number(me) % 4);
        while (sites_in(own, kinds[i], SDT_MODE_AUTO) == 0);
        snprintf(round.pattern, sizeof round.pattern, "class%u:%s_*", own, names[i]);
        round.changes = sites_in(own, kinds[i], mode);
    } else if (shape == 1) {
        snprintf(round.pattern, sizeof round.pattern, "class%u::stress_*:*", draw_class(SHARED));
    } else if (shape < 5) {
        snprintf(round.pattern, sizeof round.pattern, "class%u", own);
        round.changes = sites_in(own, 0, mode);
    } else {
        end = (size_t)sprintf(round.pattern, "class[");
        for (unsigned class = 0; class < CLASSES; class ++)
            if (roles[class] == OWNED + t) {
                round.pattern[end++] = (char)('0' + class);
                round.changes += sites_in(class, 0, mode);
            }
        snprintf(round.pattern + end, sizeof round.pattern - end, "]");
    }
    return round;
}

/* Two subscriptions to the same sites: only the first on and the last off change them. */
static void overlap(const struct round *round, struct box *box, int mode)
{
    struct box other = {false, 0};
    int first = enable(round->pattern, box, mode);
    int second = enable(round->pattern, &other, mode);
    bool in_order = random_number(me) % 2;
    disable(in_order ? first : second, in_order ? box : &other);
    disable(in_order ? second : first, in_order ? &other : box);
}

static void look(unsigned t, struct box *box, int mode)
{
    char pattern[16];
    unsigned class = draw_class(OWNED + t);
    snprintf(pattern, sizeof pattern, "class%u", class);
    int id = enable(pattern, box, mode);
    sites_check(class, mode, true);
    disable(id, box);
    sites_check(class, mode, false);
    me->toggles += 2 * sites_in(class, 0, mode);
}

void toggle(unsigned t, int program_mode)
{
    for (unsigned i = 0; i < me->rounds; i++) {
        struct box *box = calloc(1, sizeof *box);
        int mode = draw_mode(me, program_mode);
        if (i % 32 == 0) {
            look(t, box, mode);
            free(box);
            continue;
        }
        struct round round = draw_round(t, mode);
        if (i % 8 == 0)
            overlap(&round, box, mode);
        else
            disable(enable(round.pattern, box, mode), box);
        me->toggles += 2 * round.changes;
        free(box);
    }
}
