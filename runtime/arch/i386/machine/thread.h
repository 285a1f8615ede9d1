/* SPDX-License-Identifier: BSD-2-Clause */
/* The thread pointer. */
#ifndef SDT_MACHINE_THREAD_H
#define SDT_MACHINE_THREAD_H

#include <stddef.h>

static inline char *machine_thread(void)
{
    char *pointer = NULL;
    __asm__("mov %%gs:0, %0" : "=r"(pointer)); /* the first word there is its own address */
    return pointer;
}

#endif
