/* SPDX-License-Identifier: BSD-2-Clause */
/* See resolve.h. */
#include "resolve.h"

#include "registry/registry.h"

#include <arch/machine.h>
#include <stdatomic.h>
#include <string.h>

static struct {
    _Atomic size_t n;
    uintptr_t at[RESOLVE_PLACES];
    uintptr_t function;
    size_t length;
} diverted;

void resolve_divert(const uintptr_t *at, size_t n, size_t length, uintptr_t function)
{
    if (n) { /* else a thread that has come to a place may still read what it was for */
        memcpy(diverted.at, at, n * sizeof *at);
        diverted.length = length;
        diverted.function = function;
    }
    atomic_store(&diverted.n, n);
}

static bool is_diverted(uintptr_t address, struct trap_answer *answer)
{
    size_t n = atomic_load_explicit(&diverted.n, memory_order_acquire), i = 0;
    /* At a function, also the address before it: from a debugger. */
    while (i < n && address != diverted.at[i] && (diverted.length || address != diverted.at[i] - 1))
        i++;
    if (i == n)
        return false;
    if (diverted.length)
        *answer = (struct trap_answer){
            .verdict = TRAP_LINK, .stub = diverted.function, .resume = address + diverted.length};
    else
        *answer = (struct trap_answer){.verdict = TRAP_RESUME, .resume = diverted.function};
    return true;
}

struct trap_answer resolve_trap(uintptr_t address)
{
    struct trap_answer answer;
    if (is_diverted(address, &answer))
        return answer;
    const struct site *site = registry_find_trap(address);
    uint8_t mode = site ? atomic_load_explicit(&site->mode, memory_order_acquire) : SITE_OFF;
    /* Read after the mode: a byte that is written back meanwhile is not a breakpoint. */
    answer = (struct trap_answer){.verdict = TRAP_FOREIGN, .resume = site_breakpoint_at(address)};
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
    } else if (at_trap) { /* a tool's copy of our breakpoint; a retry would never end */
        answer.verdict = form->returns ? TRAP_RETURN : TRAP_RESUME;
    } else {
        answer.resume = found;
    }
    return answer;
}
