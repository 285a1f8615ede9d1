/* SPDX-License-Identifier: BSD-2-Clause */
/* What must follow a write to the text of the running program. */
#ifndef SDT_MACHINE_FLUSH_H
#define SDT_MACHINE_FLUSH_H

#include <stddef.h>

/*
 * What was written to N bytes of text is to be fetched from now on. A CPU that has fetched the old
 * instruction goes on with it until sync_text(). (Kernels clean for what they write themselves.)
 */
static inline void site_flush(const void *text, size_t n)
{
    char *begin = (char *)(uintptr_t)text;
    __builtin___clear_cache(begin, begin + n);
}

#endif
