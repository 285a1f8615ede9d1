/* SPDX-License-Identifier: BSD-2-Clause */
/* See patch/text.h: the kernel writes to its text, and keeps others from it meanwhile. */
#include "patch/text.h"

#include <errno.h>
#include <sdt/kernel.h>

void text_begin(struct text_writer *writer)
{
    (void)writer;
    sdt_kernel_lock_text();
}

static int write_word(const struct text_edit *edit)
{
    if (text_word(edit->address) != edit->expect)
        return -EILSEQ;
    int error = sdt_kernel_write(edit->address, &edit->value, sizeof edit->value);
    if (!error && text_word(edit->address) != edit->value)
        return -EIO;
    return error;
}

void text_write(struct text_writer *writer, struct text_edit *edits, size_t n)
{
    (void)writer;
    for (size_t i = 0; i < n; i++)
        edits[i].error = write_word(&edits[i]);
}

void text_end(struct text_writer *writer)
{
    (void)writer;
    sdt_kernel_unlock_text();
}

/* NOLINTNEXTLINE(readability-non-const-parameter): text.h says what it takes */
int text_write_run(struct text_writer *writer, uint8_t *address, const uint8_t *value, size_t n)
{
    (void)writer;
    (void)address;
    (void)value;
    (void)n;
    return -EACCES; /* only sites of notes need it, which freestanding sets do not have */
}
