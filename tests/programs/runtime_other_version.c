/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A runtime of another version is in charge of this process; or, with -DFOLLOWS, it is in the
 * process, with objects of which ours cannot know.
 */
#include "runtime_fixture.h"

#ifdef FOLLOWS
int main(void)
{
    CHECK_EQUAL(sdt_enable("elsewhere:probe", SDT_COUNT, NULL), -EEXIST);
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    fx_call(0, 0, 0, 0, 0, 0);
    CHECK_EQUAL(sdt_hits("fixture:call"), 1);
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK_EQUAL(sdt_disable(id), -ENOENT);
    return fixture_done();
}
#else
int main(void)
{
    CHECK_EQUAL(sdt_enable("fixture:call", SDT_COUNT, NULL), -EEXIST);
    CHECK_EQUAL(sdt_disable(1), -EEXIST);
    CHECK_EQUAL(sdt_hits("fixture:call"), 0);
    fx_call(0, 0, 0, 0, 0, 0);
    return fixture_done();
}
#endif
