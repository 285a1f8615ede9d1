/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pages that were found to be readable, so that text in them may be copied without asking again.
 *
 * An invalid pointer must not end the program. fault.h catches the signal, but only while its
 * handler is the one that the kernel calls: many programs install their own in main(), after
 * recording has begun, and that handler would get our fault. So the kernel is asked about a page
 * before it is first read, and the handler is only needed for pages that are unmapped afterwards.
 */
#ifndef SDT_PAGES_H
#define SDT_PAGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGES_SIZE = 4096, PAGES_KNOWN = 4096 };

/* The last byte of each page. Shared by all threads; a page that loses its place is asked again. */
extern __attribute__((visibility("hidden"))) atomic_uintptr_t pages_known[PAGES_KNOWN];

/* Whether the page of ADDRESS was readable once. False if the address is too high or too low. */
static inline bool pages_has(uintptr_t address)
{
    atomic_uintptr_t *known = &pages_known[address / PAGES_SIZE % PAGES_KNOWN];
    return atomic_load_explicit(known, memory_order_relaxed) == (address | (PAGES_SIZE - 1));
}

/*
 * Whether the page of ADDRESS can be read; if so, pages_has() knows it from now on. Asks the
 * kernel; true as well if that is forbidden. Async-signal-safe; errno is kept.
 */
bool pages_ask(uintptr_t address);

/* What is known of the process: */
struct pages_way {
    bool is_guarded; /* fault_guard() */
    bool is_tsc;     /* the time is read from the time-stamp counter */
};

/*
 * Copy at most MOST bytes at FROM, which may be any address, to TO: with IS_TEXT only those before
 * the first NUL. Returns how many, or a negative number: not all of them can be read. It stores
 * whole words, up to 15 bytes more. Async-signal-safe; general registers only.
 */
long pages_copy(struct pages_way way, char *to, uintptr_t from, size_t most, bool is_text);

#endif
