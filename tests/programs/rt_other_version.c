/* SPDX-License-Identifier: BSD-2-Clause */
/* A runtime of another version is in charge of this process. */
#include "rt_fixture.h"

int main(void)
{
    CHECK_EQUAL(sdt_enable("fixture:call", SDT_COUNT, NULL), -EEXIST);
    CHECK_EQUAL(sdt_disable(1), -EEXIST);
    CHECK_EQUAL(sdt_hits("fixture:call"), 0);
    fx_call(0, 0, 0, 0, 0, 0);
    return rt_done();
}
