/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the runtime knows: the objects of the program that have sites, and an index of each.
 *
 * Registering an object pushes it on a list and reads nothing. The index, which checks every
 * record, is built when it is first needed. Nothing here writes to text or to a probe.
 *
 * Locking: "locked" means the lock of lock.h. registry_find_trap() and registry_knew() are for
 * readers (sync.h): they take no lock, and what they return lives as long as the section.
 */
#ifndef SDT_REGISTRY_H
#define SDT_REGISTRY_H

#include "site/record.h"
#include "site/site.h"

/* What sdt_dso.runtime is until there is an index: it is on some copy's list. Objects are
 * registered twice (<sdt/format.h>). */
#define REGISTRY_LISTED ((void *)(uintptr_t)1)

/* The index of DSO; NULL: it has none. */
static inline struct object *registry_object(const struct sdt_dso *dso)
{
    return dso->runtime == REGISTRY_LISTED ? NULL : dso->runtime;
}

/* Whether DSO is of this format. (This and the next run at each start, and so are inline.) */
static inline bool registry_accepts(const struct sdt_dso *dso)
{
    return dso && dso->magic == SDT_FORMAT_MAGIC && dso->version >= SDT_FORMAT_OLDEST &&
           dso->version <= SDT_FORMAT_VERSION && dso->size >= sizeof *dso;
}

/* Whether the calls of DSO are still in the text. Reads its first record. */
static inline bool registry_is_companion(const struct sdt_dso *dso)
{
    const struct sdt_site *begin = (const void *)record_target(&dso->sites_begin);
    return begin && (uintptr_t)begin < record_target(&dso->sites_end) &&
           (begin->flags & SDT_SITE_COMPANION);
}

/* registry/index.c: fill in OBJECT, which is zeroed, with what DSO has. Locked. 0, or an error:
 * then only registry_free() may be called with it. */
int registry_index(struct object *object, struct sdt_dso *dso);

/* Index DSO and make it visible to readers. Locked. 0 or -ENOMEM (nothing changed). */
int registry_add(struct sdt_dso *dso, struct object **added);
/* Take it out: readers no longer find it. Locked. Free it after a grace period. */
struct object *registry_remove(struct sdt_dso *dso);
void registry_free(struct object *object);
/* What registry_add and registry_remove left to be freed after a grace period; free() it. Locked.*/
void *registry_take_garbage(void);
void registry_free_garbage(void *taken);

/* All indexed objects, in order of their registration. Locked. */
struct object *registry_objects(void);

/* Readers: the site whose bytes hold ADDRESS (its trap byte or first byte), or NULL. */
struct site *registry_find_trap(uintptr_t address);
/* Readers: whether ADDRESS is between sites of an object that was removed. */
bool registry_knew(uintptr_t address);

#endif
