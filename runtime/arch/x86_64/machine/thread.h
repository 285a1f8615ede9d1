/* SPDX-License-Identifier: BSD-2-Clause */
/* The thread pointer. gcc before 11 has __builtin_thread_pointer() for other machines only. */
#ifndef SDT_MACHINE_THREAD_H
#define SDT_MACHINE_THREAD_H

#include <stddef.h>

static inline char *machine_thread(void)
{
    char *pointer = NULL;
    __asm__("mov %%fs:0, %0" : "=r"(pointer)); /* the first word there is its own address */
    return pointer;
}

#endif
