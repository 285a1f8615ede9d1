/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A debugger's breakpoint over the branch of an armed site: it comes after us and stays longer, and
 * in the end it puts our branch back, as it found it. (The kernel's puts back the file's NOP:
 * runtime_uprobe_jump.c.) This program is its own debugger.
 */
#include "runtime_fixture.h"

#include <fcntl.h>
#include <unistd.h>

static int calls;

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    calls++;
}

static uint8_t *const site = (uint8_t *)(uintptr_t)fx_call + 4;

static void put(uint8_t byte)
{
    int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
    CHECK_EQUAL(pwrite(fd, &byte, 1, (off_t)(uintptr_t)site), 1);
    close(fd);
}

static struct sdt_probe_info seen;

static int visit(const struct sdt_probe_info *info, void *data)
{
    (void)data;
    if (info->pc == site)
        seen = *info;
    return 0;
}

static void expect(int mode, int error)
{
    CHECK_EQUAL(sdt_foreach("fixture:call", visit, NULL), 0);
    CHECK_EQUAL(seen.mode, mode);
    CHECK_EQUAL(seen.error, error);
}

static int enable(void)
{
    return sdt_enable_mode("fixture::fx_call:call", on_hit, NULL, SDT_MODE_JUMP);
}

int main(void)
{
    int id = enable();
    CHECK(id > 0 && *site == 0xe8);
    put(0xcc);
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK_EQUAL(*site, 0xcc); /* the debugger's; what is after it is the branch's displacement */
    expect(SDT_MODE_OFF, 0);
    for (int i = 0; i < 2; i++) {
        CHECK_EQUAL(enable(), -EBUSY);
        CHECK_EQUAL(*site, 0xcc);
        expect(SDT_MODE_BLOCKED, -EBUSY);
    }
    put(0xe8);
    fx_call(1, 2, 3, 4, 5, 6); /* there is no handler, and it comes back */
    CHECK_EQUAL(calls, 0);
    id = enable(); /* it is armed as it stands */
    CHECK(id > 0);
    expect(SDT_MODE_JUMP, 0);
    fx_call(1, 2, 3, 4, 5, 6);
    CHECK_EQUAL(calls, 1);
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK_EQUAL(*site, 0x90);
    expect(SDT_MODE_OFF, 0);
    fx_call(1, 2, 3, 4, 5, 6);
    CHECK_EQUAL(calls, 1);
    return fixture_done();
}
