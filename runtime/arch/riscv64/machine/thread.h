/* SPDX-License-Identifier: BSD-2-Clause */
/* The thread pointer, and what the C library keeps there. */
#ifndef SDT_MACHINE_THREAD_H
#define SDT_MACHINE_THREAD_H

static inline char *machine_thread(void)
{
    return __builtin_thread_pointer();
}

/*
 * The thread's blocks of thread-local variables, as glibc has them: where the address of the vector
 * is, from the thread pointer; where the vector says how many modules it has, and where the block
 * of one is. process/context_find.c looks whether it is so.
 */
#define MACHINE_BLOCKS (-16)
#define MACHINE_BLOCK_LIMIT(vector) ((vector)-16)
#define MACHINE_BLOCK(vector, module) ((vector) + 16 * (module))

#endif
