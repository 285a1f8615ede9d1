/* SPDX-License-Identifier: BSD-2-Clause */
/* Columns for people: each as wide as its widest cell, the last one as it comes. */
#ifndef SDT_BASE_TABLE_H
#define SDT_BASE_TABLE_H

#include <stddef.h>

struct list_table {
    size_t columns, count, capacity; /* rows; the first one has the titles */
    char **cells;
};

/* Make a table of the N columns with TITLES. */
void list_table_start(struct list_table *table, const char *const *titles, size_t n);
/* A new row; its cells are to be set to strings that the table frees. Valid until the next one. */
char **list_table_row(struct list_table *table);
/* Print it, if it has a row besides the titles, and free it. */
void list_table_print(struct list_table *table);

#endif
