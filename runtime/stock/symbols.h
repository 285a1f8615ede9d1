/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The symbols of a file of unknown origin (as in notes.h): which function a site is in, and where
 * the variables are that operands name. A stripped file has only those that it exports.
 */
#ifndef SDT_STOCK_SYMBOLS_H
#define SDT_STOCK_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stock_symbol {
    uint64_t value, size;
    const char *name;
    bool is_function;
};

struct stock_symbols {
    struct stock_symbol *all; /* by address */
    size_t n;
    char *names;
};

/* Those of FD; none if there are none, or too many. To be freed. */
void stock_symbols_read(int fd, struct stock_symbols *symbols);
void stock_symbols_free(struct stock_symbols *symbols);

/* The function around ADDRESS, as the file was linked, or NULL. */
const char *stock_symbols_function(const struct stock_symbols *symbols, uint64_t address);
/* The address of the one variable that the LENGTH bytes at NAME name. */
bool stock_symbols_variable(const struct stock_symbols *symbols, const char *name, size_t length,
                            uint64_t *address);

#endif
