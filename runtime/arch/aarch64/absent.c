/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What sites with live registers need, which this machine does not have yet: entries, and the
 * fetching of arguments from saved registers. machine_form() knows no kind of site that would come
 * here, so records of such sites are refused, and all of this is only there to have an address.
 */
#include "argument.h"
#include "dispatch.h"

_Noreturn static void never(void)
{
    __builtin_trap();
}

#define ENTRY(name)                                                                                \
    void name(void);                                                                               \
    void name(void)                                                                                \
    {                                                                                              \
        never();                                                                                   \
    }

ENTRY(entry_nothing)
ENTRY(entry_count)
ENTRY(entry_count_flags)
ENTRY(entry_save)
ENTRY(entry_save_flags)
ENTRY(entry_general)
ENTRY(entry_general_flags)
ENTRY(entry_record)
ENTRY(entry_record_flags)
ENTRY(fetch_step_u1)
ENTRY(fetch_step_s1)
ENTRY(fetch_step_u2)
ENTRY(fetch_step_s2)
ENTRY(fetch_step_u4)
ENTRY(fetch_step_s4)
ENTRY(fetch_step_8)
ENTRY(fetch_load_u1)
ENTRY(fetch_load_s1)
ENTRY(fetch_load_u2)
ENTRY(fetch_load_s2)
ENTRY(fetch_load_u4)
ENTRY(fetch_load_s4)
ENTRY(fetch_load_8)
ENTRY(fetch_step_constant)
ENTRY(fetch_step_call)
ENTRY(fetch_step_end)

unsigned fetch_run(const struct sdt_event *event, uint64_t *words, const struct fetch *fetch);
unsigned fetch_run(const struct sdt_event *event, uint64_t *words, const struct fetch *fetch)
{
    (void)event, (void)words, (void)fetch;
    never();
}

uint64_t vector_low(unsigned number)
{
    (void)number;
    never();
}
