/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kernel tracer on the first byte of a call site, and our breakpoint on the second, in every
 * order. The test attaches and detaches while this program waits for a line on standard input.
 */
#include "asking.h"
#include "runtime_fixture.h"

static void hit(int n)
{
    for (int i = 0; i < n; i++)
        fx_call(0, 0, 0, 0, 0, 0);
}

int main(void)
{
    ask("attach");
    hit(1);
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL); /* on top of the tracer */
    CHECK(id > 0);
    hit(10);
    CHECK_EQUAL(sdt_hits("fixture:call"), 10);
    CHECK_EQUAL(sdt_disable(id), 0); /* under the tracer */
    hit(100);
    CHECK_EQUAL(sdt_hits("fixture:call"), 10);
    id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    ask("detach"); /* while ours is there */
    hit(1000);
    CHECK_EQUAL(sdt_hits("fixture:call"), 1010);
    ask("attach"); /* beside ours */
    hit(10000);
    CHECK_EQUAL(sdt_hits("fixture:call"), 11010);
    CHECK_EQUAL(sdt_disable(id), 0);
    ask("detach");
    hit(1);
    CHECK_EQUAL(sdt_hits("fixture:call"), 11010);
    return fixture_done();
}
