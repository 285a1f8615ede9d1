/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The statements of SQL that make a database. Names are whatever a program has: quoted. Pure: all
 * append to TO.
 */
#ifndef SDT_SQLITE_TEXT_H
#define SDT_SQLITE_TEXT_H

#include "schema.h"

void sqlite_table_text(struct bytes *to, const struct table *table);
void sqlite_insert_text(struct bytes *to, const struct table *table);
/* The view of PAIR: the begin's columns with the time until its end, and the end's arguments. */
void sqlite_view_text(struct bytes *to, const struct schema *schema, const struct table_pair *pair);
/* The view `slices`: what the views of all pairs have in common. */
void sqlite_slices_text(struct bytes *to, const struct schema *schema);

#endif
