/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See window.h. The window is mapped executable from the start, never writable: its pages are
 * allocated when text.c writes to them, in the same way as to the program's text. So no page is
 * ever writable and executable, PR_SET_MDWE does not mind (it forbids making pages executable
 * later), and one mapping serves a million thunks. It is private: a child of fork has its own copy,
 * as it has of the text.
 *
 * MAP_FIXED_NOREPLACE is a mere hint to kernels before 4.17; they are recognised by the address.
 */
#define _GNU_SOURCE
#include "window.h"

#include <arch/machine.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* Where the window for MM would be; false: not in the address space, or out of reach. */
static bool place(const struct window_need *need, uint8_t mm, struct window *window)
{
    int64_t distance = machine_thunk_distance(mm);
    if (distance < 0 && need->low < (uintptr_t)-distance + 0x10000)
        return false; /* below the first address that programs may map */
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = need->low + (uintptr_t)distance;
    uintptr_t after = need->high + (uintptr_t)distance + SITE_THUNK;
    window->begin = first & -page;
    window->size = ((after + page - 1) & -page) - window->begin;
    window->mm = mm;
    uintptr_t end = window->begin + window->size;
    return machine_can_reach(window->begin, need->reach_high) &&
           machine_can_reach(window->begin, need->reach_low) &&
           machine_can_reach(end, need->reach_low) && machine_can_reach(end, need->reach_high);
}

static int map_at(const struct window *window)
{
    void *wanted = (void *)window->begin;
    void *got = mmap(wanted, window->size, PROT_READ | PROT_EXEC,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED)
        return -errno;
    if (got == wanted)
        return 0;
    munmap(got, window->size);
    return -EEXIST;
}

int window_map(const struct window_need *need, struct window *window)
{
    int error = -EADDRINUSE;
    size_t n;
    const uint8_t *mms = machine_mms(&n);
    for (size_t i = 0; i <= n && need->low; i++) {
        uint8_t mm = i == 0 ? need->mm : mms[i - 1];
        if ((i > 0 && mm == need->mm) || !place(need, mm, window))
            continue;
        error = map_at(window);
        if (error == 0) {
            /* Huge pages would make two megabytes resident for one thunk. */
            madvise((void *)window->begin, window->size, MADV_NOHUGEPAGE);
            return 0;
        }
        if (error != -EEXIST && error != -EINVAL)
            break; /* it is not the place that is wrong */
        error = -EADDRINUSE;
    }
    *window = (struct window){0};
    return error;
}

void window_unmap(struct window *window)
{
    if (window->size)
        munmap((void *)window->begin, window->size);
    window->size = 0;
}
