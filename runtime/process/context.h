/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The context of a thread: the ids of the trace and the span that it works for. A tracing library
 * keeps a pointer to them in a thread-local variable: OpenTelemetry's `otel_thread_ctx_v1`
 * (OTEP 4947), which every loaded object may define, or another one that the program has told us
 * (sdt_context()). <sdt/runtime.h> has the layout of what it points to.
 *
 * Nothing is called for that: a hit reads its own thread's variable. Where it is was found before.
 */
#ifndef SDT_CONTEXT_H
#define SDT_CONTEXT_H

#include "pages.h"

#include <stdbool.h>
#include <stdint.h>

/* Words of a context: two of the trace, one of the span. The first byte of each is the highest.
 * Reading it takes room for one more. */
enum { CONTEXT_WORDS = 3, CONTEXT_ROOM = 4 };

/*
 * Find the variable, or find it again after objects have been loaded or unloaded. Not in a hit; it
 * takes the loader's lock.
 */
void context_find(void);
/* From now on it is the one at SLOT, of this thread; NULL: the one of OpenTelemetry. 0, or -EINVAL:
 * that is no thread-local variable that others threads have where it would be looked for. */
int context_use(const void *slot);

/*
 * The calling thread's context. False: it has none, and the words are zero. Async-signal-safe;
 * general registers only; whatever the pointers lead to, it is safe.
 */
bool context_read(struct pages_way way, uint64_t words[CONTEXT_ROOM]);

/* Eight hexadecimal digits, of the four bytes of HALF of a word, the first of which is the lowest:
 * each half of a byte goes to a byte of its own, and those from 10 on are letters. */
static inline uint64_t context_digits(uint64_t half)
{
    half = (half | half << 16) & UINT64_C(0x0000ffff0000ffff);
    half = (half | half << 8) & UINT64_C(0x00ff00ff00ff00ff);
    half = (half >> 4 | half << 8) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    uint64_t letters = (half + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
    return half + UINT64_C(0x3030303030303030) + letters * ('a' - '0' - 10);
}

/*
 * Where the variable is: 0: nowhere; an odd number: twice its distance from the thread pointer, and
 * 1; another one: the number of its module << 40, and twice its place in the module's block.
 */
extern _Atomic uint64_t context_place;
enum { CONTEXT_MODULE_SHIFT = 40 };

#endif
