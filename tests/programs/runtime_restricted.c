/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Toggling sites in every mode in a process that may not do everything, while a thread reads
 * /proc/self/maps: no mapping is ever writable and executable.
 *
 *   runtime_restricted WAY…   nomemfd (seccomp: no memfd_create), little (RLIMIT_AS: nothing more
 * can be mapped), nommap (seccomp: nothing can be mapped executable), mdwe, blocked (SIGTRAP, in
 * the thread that runs the sites)
 *
 * Where no window can be mapped, SDT_MODE_JUMP says so, nothing is changed, and SDT_MODE_AUTO arms
 * call sites by breakpoints; in live code those need an entry, so such sites stay off.
 */
#define _GNU_SOURCE
#include "runtime_fixture.h"
#include "seccomp.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ROUNDS = 300 };

static atomic_int stop, readings;
static int no_windows, no_traps;

static void apply(const char *way)
{
    if (strcmp(way, "nomemfd") == 0) {
        seccomp_forbid(SYS_memfd_create, 0, SECCOMP_RET_ERRNO | EACCES);
    } else if (strcmp(way, "nommap") == 0) {
        seccomp_forbid(SYS_mmap, PROT_EXEC, SECCOMP_RET_ERRNO | EACCES);
        no_windows = EACCES;
    } else if (strcmp(way, "little") == 0) {
        const struct rlimit little = {1 << 20, 1 << 20};
        CHECK_EQUAL(setrlimit(RLIMIT_AS, &little), 0);
        no_windows = ENOMEM;
    } else if (strcmp(way, "blocked") == 0) {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGTRAP);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        no_traps = EBUSY;
    } else if (strcmp(way, "mdwe") == 0) {
        if (prctl(65 /* PR_SET_MDWE */, 1, 0, 0, 0) != 0)
            exit(77); /* older than Linux 6.3 */
    }
}

/* Without stdio, which would allocate. */
static void *read_maps(void *data)
{
    static char text[1 << 18];
    (void)data;
    while (!atomic_load(&stop)) {
        size_t n = 0;
        ssize_t got;
        int maps = (int)syscall(SYS_open, "/proc/self/maps", 0);
        while ((got = syscall(SYS_read, maps, text + n, sizeof text - 1 - n)) > 0)
            n += (size_t)got;
        syscall(SYS_close, maps);
        text[n] = '\0';
        CHECK(n > 0 && strstr(text, "r-xp") != NULL);
        CHECK(strstr(text, "wx") == NULL);
        atomic_fetch_add(&readings, 1);
    }
    return NULL;
}

static int visit_off(const struct sdt_probe_info *site, void *data)
{
    (void)data;
    CHECK(site->mode == SDT_MODE_OFF || site->mode == SDT_MODE_BLOCKED);
    return 0;
}

static void hit(uint64_t expected)
{
    uint64_t before = sdt_hits("fixture:call");
    fx_call(0, 0, 0, 0, 0, 0);
    CHECK_EQUAL(sdt_hits("fixture:call") - before, expected);
}

/* Each mode either counts or says why not; then all is as it was. */
static void toggle(int mode)
{
    int needs_window = mode == SDT_MODE_JUMP && FX_KIND != FX_INLINE;
    int id = sdt_enable_mode("fixture:call", SDT_COUNT, NULL, mode);
    if (no_windows && needs_window)
        CHECK_EQUAL(id, -no_windows);
    else if (no_traps && mode == SDT_MODE_TRAP)
        CHECK_EQUAL(id, -no_traps);
    else
        CHECK(id > 0);
    hit(id > 0);
    CHECK(*fx_byte() == FX_OFF || id > 0);
    if (id > 0)
        CHECK_EQUAL(sdt_disable(id), 0);
    hit(0);
}

int main(int argc, char **argv)
{
    uint8_t before[16];
    pthread_t thread;
    memcpy(before, (const char *)(uintptr_t)fx_call, sizeof before);
    pthread_create(&thread, NULL, read_maps, NULL);
    while (atomic_load(&readings) == 0)
        sched_yield();
    for (int i = 1; i < argc; i++)
        apply(argv[i]);
    int first = atomic_load(&readings);
    for (int i = 0; i < ROUNDS || atomic_load(&readings) < first + 20; i++)
        toggle((int[]){SDT_MODE_AUTO, SDT_MODE_JUMP, SDT_MODE_TRAP}[i % 3]);
    atomic_store(&stop, 1);
    pthread_join(thread, NULL);
    sdt_foreach("fixture", visit_off, NULL);
    CHECK(memcmp(before, (const char *)(uintptr_t)fx_call, sizeof before) == 0);
    return fixture_done();
}
