/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
/*
 * No memory: each allocation of each function fails once, and must cost an -ENOMEM and nothing
 * else. Linked with --wrap for the allocators below, which only counts calls of our own objects.
 */
#include "runtime_fixture.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t n);
void *__real_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t n);
void *__wrap_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset);

enum { NONE = 0, ALL = -1 };
static int fail_at = NONE; /* or the number of the one that fails */
static int count;
static int no_addresses;
static void (*on_malloc)(void);

static int fails(void)
{
    if (fail_at == NONE || (++count != fail_at && fail_at != ALL))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *__wrap_malloc(size_t size)
{
    if (on_malloc)
        on_malloc();
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    if (on_malloc)
        on_malloc();
    return fails() ? NULL : __real_calloc(n, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t n)
{
    return fails() ? NULL : __real_strndup(text, n);
}

void *__wrap_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
    int is_reserve = (flags & MAP_NORESERVE) && (protection & PROT_WRITE);
    if (is_reserve && (no_addresses || fail_at == ALL)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    if (is_reserve || (flags & MAP_FIXED_NOREPLACE)) /* asks for addresses, not for memory */
        return __real_mmap(address, length, protection, flags, fd, offset);
    return fails() ? MAP_FAILED : __real_mmap(address, length, protection, flags, fd, offset);
}

static int armed;

static int count_armed(const struct sdt_probe_info *site, void *data)
{
    (void)data;
    armed += site->mode != SDT_MODE_OFF;
    return 0;
}

/* How many sites are armed. */
static int armed_sites(void)
{
    armed = 0;
    CHECK_EQUAL(sdt_foreach("*", count_armed, NULL), 0);
    return armed;
}

static void run(void)
{
    fx_call(1, 2, 3, 4, 5, 6);
    fx_call_again(1, 2, 3, 4, 5, 6);
    fx_tail(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    fx_guarded();
}

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)event;
    ++*(int *)data;
}

/* sdt_enable with its first, second, third… allocation failing, until none is left to fail. */
static int enable_at_last(const char *pattern, sdt_handler *handler, int *calls, int armed_before)
{
    for (int n = 1;; n++) {
        fail_at = n;
        count = 0;
        int id = sdt_enable(pattern, handler, calls);
        int reached = count >= n;
        fail_at = NONE;
        if (id > 0) {
            CHECK(!reached);
            CHECK(n > 3);
            return id;
        }
        CHECK_EQUAL(id, -ENOMEM);
        CHECK(reached);
        if (!reached)
            return id;
        CHECK_EQUAL(armed_sites(), armed_before);
        int before = *calls;
        run();
        CHECK_EQUAL(*calls, before); /* the handler that was not enabled is not called */
    }
}

/* All allocations of sdt_disable fail: it succeeds all the same. */
static void disable_without_memory(int id)
{
    fail_at = ALL;
    CHECK_EQUAL(sdt_disable(id), 0);
    fail_at = NONE;
    CHECK_EQUAL(sdt_disable(id), -ENOENT);
}

static void check_failures(void)
{
    int first_calls = 0, second_calls = 0;
    int first = enable_at_last("fixture:call,fixture:tail", on_hit, &first_calls, 0);
    int sites = armed_sites();
    run();
    CHECK_EQUAL(first_calls, 3);
    int second = sdt_enable("fixture", on_hit, &second_calls);
    CHECK(second > 0);
    run();
    CHECK_EQUAL(first_calls, 6);
    CHECK_EQUAL(second_calls, 4);

    disable_without_memory(second); /* no room for the list without it */
    CHECK_EQUAL(armed_sites(), sites);
    run();
    CHECK_EQUAL(second_calls, 4);
    CHECK_EQUAL(first_calls, 9);
    disable_without_memory(first);
    CHECK_EQUAL(armed_sites(), 0);
    run();
    CHECK_EQUAL(first_calls, 9);

    int third = sdt_enable("fixture:call", on_hit, &first_calls);
    run();
    CHECK_EQUAL(first_calls, 11);
    CHECK_EQUAL(second_calls, 4);
    CHECK_EQUAL(sdt_disable(third), 0);
}

/* Asking again and again for what is not there costs nothing. */
static void ask(int times)
{
    for (int i = 0; i < times; i++)
        CHECK_EQUAL(sdt_enable("nobody", on_hit, NULL), -ENOENT);
}

static void check_asking(void)
{
    ask(10); /* malloc's own caches fill */
    size_t before = mallinfo2().uordblks;
    ask(100);
    CHECK_EQUAL(mallinfo2().uordblks, before);
}

/* A thread's very first hit asks for no memory. */
static void check_first_hit(void)
{
    int calls = 0;
    int id = sdt_enable("fixture:call", on_hit, &calls);
    fail_at = ALL;
    run();
    fail_at = NONE;
    CHECK_EQUAL(calls, 2);
    CHECK_EQUAL(sdt_disable(id), 0);
}

/*
 * Where no addresses could be reserved, a few threads have hits all the same; those of more are not
 * handled, and later, when there is memory, they are.
 */
enum { THREADS = 80, PREPARED = 63 };
static pthread_barrier_t barrier;
static int handled;

static void count_threads(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
}

static void *hit_twice(void *data)
{
    for (int i = 0; i < 2; i++) {
        pthread_barrier_wait(&barrier);
        fx_call(1, 2, 3, 4, 5, 6);
        pthread_barrier_wait(&barrier);
    }
    return data;
}

static pid_t vanished;

static void *hit_and_vanish(void *data)
{
    fx_call(1, 2, 3, 4, 5, 6);
    __atomic_store_n(&vanished, gettid(), __ATOMIC_RELEASE);
    syscall(SYS_exit, 0); /* and the record is not given back */
    return data;
}

/* Before it is joined, a dead thread's stack is not used again, but its record is. */
static void check_records_of_the_dead(void)
{
    pthread_t threads[THREADS];
    no_addresses = 1;
    int id = sdt_enable("fixture:call", count_threads, NULL);
    fail_at = ALL;
    for (int i = 0; i < THREADS; i++) {
        vanished = 0;
        pthread_create(&threads[i], NULL, hit_and_vanish, NULL);
        pid_t tid;
        while ((tid = __atomic_load_n(&vanished, __ATOMIC_ACQUIRE)) == 0 ||
               syscall(SYS_tgkill, getpid(), tid, 0) == 0)
            usleep(100);
    }
    fail_at = NONE;
    CHECK_EQUAL(handled, THREADS);
    handled = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQUAL(sdt_disable(id), 0);
}

static void check_many_first_hits(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, hit_twice, NULL);
    no_addresses = 1;
    int id = sdt_enable("fixture:call", count_threads, NULL);
    CHECK(id > 0);
    fail_at = ALL;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    CHECK_EQUAL(handled, PREPARED);
    fail_at = NONE;
    no_addresses = 0;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    CHECK_EQUAL(handled, PREPARED + THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQUAL(sdt_disable(id), 0);
}

/* A library that is loaded by another thread while sdt_enable is at work is covered as well. */
static const char *plugin;
static void *loaded;

static void *load_plugin(void *data)
{
    (void)data;
    loaded = dlopen(plugin, RTLD_NOW);
    return NULL;
}

static void load_now(void)
{
    pthread_t thread;
    on_malloc = NULL;
    pthread_create(&thread, NULL, load_plugin, NULL);
    pthread_join(thread, NULL);
}

static void check_registration_meanwhile(void)
{
    int calls = 0;
    on_malloc = load_now;
    int id = sdt_enable("fixture:tail", on_hit, &calls);
    CHECK(id > 0 && loaded);
    void (*plugin_run)(void) = (void (*)(void))(uintptr_t)dlsym(loaded, "plugin_run");
    plugin_run();
    CHECK_EQUAL(calls, 1);
    CHECK_EQUAL(sdt_disable(id), 0);
    dlclose(loaded);
}

int main(int argc, char **argv)
{
    plugin = argv[1];
    if (argc == 2)
        check_failures();
    else if (strcmp(argv[2], "first hit") == 0)
        check_first_hit();
    else if (strcmp(argv[2], "first hits") == 0)
        check_many_first_hits();
    else
        check_records_of_the_dead();
    check_asking();
    check_registration_meanwhile();
    return fixture_done();
}
