/* SPDX-License-Identifier: BSD-2-Clause */
/* See resolve.h. */
#include "resolve.h"

#include "registry.h"

#include <arch/machine.h>
#include <stdatomic.h>
#include <string.h>

static struct {
    _Atomic uintptr_t place; /* 0: nothing is diverted */
    uintptr_t function;
} diversion;

void resolve_divert(uintptr_t place, uintptr_t function)
{
    if (place)
        diversion.function = function;
    atomic_store(&diversion.place, place);
}

static struct {
    _Atomic size_t n;
    uintptr_t at[RESOLVE_CALLS];
    uintptr_t function;
    size_t length;
} calls;

void resolve_divert_calls(const uintptr_t *at, size_t n, size_t length, uintptr_t function)
{
    memcpy(calls.at, at, n * sizeof *at);
    calls.length = length;
    calls.function = function;
    atomic_store(&calls.n, n);
}

/* Whether ADDRESS is such a call. */
static bool is_diverted_call(uintptr_t address, struct trap_answer *answer)
{
    size_t n = atomic_load_explicit(&calls.n, memory_order_acquire);
    for (size_t i = 0; i < n; i++)
        if (address == calls.at[i]) {
            *answer = (struct trap_answer){TRAP_LINK, calls.function, 0, address + calls.length};
            return true;
        }
    return false;
}

struct trap_answer resolve_trap(uintptr_t address)
{
    uintptr_t place = atomic_load_explicit(&diversion.place, memory_order_acquire);
    if (place && (address == place || address == place - 1)) /* the latter: from a debugger */
        return (struct trap_answer){.verdict = TRAP_RESUME, .resume = diversion.function};
    struct trap_answer linked;
    if (is_diverted_call(address, &linked))
        return linked;
    const struct site *site = registry_find_trap(address);
    uint8_t mode = site ? atomic_load_explicit(&site->mode, memory_order_acquire) : SITE_OFF;
    /* Read after the mode: a byte that is written back meanwhile is nobody's breakpoint. */
    struct trap_answer answer = {.verdict = TRAP_FOREIGN, .resume = site_breakpoint_at(address)};
    if (!site) {
        if (!answer.resume && registry_knew(address) && machine_is_disarmed(address)) {
            answer.verdict = TRAP_RESUME; /* of an object that is gone: its destructor did that */
            answer.resume = machine_retry(address);
        }
        return answer;
    }
    const struct sdt_form *form = site->form;
    uintptr_t pc = (uintptr_t)site_pc(site);
    answer.stub = (uintptr_t)site_stub(site);
    answer.patch = site->patch;
    bool at_trap = form->trap < form->length && address == pc + form->trap;
    if (!at_trap && address != pc)
        return answer;
    uintptr_t found = answer.resume;
    answer.resume = pc + form->length;
    if (mode == SITE_REWRITING ? address == pc : mode == SITE_TRAP && at_trap) {
        /* Armed; or a companion's call, being taken away: do what it would do. */
        answer.verdict = form->returns ? TRAP_ENTER : TRAP_CALL;
        if (kind_has_entry(site->kind)) { /* every register is live there */
            answer.verdict = TRAP_RESUME;
            answer.resume = answer.stub;
        }
    } else if (!found) {
        answer.verdict = TRAP_RESUME; /* it was taken out while the signal was on its way */
        answer.resume = machine_retry(address);
    } else if (at_trap) { /* somebody's copy of our breakpoint; a retry would never end */
        answer.verdict = form->returns ? TRAP_RETURN : TRAP_RESUME;
    } else {
        answer.resume = found;
    }
    return answer;
}
