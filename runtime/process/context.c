/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See context.h. What a hit does.
 *
 * Variables of the program, and of libraries whose blocks are laid out together with the thread,
 * are at the same distance from every thread pointer. Those of libraries that were loaded later are
 * where the thread's vector of blocks says, which the C library extends when the thread first uses
 * one: a signal may come in the middle of that. So each step there is a copy that may fail, as is
 * the copy of the record itself, which other threads do not write.
 *
 * This file is compiled for general registers only.
 */
#include "context.h"

#include "fault.h"

#include <machine/thread.h>
#include <sdt/runtime.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

_Atomic uint64_t context_place;

/* The bytes that are read of a record, and room for what pages_copy() stores. */
enum { RECORD = offsetof(struct sdt_trace_context, valid) + 1, ROOM = (RECORD + 15 + 7) / 8 };
_Static_assert((int)RECORD == (int)COPY_RECORD, "copy.S");

static uintptr_t load(struct pages_way way, uintptr_t from)
{
    uint64_t room[3];
    return pages_copy(way, (char *)room, from, sizeof *room, false) == sizeof *room ? room[0] : 0;
}

/* In a block that need not be there. */
static __attribute__((noinline)) uintptr_t load_from_block(struct pages_way way, uint64_t place)
{
    uint64_t module = place >> CONTEXT_MODULE_SHIFT;
    uint64_t offset = (place & ((UINT64_C(1) << CONTEXT_MODULE_SHIFT) - 1)) / 2;
    uintptr_t blocks = *(const uintptr_t *)(const void *)(machine_thread() + MACHINE_BLOCKS);
    if (load(way, MACHINE_BLOCK_LIMIT(blocks)) < module)
        return 0;
    uintptr_t block = load(way, MACHINE_BLOCK(blocks, module));
    return block ? load(way, block + offset) : 0;
}

/* The address of the record; 0: there is none. */
static inline uintptr_t record_of(struct pages_way way)
{
    uint64_t place = atomic_load_explicit(&context_place, memory_order_relaxed);
    if (__builtin_expect(place & 1, 1))
        return *(const volatile uintptr_t *)(const void *)(machine_thread() +
                                                           ((int64_t)place >> 1));
    return place ? load_from_block(way, place) : 0;
}

/* Of a record that may be in two pages, or in one that was not read before. */
static __attribute__((noinline)) bool copy_slowly(struct pages_way way, uint64_t *words,
                                                  uintptr_t record)
{
    uint64_t room[ROOM];
    bool is_copied = pages_copy(way, (char *)room, record, RECORD, false) == RECORD;
    for (unsigned i = 0; is_copied && i < CONTEXT_ROOM; i++)
        words[i] = room[i];
    return is_copied;
}

static inline bool copy(struct pages_way way, uint64_t *words, uintptr_t record)
{
    bool is_known =
        way.is_guarded && pages_has(record) && record % PAGES_SIZE <= PAGES_SIZE - RECORD;
    return __builtin_expect(is_known, 1) ? copy_record(words, record) == 0
                                         : copy_slowly(way, words, record);
}

bool context_read(struct pages_way way, uint64_t words[CONTEXT_ROOM])
{
    uintptr_t record = record_of(way);
    if (record && copy(way, words, record) && (words[CONTEXT_WORDS] & 0xff) == 1 &&
        (words[0] | words[1]) && words[2])
        return true;
    for (unsigned i = 0; i < CONTEXT_WORDS; i++)
        words[i] = 0;
    return false;
}
