/* SPDX-License-Identifier: BSD-2-Clause */
/* The thread pointer. */
#ifndef SDT_MACHINE_THREAD_H
#define SDT_MACHINE_THREAD_H

static inline char *machine_thread(void)
{
    return __builtin_thread_pointer();
}

#endif
