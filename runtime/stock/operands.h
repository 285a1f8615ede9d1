/* SPDX-License-Identifier: BSD-2-Clause */
/* The arguments of a note as the descriptor of a record (<sdt/format.h>). */
#ifndef SDT_STOCK_OPERANDS_H
#define SDT_STOCK_OPERANDS_H

#include <sdt/format.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many arguments ARGS, the text of a note, has; 1: they cannot be told apart. */
unsigned operands_count(const char *args);

/*
 * Where the variables are that operands name: FIND returns that of the LENGTH bytes at NAME. Their
 * places follow, in order.
 */
struct operand_places {
    bool (*find)(void *data, const char *name, size_t length, uint64_t *address);
    void *data;
    uint64_t address[SDT_MAX_ARGS];
    unsigned n;
};

/*
 * Write the descriptor to TEXT, with a NUL: at most operands_room() bytes. An argument that cannot
 * be read, or names an unknown variable, is `?`: record_check() refuses the site.
 */
size_t operands_room(const char *args);
size_t operands_describe(const char *args, char *text, struct operand_places *places);

#endif
