/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See rendezvous.h. A process may hold several copies of this library: libsdt.a in the program and
 * libsdt.so as a dependency of one of its libraries, or a plug-in with a hidden static copy. Two
 * copies must not write the same text or compete for SIGTRAP, so one of them, the *leader*, does
 * the work and the others pass their calls and their objects on.
 *
 * The election happens inside a dl_iterate_phdr() callback, because the loader's lock, held there,
 * is the one lock that all copies share. The first copy in the loader's order wins, the program
 * itself before its libraries; it makes itself impossible to unload.
 *
 * A leader of another version cannot be used: -EEXIST. Nor does a leader see the objects that
 * were registered with a copy of another version: also -EEXIST, where nothing else matches. The
 * first three fields of struct copy are the same for ever, so that versions can at least tell that.
 */
#define _GNU_SOURCE
#include "rendezvous.h"

#include "copies.h"
#include "hit/counters.h"
#include "patch/trap.h"
#include "process/chain.h"
#include "process/early.h"
#include "process/loaded.h"
#include "registry/registry.h"
#include "signals.h"
#include "subscribe/objects.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>

static void pin(void);

__attribute__((used)) struct copy sdt_rendezvous_copy = {
    .version = COPY_VERSION,
    .size = sizeof(struct copy),
    .functions = &leader_functions,
    .push = objects_push,
    .pin = pin,
    .mask = signals_mask,
};
static struct copy *const own = &sdt_rendezvous_copy;

__asm__(".pushsection .note.sdtlink, \"a\", @note\n"
        "    .balign 4\n"
        "    .long 8, 8, 1\n" /* length of the name, of the descriptor, type */
        "    .asciz \"sdtlink\"\n"
        "    .long 7\n" /* COPY_VERSION */
        "    .long sdt_rendezvous_copy - .\n"
        ".popsection\n");
_Static_assert(COPY_VERSION == 7 && COPY_NOTE_TYPE == 1, "the note above says so");

/*
 * Weak: a static executable has none, and nothing to pin. dlopen() itself is asked for by its name:
 * GNU ld and gold warn of every static executable that mentions it, weakly or not, which ends a
 * link with --fatal-warnings.
 */
#pragma weak dlsym

/* Where this copy is. */
struct place {
    const char *name;   /* of the object that it is in: "" is the program; NULL: not found */
    bool is_after_libc; /* the C library comes before that object */
};

static int find_place(struct dl_phdr_info *object, size_t size, void *data)
{
    struct place *place = data;
    (void)size;
    if (loaded_segment(object, (uintptr_t)own, 1, 0)) {
        place->name = object->dlpi_name;
        return 1;
    }
    if (loaded_segment(object, (uintptr_t)__sigaction, 1, 0))
        place->is_after_libc = true;
    return 0;
}

/*
 * Who calls the functions of signals.c calls ours, if this copy comes before the C library; or
 * others that call what comes next, as those of a sanitizer in the program do.
 *
 * Not by dladdr(3), which also looks for a symbol: that reads all of the C library's.
 */
static void pin(void)
{
    struct place place = {NULL, false};
    void *(*open_library)(const char *name, int flags) = NULL;
    counters_find(); /* once, by the leader, and not under our lock: it takes the loader's */
    if (!dlsym)
        return;
    dl_iterate_phdr(find_place, &place);
    if (!place.name)
        return;
    if (__sigaction && !place.is_after_libc)
        atomic_store(&trap_keeper.watched, true);
    if (place.name[0] == '\0') /* the program itself, which stays anyway */
        return;
    *(void **)&open_library = dlsym(RTLD_DEFAULT, "dlopen");
    if (open_library) /* counted, never closed */
        open_library(place.name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

/* ---- The election. ---- */

enum { FEW = 8 };

struct election {
    struct copy *copies[FEW];   /* the first of all that there are */
    size_t n;                   /* how many there are */
    struct copy *first;         /* of our version */
    const struct copy *elected; /* by an earlier election */
    bool is_new;
    bool is_watched; /* the process calls some copy's functions of signals.c */
};

static void find_leader(struct copy *copy, void *data)
{
    struct election *election = data;
    if (election->n < FEW)
        election->copies[election->n] = copy;
    election->n++;
    if (!election->elected)
        election->elected = atomic_load(&copy->leader);
    if (!election->first && copy->version == COPY_VERSION)
        election->first = copy;
}

/* Make COPY follow; the objects that it was told of so far go to the leader. */
static void follow(struct copy *copy, void *data)
{
    struct election *election = data;
    const struct copy *leader = election->elected;
    atomic_store(&copy->leader, leader);
    if (copy->version != COPY_VERSION || leader->version != COPY_VERSION)
        return;
    election->is_watched = election->is_watched || copy->mask == pthread_sigmask;
    struct sdt_dso *dso = arrivals_take(&copy->waiting);
    while (dso) {
        struct sdt_dso *next = dso->next;
        leader->push(dso);
        dso = next;
    }
}

/* Called once, for any object, with the loader's lock held. */
static int elect(struct dl_phdr_info *object, size_t size, void *data)
{
    struct election *election = data;
    (void)object;
    (void)size;
    copies_visit(find_leader, election);
    if (!election->elected) {
        election->is_new = true;
        election->elected = election->first ? election->first : own;
    }
    /* To find them takes system calls: not twice, where that can be spared. */
    if (election->n > FEW)
        copies_visit(follow, election);
    else
        for (size_t i = 0; i < election->n; i++)
            follow(election->copies[i], election);
    follow(own, election); /* we count even if our note was stripped from the file */
    if (election->is_new)
        atomic_store(&election->elected->functions->trap_keeper->watched, election->is_watched);
    return 1;
}

int rendezvous(const struct leader_functions **functions)
{
    const struct copy *leader = atomic_load_explicit(&own->leader, memory_order_acquire);
    if (!leader) {
        struct election election = {0};
        dl_iterate_phdr(elect, &election);
        leader = atomic_load(&own->leader);
        if (election.is_new)
            leader->pin();
    }
    if (leader->version != COPY_VERSION)
        return -EEXIST;
    *functions = leader->functions;
    return 0;
}

/* ---- Objects. ---- */

/* Give what waits here to the leader, which was elected while we put it here. */
static void hand_over(const struct copy *leader)
{
    struct sdt_dso *dso = arrivals_take(&own->waiting);
    while (dso) {
        struct sdt_dso *next = dso->next;
        leader->functions->add_object(dso);
        dso = next;
    }
}

/*
 * The leader, if one was elected before this copy was loaded. Looked for once in each copy; one
 * that is a part of the program was there before any election, which would have told it.
 */
static const struct copy *leader_now(void)
{
    static SDT_EARLY atomic_bool has_looked;
    const struct copy *leader = atomic_load(&own->leader);
    if (!leader && !atomic_exchange(&has_looked, true) && !loaded_is_program(own)) {
        struct election election = {0};
        copies_visit(find_leader, &election);
        leader = election.elected;
        if (leader)
            atomic_store(&own->leader, leader);
    }
    return leader && leader->version == COPY_VERSION ? leader : NULL;
}

void rendezvous_register(struct sdt_dso *dso)
{
    const struct copy *leader = leader_now();
    const struct leader_functions *functions;
    if (leader) {
        leader->functions->add_object(dso);
        return;
    }
    arrivals_push(&own->waiting, dso);
    leader = leader_now();
    if (leader)
        hand_over(leader);
    else if (registry_is_companion(dso) && rendezvous(&functions) == 0)
        functions->index_now(); /* its sites are rewritten now, before the program runs */
}

void rendezvous_unregister(struct sdt_dso *dso)
{
    const struct copy *leader = leader_now();
    if (leader) {
        leader->functions->remove_object(dso);
        return;
    }
    /* Destructors run one at a time, under the loader's lock; constructors only add. */
    struct sdt_dso *list = arrivals_take(&own->waiting);
    while (list) {
        struct sdt_dso *next = list->next;
        if (list != dso)
            arrivals_push(&own->waiting, list);
        else
            dso->runtime = NULL;
        list = next;
    }
    /* An election in another thread may have come before us, or in between. */
    leader = leader_now();
    if (leader) {
        hand_over(leader);
        leader->functions->remove_object(dso);
    }
}
