/* SPDX-License-Identifier: BSD-2-Clause */
/* Columns for people: each as wide as its widest cell, the last one as it comes. */
#ifndef SDT_BASE_TABLE_H
#define SDT_BASE_TABLE_H

#include <stddef.h>

struct table {
    size_t columns, count, capacity; /* rows; the first one has the titles */
    char **cells;
};

/* Make a table of the N columns with TITLES. */
void table_start(struct table *table, const char *const *titles, size_t n);
/* A new row; its cells are to be set to strings that the table frees. Valid until the next one. */
char **table_row(struct table *table);
/* Print it, if it has a row besides the titles, and free it. */
void table_print(struct table *table);

#endif
