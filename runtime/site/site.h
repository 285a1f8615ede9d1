/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A site, its probe and its object, as the runtime has them in memory: the index that registry.h
 * builds, and what can be told from it alone. What another file keeps here is in a struct
 * of_FILE, named after it: of_patch is patch.c's.
 *
 * "Locked" means the lock of lock.h. "Readers" are those of sync.h: they take no lock, and what
 * they find lives as long as the section.
 */
#ifndef SDT_SITE_H
#define SDT_SITE_H

#include "args.h"
#include "process/window.h"
#include "record.h"

#include <arch/arch.h>
#include <sdt/format.h>
#include <stdatomic.h>

struct fetch;
struct hit_state;
struct recipe;
struct handler_list;

/* How a site is armed: the values of sdt_probe_info.mode that a site can have by itself. */
enum site_mode {
    SITE_OFF,
    SITE_TRAP,
    SITE_JUMP,
    SITE_REWRITING /* a companion's call is being replaced: a trap continues after it */
};

/* The runtime's state of one probe of one object. */
struct probe {
    struct sdt_probe *in_file; /* what the object has of it */
    enum sdt_access access;    /* how hits come */
    const char *provider, *name;
    struct hit_state *state; /* what in_file->runtime is; NULL: it was never enabled */
    _Atomic(struct handler_list *) handlers; /* registry/dispatch.c's; NULL: none */
    /* The recorder's: by number of a record, from `records`; NULL: never recorded. */
    _Atomic(const struct recipe *) *recipes;
    const struct sdt_site *records;
    _Atomic(const struct recipe *) only_recipe; /* if only one site fires; NULL: see `recipes` */
    unsigned firing;                            /* sites that fire */
    struct site **sites;                        /* by address, into the object's by_probe */
    size_t site_count;
    const struct fetch *fetch; /* of its call sites, if all have the same plan */
    bool has_one_plan;         /* those that fire have their arguments in the same places */
    /* hit/argument.c's: of all sites that fire; at first, and without one plan, it asks the site.
     */
    _Atomic(const struct fetch *) only_fetch;
    /* subscribe/subscription.c's, and meaningless outside one of its locked passes, which begins by
     * writing them: may it match, do all sites, and how many sites that fire do. */
    struct {
        bool is_candidate, takes_all;
        unsigned matched;
    } of_subscription;
    struct {              /* registry/index.c's, while it builds the index */
        const char *name; /* in the file: `provider:name` */
    } of_index;
    struct object *object;
};

/*
 * One site. `record` and what it says never change; the rest is locked, but for atomic reads. The
 * members that enabling and disabling read come first: they walk over tens of thousands of sites.
 */
struct site {
    uintptr_t patch; /* the index is sorted by it */
    const struct sdt_site *record;
    const struct sdt_form *form; /* NULL: of an unknown kind */
    struct probe *probe;         /* NULL: the record does not even name one */
    uint8_t kind;                /* from the record */
    bool is_companion;           /* also from the record: its call is still in the text */
    _Atomic uint8_t mode;        /* enum site_mode; written by patch_set_mode() alone, locked */
    bool is_alias;               /* the one before it has the same patch byte and the same probe */
    struct {                     /* registry/index.c's, while it builds the index */
        bool has_probe;          /* the record names one */
    } of_index;
    bool is_bad;          /* the record is wrong: never write, `error` says why */
    struct {              /* patch/patch.c's, from one change of the site to the next; locked */
        bool is_prepared; /* its thunk is made, and its bytes lead there */
        bool is_frozen; /* it was disarmed under a foreign breakpoint: not armed before that ends */
    } of_patch;
    struct {             /* subscribe/subscription.c's: marked first in each of its locked passes */
        bool is_matched; /* by the pattern; meaningless where probe->of_subscription.takes_all */
    } of_subscription;
    int error;          /* why it is bad, could not be armed, or was not armed by a jump; 0: none */
    unsigned users;     /* subscriptions that want it */
    struct {            /* registry/semaphore.c's; locked */
        bool is_raised; /* `semaphore` counts this site */
    } of_semaphore;
    struct args args;
    struct { /* registry/index.c writes both first; then argument_prepare(), once, with no lock */
        _Atomic(const struct fetch *) fetch; /* how its arguments are fetched: site_fetch() */
        _Atomic(void *) room;                /* memory for that; NULL: it is made, or being made */
    } of_argument;
    struct semaphore *semaphore; /* NULL: none */
};

/* thunk.c's: the code of one object's sites that is not in its text. */
struct thunks {
    struct window window;
    int error; /* why there are no thunks, or not all; 0: there were none to make */
};

/* A counter of the program, of attached tracers (format.h, SDT_SITE_SEMAPHORE). */
struct semaphore {
    uint16_t *counter;
    unsigned sites; /* that are armed; locked */
};

/* The index of one registered object. */
struct object {
    struct sdt_dso *dso;
    struct object *next;
    struct annex *annex; /* what its records are in, if they were made here; NULL: its file */
    char *path;          /* of its file */
    const char *module;  /* the base name of that, or `name` */
    char *name;          /* the same without what says that the file is gone; NULL */
    char build_id[41];   /* "": it has none */
    uintptr_t low, high; /* its patch bytes lie in [low, high] */
    bool has_companions; /* some of its calls are still in the text */
    size_t n;
    size_t enabled_sites; /* is-enabled sites, which do not fire */
    struct site *sites;
    size_t probe_count;
    struct probe *probes;
    char *names; /* of them */
    struct semaphore *semaphores;
    uint64_t *fetch_rooms;  /* of all sites that want one */
    struct site **by_probe; /* the sites that are no alias and name a probe, grouped by it */
    const struct sdt_site *records;
    uint32_t *by_record;                     /* which site each record describes */
    _Atomic(const struct recipe *) *recipes; /* of each record; NULL: none was ever recorded */
    struct {               /* subscribe/subscription.c's, written first in each locked pass */
        size_t candidates; /* sites of the probes that may match */
    } of_subscription;
    struct thunks thunks;
};

/* Readers: the site of PROBE at patch byte PATCH, or NULL. Most probes have only a few. */
struct site *probe_find(const struct probe *probe, uintptr_t patch);

/* What a record points at. */
static inline uint8_t *site_pc(const struct site *site)
{
    return (uint8_t *)record_target(&site->record->pc);
}

/* The stub; of a site with live registers, the entry. */
static inline const uint8_t *site_stub(const struct site *site)
{
    return (const uint8_t *)record_target(&site->record->stub);
}

/* Readers. */
static inline const struct fetch *site_fetch(const struct site *site)
{
    return atomic_load_explicit(&site->of_argument.fetch, memory_order_acquire);
}

static inline bool site_fires(const struct site *site) /* not an is-enabled site */
{
    return !site->form || !site->form->is_enabled_test;
}

/* Readers: the site of the object of PROBE that RECORD describes, or NULL: there is no such record.
 * Inline: every hit at a site with live registers calls it. */
static inline struct site *probe_described(const struct probe *probe, const struct sdt_site *record)
{
    const struct object *object = probe->object;
    size_t i = (size_t)(record - object->records);
    return i < object->n ? &object->sites[object->by_record[i]] : NULL;
}

const char *site_function(const struct site *site); /* NULL: unknown */
const char *site_file(const struct site *site);     /* of the source; NULL: unknown */
const char *site_module(const struct site *site);

#endif
