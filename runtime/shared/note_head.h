/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a note of <sys/sdt.h> begins with: addresses of the probe, of .stapsdt.base, and of the
 * semaphore or 0. The first draft of the format ("revamp sdt.h", SystemTap's list) had no
 * semaphores, and two addresses, and its notes have the same owner and type. Three strings follow:
 * provider, name, arguments.
 *
 * With two addresses, the third word is the beginning of the provider, and both names are not
 * empty. With three, it is 0 or an address. As letters, an address of 64 bits would end in two
 * zeros, between which a name would be empty; so the two cannot be confused. One of 32 bits could
 * be four letters: then the reader must know that it leads somewhere in the file.
 */
#ifndef SDT_NOTE_HEAD_H
#define SDT_NOTE_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The string at *AT of TEXT, which ends before SIZE and is not empty; *AT moves after it. */
static inline bool note_takes_name(const uint8_t *text, size_t size, size_t *at)
{
    const uint8_t *nul = *at < size ? memchr(text + *at, 0, size - *at) : NULL;
    size_t start = *at;
    if (!nul || nul == text + start)
        return false;
    for (const uint8_t *c = text + start; c < nul; c++)
        if (*c <= ' ' || *c >= 0x7f)
            return false;
    *at = (size_t)(nul - text) + 1;
    return true;
}

/*
 * How many bytes of the description TEXT, SIZE bytes, the addresses are, each of WORD. HAS_THIRD:
 * the third word is known to be an address.
 */
static inline size_t note_head_size(const uint8_t *text, size_t size, size_t word, bool has_third)
{
    size_t at = 2 * word;
    bool has_two = !has_third && note_takes_name(text, size, &at) &&
                   note_takes_name(text, size, &at) && at < size &&
                   memchr(text + at, 0, size - at) == text + size - 1;
    return (has_two ? 2 : 3) * word;
}

#endif
