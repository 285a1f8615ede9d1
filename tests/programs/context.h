/* SPDX-License-Identifier: BSD-2-Clause */
/* The record of OpenTelemetry's thread context, as OTEP 4947 has it, and written independently of
 * ours. */
#ifndef CONTEXT_H
#define CONTEXT_H

#include <stdint.h>

struct __attribute__((packed)) thread_record {
    uint8_t trace_id[16];
    uint8_t span_id[8];
    uint8_t valid;
    uint8_t trace_flags;
    uint16_t attrs_data_size;
    uint8_t attrs_data[34];
};
_Static_assert(sizeof(struct thread_record) == 62, "28 bytes and the attributes");

/* The variable of this thread. */
void context_set(struct thread_record *record);
void *context_address(void);

#endif
