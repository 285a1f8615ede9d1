/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The argument descriptor of a site, `TYPE@OPERAND TYPE@OPERAND …` (<sdt/format.h>), read once.
 * Pure functions.
 */
#ifndef SDT_ARGS_H
#define SDT_ARGS_H

#include <sdt/format.h>
#include <stdbool.h>
#include <stdint.h>

struct args {
    uint8_t count;
    uint8_t type[SDT_MAX_ARGS]; /* bits of enum sdt_arg_type */
};

/* False if TEXT is not the descriptor of exactly COUNT arguments. */
bool args_parse(const char *text, unsigned count, struct args *args);

/* What an untyped call site passes: six unsigned words. */
void args_untyped(struct args *args);

#endif
