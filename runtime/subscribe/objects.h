/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The objects that have registered: coming, indexed, gone. "Locked" means the lock of lock.h.
 */
#ifndef SDT_OBJECTS_H
#define SDT_OBJECTS_H

#include "site/site.h"

/* DSO has come. Takes no lock: it is indexed by the next call of objects_index(). */
void objects_push(struct sdt_dso *dso);
/* LOOK is called at the beginning of objects_index(), from now on: it pushes the objects that have
 * come without registering themselves, and removes those that have gone. Locked. */
void objects_look_around(void (*look)(void));
/* Index every object that has come since the last call, and pass it to ADDED. Locked. 0; or
 * -ENOMEM: one was left for the next call. */
int objects_index(void (*added)(struct object *object));

/* DSO goes: its sites are disarmed, and it cannot be found any more. Locked. */
void objects_remove(struct sdt_dso *dso);
/* DSO's text and semaphores are unmapped already. Locked. Whether it was indexed: then its annex is
 * freed with the index. */
bool objects_remove_unmapped(struct sdt_dso *dso);

/* The indexes of all objects that were removed, linked by `next`: for the caller to free after a
 * grace period (sync.h). Locked. */
struct object *objects_take_retired(void);
void objects_free(struct object *object);

#endif
