/* SPDX-License-Identifier: BSD-2-Clause */
/* See divert.h. */
#include "divert.h"

#include "hit/sync.h"
#include "patch.h"
#include "text.h"
#include "trap.h"

#include <arch/machine.h>
#include <errno.h>

/*
 * A debugger that comes later and has a breakpoint at the same place steps over it by the `int3`
 * below, which it takes for its own step: then the thread goes on after it. So there must be a
 * `ret` as well, and it is written first, over padding, which no thread executes.
 */
int divert_function(uintptr_t place, void (*function)(void))
{
    struct text_writer writer;
    uint8_t *padding = (uint8_t *)place + sizeof(site_word);
    struct text_edit edits[] = {{padding, text_word(padding), SITE_RETURN, 0, NULL},
                                {(uint8_t *)place, SITE_RETURN, SITE_BREAKPOINT, 0, NULL}};
    sync_start();
    int error = trap_acquire(resolve_trap, true);
    if (error)
        return error;
    resolve_divert(&place, 1, 0, (uintptr_t)function);
    text_begin(&writer);
    text_write(&writer, &edits[0], 1);
    sync_text();
    if (!edits[0].error)
        text_write(&writer, &edits[1], 1);
    text_end(&writer);
    sync_text();
    error = edits[0].error ? edits[0].error : edits[1].error;
    if (error)
        resolve_divert(NULL, 0, 0, 0);
    else
        patch_keep_signal();
    return error;
}

/* Change the N CALLS, to what leads to TARGET: all, or none and an error. */
static int redirect(const uintptr_t *calls, size_t n, uintptr_t target)
{
    struct text_edit edits[DIVERT_CALLS];
    struct text_writer writer;
    int error = 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t *call = (uint8_t *)calls[i];
        edits[i] = (struct text_edit){call, text_word(call), machine_redirected(calls[i], target),
                                      0, NULL};
    }
    text_begin(&writer);
    text_write(&writer, edits, n);
    for (size_t i = 0; i < n && !error; i++)
        error = edits[i].error;
    for (size_t i = 0; i < n && error; i++)
        if (!edits[i].error) {
            edits[i] =
                (struct text_edit){edits[i].address, edits[i].value, edits[i].expect, 0, NULL};
            text_write(&writer, &edits[i], 1);
        }
    text_end(&writer);
    sync_text();
    return error;
}

int divert_calls(const uintptr_t *calls, size_t n, uintptr_t target)
{
    if (n > DIVERT_CALLS)
        return -E2BIG;
    sync_start();
    return redirect(calls, n, target);
}

/* A thread may have come to one of the breakpoints even if not all could be written: the resolver
 * keeps all calls. */
int divert_calls_by_trap(const uintptr_t *calls, size_t n, size_t length, void (*function)(void))
{
    if (n > DIVERT_CALLS)
        return -E2BIG;
    sync_start();
    int error = trap_acquire(resolve_trap, true);
    if (error)
        return error;
    patch_keep_signal();
    resolve_divert(calls, n, length, (uintptr_t)function);
    return redirect(calls, n, 0);
}
