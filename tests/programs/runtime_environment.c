/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints what SDT_ENABLE, or RT_MODE, enabled: the hits of each probe, and what sdt_enable says. */
#include "runtime_fixture.h"

int main(void)
{
    if (getenv("RT_MODE"))
        sdt_enable("fixture:call", SDT_COUNT, NULL);
    fx_call(0, 0, 0, 0, 0, 0);
    fx_call(0, 0, 0, 0, 0, 0);
    fx_dash(1);
    printf("call %" PRIu64 " dash %" PRIu64 "\n", sdt_hits("fixture:call"), sdt_hits("other:"));
    int id = sdt_enable("fixture", SDT_COUNT, NULL);
    printf("enable %d\n", id > 0 ? 0 : id);
    return 0;
}
