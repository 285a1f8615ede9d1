/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An object with calls and live code (../asm/runtime_inline.S) where no place for thunks is free. A
 * call gets a breakpoint; live code has its own way in the file, and is enabled by a jump.
 */
#define _GNU_SOURCE
#include "runtime_fixture.h"
#include "runtime_taken.h"

long in_leaf(long a);
void in_call(word a);

static void on_leaf(const struct sdt_event *event, void *data)
{
    *(word *)data += sdt_arg(event, 0);
}

static int look(const struct sdt_probe_info *info, void *data)
{
    *(int *)data = info->mode;
    return 1;
}

static int mode_of(const char *pattern)
{
    int mode = -1;
    sdt_foreach(pattern, look, &mode);
    return mode;
}

int main(void)
{
    word sum = 0;
    for (int i = 0; i < MMS; i++)
        take((uintptr_t)in_call + 4, mms[i]);
    int call = sdt_enable_mode("inline:call", SDT_COUNT, NULL, SDT_MODE_AUTO);
    CHECK(call > 0);
    CHECK_EQUAL(mode_of("inline:call"), SDT_MODE_TRAP);
    int leaf = sdt_enable_mode("inline:leaf", on_leaf, &sum, SDT_MODE_AUTO);
    CHECK(leaf > 0);
    CHECK_EQUAL(mode_of("inline:leaf"), SDT_MODE_JUMP);
    in_call(1);
    CHECK_EQUAL(in_leaf(77), 77);
    CHECK_EQUAL(sum, 77);
    CHECK_EQUAL(sdt_hits("inline:call"), 1);
    CHECK_EQUAL(sdt_disable(call), 0);
    CHECK_EQUAL(sdt_disable(leaf), 0);
    return fixture_done();
}
