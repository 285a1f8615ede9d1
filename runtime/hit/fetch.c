/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All arguments of an event, by the plan of its site (argument.h). Here each argument is fetched by
 * the function that sdt_arg() calls for it. So the steps, which x86-64 has in assembly for the
 * usual ones, are never run; but the plan mentions them.
 */
#include "argument.h"

typedef void fetch_step(void);
fetch_step fetch_step_u1, fetch_step_s1, fetch_step_u2, fetch_step_s2, fetch_step_u4, fetch_step_s4,
    fetch_step_8;
fetch_step fetch_load_u1, fetch_load_s1, fetch_load_u2, fetch_load_s2, fetch_load_u4, fetch_load_s4,
    fetch_load_8;
fetch_step fetch_step_constant, fetch_step_call, fetch_step_end;
fetch_all fetch_run;

unsigned fetch_run(const struct sdt_event *event, uint64_t *words, const struct fetch *fetch)
{
    for (unsigned i = 0; i < fetch->count; i++)
        words[i] = fetch->get[i](event, i, fetch);
    return fetch->count;
}

#define STEP(name)                                                                                 \
    void name(void)                                                                                \
    {                                                                                              \
        __builtin_trap();                                                                          \
    }
STEP(fetch_step_u1)
STEP(fetch_step_s1)
STEP(fetch_step_u2)
STEP(fetch_step_s2)
STEP(fetch_step_u4)
STEP(fetch_step_s4)
STEP(fetch_step_8)
STEP(fetch_load_u1)
STEP(fetch_load_s1)
STEP(fetch_load_u2)
STEP(fetch_load_s2)
STEP(fetch_load_u4)
STEP(fetch_load_s4)
STEP(fetch_load_8)
STEP(fetch_step_constant)
STEP(fetch_step_call)
STEP(fetch_step_end)
