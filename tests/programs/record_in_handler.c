/* SPDX-License-Identifier: BSD-2-Clause */
/* A probe that is only recorded is hit inside a handler of another one. */
#include <sdt/probe.h>
#include <sdt/runtime.h>

static void on_outer(const struct sdt_event *event, void *data)
{
    (void)data;
    int i = (int)sdt_arg(event, 0);
    SDT_PROBE(rec, inner, i);
}

int main(void)
{
    int id = sdt_enable("outer", on_outer, NULL);
    for (int i = 0; i < 5; i++)
        SDT_PROBE(outer, hit, i);
    return id > 0 ? sdt_disable(id) : 1;
}
