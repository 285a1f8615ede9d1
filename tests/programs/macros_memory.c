/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a handler in the same file sees of stores before a probe, and the program of the handler's.
 * Prints "1 2 2": the handler's view of `state`, the number of its calls as the program reads it
 * after two probes, and what became of `state`.
 */
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdio.h>

static int hits;
static int state, seen;

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    hits++;
}

static void on_step(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    seen = state;
}

int main(void)
{
    sdt_enable("memory:hit", on_hit, 0);
    sdt_enable("memory:step", on_step, 0);
    hits = 0;
    SDT_PROBE(memory, hit);
    SDT_PROBE(memory, hit);
    int after = hits;
    state = 1;
    SDT_PROBE(memory, step);
    state = 2;
    printf("%d %d %d\n", seen, after, state);
    return 0;
}
