/* SPDX-License-Identifier: BSD-2-Clause */
/* The thread pointer, and what the C library keeps there. gcc before 11 has
 * __builtin_thread_pointer() for other machines only. */
#ifndef SDT_MACHINE_THREAD_H
#define SDT_MACHINE_THREAD_H

#include <stddef.h>

static inline char *machine_thread(void)
{
    char *pointer = NULL;
    __asm__("mov %%fs:0, %0" : "=r"(pointer)); /* the first word there is its own address */
    return pointer;
}

/*
 * The thread's blocks of thread-local variables, as glibc has them: where the address of the vector
 * is, from the thread pointer; where the vector says how many modules it has, and where the block
 * of one is. process/context_find.c looks whether it is so.
 */
#define MACHINE_BLOCKS 8
#define MACHINE_BLOCK_LIMIT(vector) ((vector)-16)
#define MACHINE_BLOCK(vector, module) ((vector) + 16 * (module))

#endif
