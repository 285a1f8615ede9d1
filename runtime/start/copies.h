/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The copies of this library in a process (rendezvous.h), and how they are found. Not by a symbol:
 * hidden and static ones are in no dynamic symbol table, and an executable exports only what was
 * requested at link time. Each copy carries an allocated ELF note instead, which every loaded
 * object's program headers lead to:
 *
 *     name "sdtlink", type 1, descriptor: version (4 bytes), distance from itself to `struct copy`
 *
 * The note may come from another program: what it points to is read only if the loader has mapped
 * it.
 */
#ifndef SDT_COPIES_H
#define SDT_COPIES_H

#include "registry/arrivals.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct leader_functions;

/* Raised when struct copy or struct leader_functions change, or what is passed to its functions. */
#define COPY_VERSION 7
#define COPY_NOTE_TYPE 1

struct copy {
    uint32_t version;
    uint32_t size;
    _Atomic(const struct copy *) leader; /* NULL: not elected yet */
    const struct leader_functions *functions;
    arrivals waiting;                  /* registered before the election */
    void (*push)(struct sdt_dso *dso); /* as leader: take an object, without any lock */
    void (*pin)(void);                 /* as leader: never unload this copy */
    int (*mask)(int how, const sigset_t *set, sigset_t *old); /* its pthread_sigmask() */
};

/* This copy. (rendezvous.c, whose note leads to it by that name.) */
extern __attribute__((visibility("hidden"))) struct copy sdt_rendezvous_copy;

typedef void copy_visitor(struct copy *copy, void *data);

/* Call VISIT for each copy, in the loader's order, with the loader's lock held. */
void copies_visit(copy_visitor *visit, void *data);
/* Whether there is a copy that keeps its objects to itself, and what was asked for may be there. */
bool copies_have_other_version(void);

#endif
