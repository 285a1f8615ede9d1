/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing single words (<machine/site.h>) into the text of the running program.
 */
#ifndef SDT_TEXT_H
#define SDT_TEXT_H

#include <machine/site.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From how many edits on mprotect is the faster way. */
#define TEXT_MANY 128

struct text_edit {
    uint8_t *address; /* aligned for a word */
    site_word expect; /* what must be there now */
    site_word value;  /* the word to write */
    int error;        /* out: 0 or -errno; nothing was written then */
    void *owner;      /* the caller's */
};

/* One batch: text_begin(), any number of text_write(), text_end(). */
struct text_writer {
    int fd;          /* /proc/self/mem; -1: use mprotect; -2: not opened yet */
    bool may_unlock; /* large batches: mprotect first; text_begin() says no */
};

/* The word at ADDRESS, which is aligned for one. */
static inline site_word text_word(const uint8_t *address)
{
    return __atomic_load_n((const site_word *)(const void *)address, __ATOMIC_RELAXED);
}

void text_begin(struct text_writer *writer);
/*
 * Make the N edits, which are sorted by address, each of them completely or not at all, and set
 * each one's error: -EILSEQ: another word than `expect` was there; -EIO: the word read back is not
 * the word written; -EACCES, -EPERM, …: what the kernel said to both ways of writing.
 */
void text_write(struct text_writer *writer, struct text_edit *edits, size_t n);
void text_end(struct text_writer *writer);

/*
 * Replace the N bytes at ADDRESS by VALUE, all within one mapping. No other thread may be executing
 * bytes that change. 0, or the errors above, when nothing or only a part of it was written.
 */
int text_write_run(struct text_writer *writer, uint8_t *address, const uint8_t *value, size_t n);

#endif
