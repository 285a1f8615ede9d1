/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Assembling a program of a live aggregation, step by step. The caller takes registers and gives
 * them back. When something does not fit, `problem` is set, and all later steps do nothing.
 */
#ifndef SDT_ASSEMBLE_H
#define SDT_ASSEMBLE_H

#include "base/memory.h"
#include "base/slice.h"

#include <exchange/program.h>

struct assembly {
    struct live_step steps[LIVE_MAX_STEPS];
    uint64_t numbers[LIVE_MAX_NUMBERS];
    unsigned step_count, number_count;
    struct bytes texts;
    uint32_t used; /* registers, as bits */
    unsigned loads;
    const char *problem;
};

uint8_t assemble_register(struct assembly *assembly);
static inline void assemble_free(struct assembly *assembly, uint8_t number)
{
    assembly->used &= ~(UINT32_C(1) << number);
}
void assemble_step(struct assembly *assembly, enum live_code code, uint8_t to, uint8_t a,
                   uint8_t b);
/* Set the other members of the last step. */
void assemble_more(struct assembly *assembly, uint8_t c, uint8_t kind);
/* One that loads a text. */
void assemble_load(struct assembly *assembly, enum live_code code, uint8_t to, uint8_t a,
                   uint8_t b);
/* Operand b of a step, for a number or a text of the pool. */
uint8_t assemble_number(struct assembly *assembly, uint64_t number);
uint8_t assemble_text(struct assembly *assembly, struct slice text);

/* Write the program to the LIVE_MAX_PROGRAM bytes at TO. What is wrong, or NULL. */
const char *assemble_end(struct assembly *assembly, enum live_action action, uint8_t value,
                         const uint8_t key[2], void *to);

#endif
