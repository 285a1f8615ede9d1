/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Conditions on the arguments of a hit: `ns > 1000000 && path ^= "/api/"`. Their grammar and their
 * operators are those of `sdt report --filter` (shared/grammar.h, shared/operators.h). But these
 * are evaluated inside hits, in the user's program: their size is bounded when they are parsed, and
 * nothing is allocated afterwards.
 */
#ifndef SDT_RECORDER_CONDITION_H
#define SDT_RECORDER_CONDITION_H

#include "hit.h"

#include <sdt/runtime.h>
#include <shared/grammar.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CONDITION_STEPS = 128, /* constants, names and operators */
    CONDITION_TEXT = 1024, /* bytes of all names and texts */
    CONDITION_DEPTH = 16,  /* parentheses, signs and `!` inside each other */
    CONDITION_STACK = 32   /* operands that wait for their operators */
};

struct condition_step {
    uint8_t code;     /* enum code */
    uint8_t function; /* enum function: of a call */
    bool is_argument; /* of a name: arg.NAME */
    struct term term; /* a constant; the text of a name. Texts are in `text` */
};

struct condition {
    unsigned count, text_size;
    unsigned stack; /* operands that wait after the last step */
    bool has_wrong_call;
    struct condition_step steps[CONDITION_STEPS];
    char text[CONDITION_TEXT];
};

/* Read TEXT. 0, -EINVAL: it is not a condition; -E2BIG: it is too long. *CONDITION must not be
 * moved afterwards. */
int condition_parse(const char *text, struct condition *condition);

/*
 * Whether CONDITION holds for EVENT; of each text and array, as many bytes are looked at as RINGS
 * record. What has no value (a name that the event has not, a division by zero) makes a comparison
 * false. Async-signal-safe.
 */
bool condition_holds(const struct condition *condition, const struct sdt_event *event,
                     const struct rings *rings);

#endif
