/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks a program, in the tool that has compiled it and in the process that is to run it. */
#ifndef SDT_EXCHANGE_VALIDATE_H
#define SDT_EXCHANGE_VALIDATE_H

#include "program.h"

/* What the check found out about a program that is right. */
struct live_types {
    uint8_t at[LIVE_MAX_STEPS]; /* enum live_type of what each step makes */
    uint8_t value;              /* enum live_type; LIVE_NONE: there is no value */
    uint8_t key[2];             /* the same */
    uint8_t texts;              /* texts that it loads */
    uint8_t arguments;          /* the highest argument that it loads, and 1 */
};

/*
 * NULL if the N bytes are a right program; *TYPES is filled in then, if it is not NULL. Else what
 * is wrong: a sentence, static. BYTES must not change meanwhile: copy first what others can write.
 */
const char *live_program_check(const void *bytes, size_t n, struct live_types *types);

/* Type of the histogram of an action that is none of calls: LIVE_NONE if it only counts. */
static inline enum live_type live_value_type(const struct live_program *program,
                                             const struct live_types *types)
{
    return program->action == LIVE_COUNT  ? LIVE_NONE
           : program->action == LIVE_HIST ? (enum live_type)types->value
                                          : LIVE_UNSIGNED;
}

#endif
