/* SPDX-License-Identifier: BSD-2-Clause */
/* backtrace() and gdb walk from a handler through the probed function to main. */
#include "runtime_fixture.h"

#include <execinfo.h>

static int calls;

__attribute__((noinline)) static void handler_at_work(const struct sdt_event *event)
{
    void *frames[32];
    int n = backtrace(frames, 32);
    char **names = backtrace_symbols(frames, n);
    (void)event;
    for (int i = 0; i < n; i++)
        printf("frame %s\n", names[i]);
    puts("end");
    fflush(stdout);
    free(names);
    calls++;
}

static void handler(const struct sdt_event *event, void *data)
{
    (void)data;
    handler_at_work(event);
    __asm__ volatile("");
}

__attribute__((noinline)) static void caller_of_call(void)
{
    fx_call(0, 0, 0, 0, 0, 0);
    __asm__ volatile("");
}

__attribute__((noinline)) static void caller_of_tail(void)
{
    fx_tail(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    __asm__ volatile("");
}

int main(void)
{
    int id = sdt_enable("fixture:call,fixture:tail", handler, NULL);
    caller_of_call();
    caller_of_tail();
    CHECK_EQUAL(calls, 2);
    CHECK_EQUAL(sdt_disable(id), 0);
    return fixture_done();
}
