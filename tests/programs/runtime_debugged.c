/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs a site ROUNDS times for a debugger to play with, armed as RT_MODE says; not at all if that
 * is "off". Prints how often the handler was called, and whether all else was as it should be.
 */
#include "runtime_fixture.h"

enum { ROUNDS = 4 };

static int calls;

__attribute__((noinline)) static void handler(const struct sdt_event *event, void *data)
{
    (void)data;
    CHECK_EQUAL(sdt_arg(event, 1), 22);
    calls++;
}

__attribute__((noinline)) static void round_begins(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) static void run_once(void)
{
    round_begins();
    fx_call(11, 22, 33, 44, 55, 66);
    __asm__ volatile("");
}

int main(void)
{
    const char *mode = getenv("RT_MODE");
    if (mode && strcmp(mode, "off") != 0)
        CHECK(sdt_enable("fixture:call", handler, NULL) > 0);
    for (int i = 0; i < ROUNDS; i++)
        run_once();
    printf("handled %d of %d\n", calls, ROUNDS);
    return fixture_done();
}
