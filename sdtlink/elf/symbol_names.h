/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_ELF_SYMBOL_NAMES_H
#define SDTLINK_ELF_SYMBOL_NAMES_H

#include "object.h"

/*
 * Write the table of symbols' names anew, without those of dropped symbols, if that makes it
 * smaller. To be called after reindex(), for an object of which no part is copied from its input.
 */
void symbol_names_compact(struct object *object);

#endif
