/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Many sites at once (../asm/runtime_many.S), while a thread runs them. Linked with
 * --wrap=mprotect: prints how often a page was made writable and executable.
 */
#include "runtime_fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

void mn_run(void);
int __real_mprotect(void *address, size_t length, int protection);
int __wrap_mprotect(void *address, size_t length, int protection);

static int unlocked, is_open;
static atomic_int stop;

int __wrap_mprotect(void *address, size_t length, int protection)
{
    is_open = (protection & PROT_WRITE) && (protection & PROT_EXEC);
    unlocked += is_open;
    return __real_mprotect(address, length, protection);
}

static int is_jump(const struct sdt_probe_info *site, void *data)
{
    CHECK_EQUAL(site->mode, SDT_MODE_JUMP);
    ++*(int *)data;
    return 0;
}

static void *run(void *data)
{
    (void)data;
    while (!atomic_load(&stop))
        mn_run();
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    for (int round = 0; round < 200; round++) {
        int sites = 0, id = sdt_enable_mode("many", SDT_COUNT, NULL, SDT_MODE_JUMP);
        CHECK(id > 0);
        sdt_foreach("many", is_jump, &sites);
        CHECK_EQUAL(sites, 600);
        CHECK_EQUAL(is_open, 0);
        uint64_t before = sdt_hits("many");
        mn_run();
        CHECK(sdt_hits("many") >= before + 600);
        CHECK_EQUAL(sdt_disable(id), 0);
    }
    atomic_store(&stop, 1);
    pthread_join(thread, NULL);
    uint64_t before = sdt_hits("many:two"), all = sdt_hits("many");
    int id = sdt_enable("many:two", SDT_COUNT, NULL);
    mn_run();
    CHECK_EQUAL(sdt_hits("many:two") - before, 200);
    CHECK_EQUAL(sdt_hits("many") - all, 200);
    CHECK_EQUAL(sdt_disable(id), 0);
    printf("unlocked %d times\n", unlocked);
    return fixture_done();
}
