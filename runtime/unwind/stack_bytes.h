/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading .eh_frame from the memory of a process, no further than where it ends. */
#ifndef SDT_UNWIND_STACK_BYTES_H
#define SDT_UNWIND_STACK_BYTES_H

#include <stdbool.h>
#include <stdint.h>

struct stack_bytes {
    const uint8_t *at, *end;
    bool has_failed; /* something was to be read after the end */
};

/* A number of N (1 to 8) bytes, and one in LEB128. */
uint64_t stack_bytes_read(struct stack_bytes *reader, unsigned n);
uint64_t stack_bytes_unsigned(struct stack_bytes *reader);
int64_t stack_bytes_signed(struct stack_bytes *reader);
void stack_bytes_skip(struct stack_bytes *reader, uint64_t n);
/* A pointer in one of the encodings that compilers use: of 4 or 8 bytes, relative to its place. */
uint64_t stack_bytes_pointer(struct stack_bytes *reader, uint8_t encoding);

#endif
