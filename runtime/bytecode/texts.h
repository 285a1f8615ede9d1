/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps that make, read and compare texts, and read elements of arrays, at a hit. */
#ifndef SDT_BYTECODE_TEXTS_H
#define SDT_BYTECODE_TEXTS_H

#include "run.h"

#include "process/pages.h"

static inline struct pages_way texts_way(const struct live_aggregation *aggregation)
{
    return (struct pages_way){aggregation->is_guarded, aggregation->is_tsc};
}

/*
 * What is at FROM, at most MOST bytes and LIVE_TEXT; with IS_TEXT those before the first NUL. ROOM
 * has 16 bytes more. Returns how many. Text that cannot be read says so, of bytes there are none:
 * as in recordings.
 */
size_t texts_read(const struct live_aggregation *aggregation, uint64_t *room, uintptr_t from,
                  uint64_t most, bool is_text);

/* The same of LIVE_TEXT bytes of text, which nearly always are in one page that is known. */
static inline size_t texts_read_quickly(const struct live_aggregation *aggregation, uint64_t *room,
                                        uintptr_t from)
{
    long length = -1;
    if (__builtin_expect(aggregation->is_guarded && from % PAGES_SIZE <= PAGES_SIZE - LIVE_TEXT &&
                             pages_has(from),
                         1))
        length = copy_text(room, from, LIVE_TEXT, true);
    return __builtin_expect(length >= 0, 1) ? (size_t)length
                                            : texts_read(aggregation, room, from, LIVE_TEXT, true);
}

/* A register's value, which is the text's address in `texts` of RUN: the same, into the room of OP;
 * the text of the struct sdt_text at FROM; the first MOST bytes of FROM; and what OP says of the
 * hit. */
uint64_t texts_load(struct run *run, const struct op *op, uintptr_t from, uint64_t most,
                    bool is_text);
uint64_t texts_load_view(struct run *run, const struct op *op, uintptr_t from);
uint64_t texts_cut(struct run *run, const struct op *op, const struct text *from, uint64_t most);
uint64_t texts_fact(struct run *run, const struct op *op);
/* The same of the thread's context. False: it has none. */
bool texts_context(struct run *run, const struct op *op, uint64_t *result);

/* Element INDEX, of OP's kind, of the COUNT at FROM. False: there is none. */
bool texts_element(const struct run *run, const struct op *op, uintptr_t from, uint64_t index,
                   uint64_t count, uint64_t *result);

static inline const struct text *text_of(uint64_t value)
{
    return (const struct text *)(uintptr_t)value;
}
/* < 0, 0, > 0. */
int texts_compare(const struct text *a, const struct text *b);
bool texts_begin(const struct text *a, const struct text *b);

#endif
