/* SPDX-License-Identifier: BSD-2-Clause */
/* What a receiver of OTLP answers, in Protocol Buffers; pure. Nothing of it is trusted. */
#ifndef SDT_OTLP_ANSWER_H
#define SDT_OTLP_ANSWER_H

#include "base/slice.h"

#include <stdint.h>

struct otlp_answer {
    uint64_t rejected;    /* items */
    struct slice message; /* in what was read; empty: none */
};

/* Of a request that was accepted: Export...ServiceResponse. All zero if it has nothing to say. */
struct otlp_answer otlp_answer_read(const void *data, size_t size);
/* Of one that was refused: google.rpc.Status, of which the message counts. */
struct otlp_answer otlp_refusal_read(const void *data, size_t size);

#endif
