/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See prepare.h. With one thread, the kernel registers a process for membarrier(2) in a
 * microsecond; with more it waits for a grace period of RCU, some milliseconds or many, and so
 * would the first sdt_enable(). Not for free: a process that is registered executes one more
 * serialising instruction whenever the kernel comes back to it from an idle CPU. So a program with
 * probes is registered only if it names a function that enables them, or the environment asks for
 * it. docs/decisions/0050 has the times.
 *
 * libsdt.a has the constructor in such programs only: the linker takes this file out of it for
 * those functions. libsdt.so has it always, and cannot know what a program names; there the first
 * call registers, if it comes early enough.
 */
#include "prepare.h"

#include "hit/sync.h"
#include "process/environment.h"
#include "process/loaded.h"
#include "process/msan.h"

#include <stdint.h>

/* Of the C library, from glibc 2.32 on: whether there has been but one thread. */
extern const char is_single_threaded __asm__("__libc_single_threaded") __attribute__((weak));

void prepare_to_enable(void)
{
    const char *place = &is_single_threaded;
    if (place && *place && !environment_forbids())
        sync_register();
}

__attribute__((constructor(101))) static void prepare_at_start(void)
{
    MSAN_LOOKS_AWAY;
    if (loaded_is_program((const void *)(uintptr_t)prepare_at_start))
        prepare_to_enable();
}
