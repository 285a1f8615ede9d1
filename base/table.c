/* SPDX-License-Identifier: BSD-2-Clause */
#include "table.h"

#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void table_start(struct table *table, const char *const *titles, size_t n)
{
    *table = (struct table){.columns = n};
    char **row = table_row(table);
    for (size_t i = 0; i < n; i++)
        row[i] = memory_format("%s", titles[i]);
}

char **table_row(struct table *table)
{
    if (table->count == table->capacity) {
        table->capacity = table->capacity ? 2 * table->capacity : 64;
        table->cells =
            memory_resize(table->cells, table->capacity * table->columns, sizeof *table->cells);
    }
    return &table->cells[table->columns * table->count++];
}

void table_print(struct table *table)
{
    size_t *widths = memory_zeroed(table->columns, sizeof *widths);
    size_t cells = table->count * table->columns;
    for (size_t i = 0; i < cells; i++)
        if (strlen(table->cells[i]) > widths[i % table->columns])
            widths[i % table->columns] = strlen(table->cells[i]);
    for (size_t n = 0; table->count > 1 && n < table->count; n++) {
        char *const *row = &table->cells[n * table->columns];
        size_t last = table->columns - 1;
        while (last > 0 && !*row[last])
            last--;
        for (size_t i = 0; i < last; i++)
            printf("%-*s  ", (int)widths[i], row[i]);
        puts(row[last]);
    }
    for (size_t i = 0; i < cells; i++)
        free(table->cells[i]);
    free(table->cells);
    free(widths);
}
