/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where thunks can be. The program takes the places of windows away, one after the other, and looks
 * which one the runtime uses: the last of the site's four bytes says so.
 *
 *   runtime_window            the checks
 *   runtime_window which      print the MM that a first sdt_enable ends up with, and the mode
 *   runtime_window which N M  after mapping N pieces of M megabytes
 */
#define _GNU_SOURCE
#include "runtime_fixture.h"
#include "runtime_taken.h"

#include <signal.h>

static uint8_t *site(void)
{
    return (uint8_t *)(uintptr_t)fx_call + 4;
}

static uintptr_t target(uint8_t mm)
{
    return thunk_place((uintptr_t)site(), mm);
}

struct seen {
    int mode, error;
};

static int look(const struct sdt_probe_info *info, void *data)
{
    *(struct seen *)data = (struct seen){info->mode, info->error};
    return 1;
}

static struct seen seen(void)
{
    struct seen seen = {0, 0};
    sdt_foreach("fixture::fx_call:call", look, &seen);
    return seen;
}

/* The kernel's answer; sigaction() says what the program has set. */
int __sigaction(int number, const struct sigaction *action, struct sigaction *old);

static int is_trap_ours(void)
{
    struct sigaction action;
    __sigaction(SIGTRAP, NULL, &action);
    return (action.sa_flags & SA_SIGINFO) != 0;
}

static void count_one(int id)
{
    uint64_t before = sdt_hits("fixture:call");
    CHECK(id > 0);
    fx_call(0, 0, 0, 0, 0, 0);
    CHECK_EQUAL(sdt_hits("fixture:call") - before, 1);
}

static void check_none_free(void)
{
    int id = sdt_enable_mode("fixture:call", SDT_COUNT, NULL, SDT_MODE_JUMP);
    CHECK_EQUAL(id, -EADDRINUSE);
    CHECK_EQUAL(seen().mode, SDT_MODE_BLOCKED);
    CHECK_EQUAL(seen().error, -EADDRINUSE);
    CHECK(!is_trap_ours());
    id = sdt_enable_mode("fixture:call", SDT_COUNT, NULL, SDT_MODE_AUTO);
    count_one(id);
    CHECK_EQUAL(seen().mode, SDT_MODE_TRAP);
    CHECK_EQUAL(seen().error, -EADDRINUSE);
    CHECK(is_trap_ours());
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK_EQUAL(seen().mode, SDT_MODE_OFF);
    CHECK_EQUAL(seen().error, 0);
    id = sdt_enable_mode("fixture:call", SDT_COUNT, NULL, SDT_MODE_TRAP);
    CHECK_EQUAL(seen().error, 0); /* no jump was requested */
    CHECK_EQUAL(sdt_disable(id), 0);
}

static void check_last_one_free(void)
{
    void *taken[MMS];
    for (int i = 0; i < MMS; i++)
        taken[i] = take((uintptr_t)site(), mms[i]);
    check_none_free();
    int last = MMS - 1;
    while (taken[last] == MAP_FAILED) /* that place was never free here */
        last--;
    munmap(taken[last], PAGE);
    int id = sdt_enable_mode("fixture:call", SDT_COUNT, NULL, SDT_MODE_AUTO);
    CHECK_EQUAL(seen().mode, SDT_MODE_JUMP);
    CHECK_EQUAL(seen().error, 0);
    CHECK(!is_trap_ours());
    count_one(id);
    CHECK_EQUAL(site()[0], 0xe8);
    CHECK_EQUAL(site()[4], mms[last]);
    CHECK(*(uint8_t *)target(mms[last]) == 0xe9);
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK_EQUAL(site()[0], 0x90);
    CHECK_EQUAL(site()[4], mms[last]); /* for good: no thread may be asked to go back */
    for (int i = 0; i < last; i++)
        if (taken[i] != MAP_FAILED)
            munmap(taken[i], PAGE);
    id = sdt_enable_mode("fixture", SDT_COUNT, NULL, SDT_MODE_JUMP); /* in the same window */
    count_one(id);
    CHECK_EQUAL(site()[4], mms[last]);
    CHECK_EQUAL(sdt_disable(id), 0);
}

static void print_which(int pieces, size_t megabytes)
{
    for (int i = 0; i < pieces; i++)
        mmap(NULL, megabytes << 20, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int id = sdt_enable_mode("fixture:call", SDT_COUNT, NULL, SDT_MODE_AUTO);
    count_one(id);
    printf("%02x %s\n", site()[4], seen().mode == SDT_MODE_JUMP ? "jump" : "trap");
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        check_last_one_free();
        return fixture_done();
    }
    print_which(argc > 3 ? atoi(argv[2]) : 0, argc > 3 ? (size_t)atoi(argv[3]) : 0);
    return fixture_failures;
}
