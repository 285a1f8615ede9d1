/* SPDX-License-Identifier: BSD-2-Clause */
/* A library with probes of its own; with -DUSE_API it also calls the runtime that it was linked
 * with. */
#include "runtime_fixture.h"

void plugin_run(void);

void plugin_run(void)
{
    fx_call(0, 0, 0, 0, 0, 0);
    fx_tail(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
}

#ifdef USE_API
int plugin_enable(const char *pattern);
int plugin_disable(int id);
uint64_t plugin_hits(const char *pattern);

int plugin_enable(const char *pattern)
{
    return sdt_enable(pattern, SDT_COUNT, NULL);
}

int plugin_disable(int id)
{
    return sdt_disable(id);
}

uint64_t plugin_hits(const char *pattern)
{
    return sdt_hits(pattern);
}
#endif
