/* SPDX-License-Identifier: BSD-2-Clause */
/* The last step before an object is written: which symbol has which index. */
#ifndef SDTLINK_ELF_REINDEX_H
#define SDTLINK_ELF_REINDEX_H

#include "object.h"

/* Refuse an object, as read, in which an index belongs to no symbol. */
int reindex_check(const struct object *object);
/* Settle all symbol indexes and everything that holds one. Nothing may be added after it. */
void reindex(struct object *object);
/* The final index of an added symbol. */
static inline uint32_t added_index(const struct object *object, uint32_t id)
{
    return object->added[id - object->symbol_count].index;
}

#endif
