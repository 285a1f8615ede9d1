/* SPDX-License-Identifier: BSD-2-Clause */
/* Libraries with probes that come and go, before and after sdt_enable. */
#include "runtime_fixture.h"

#include <dlfcn.h>
#include <pthread.h>

static int visit(const struct sdt_probe_info *site, void *data)
{
    (void)site;
    ++*(int *)data;
    return 0;
}

static int sites(const char *pattern)
{
    int n = 0;
    CHECK_EQUAL(sdt_foreach(pattern, visit, &n), 0);
    return n;
}

static void *load(const char *path, void (**run)(void))
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        fprintf(stderr, "%s\n", dlerror());
        exit(99);
    }
    *(void **)run = dlsym(handle, "plugin_run");
    return handle;
}

static pthread_barrier_t entered;

static void close_meanwhile(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    pthread_barrier_wait(&entered); /* the main thread now closes the library… */
    pthread_barrier_wait(&entered);
}

static void *hit_own(void *data)
{
    (void)data;
    fx_dash(1);
    return NULL;
}

static int visit_mode(const struct sdt_probe_info *site, void *data)
{
    (void)data;
    CHECK_EQUAL(site->mode, fixture_mode() == SDT_MODE_TRAP ? SDT_MODE_TRAP : SDT_MODE_JUMP);
    return 0;
}

int main(int argc, char **argv)
{
    void (*run)(void);
    uint64_t before;
    if (argc < 3)
        return 98;
    int own = sites("fixture");

    /* Loaded while nothing is on. */
    void *first = load(argv[1], &run);
    CHECK_EQUAL(sites("fixture"), 2 * own);
    int id = sdt_enable("fixture:plugin_one.so::", SDT_COUNT, NULL);
    CHECK(id > 0);
    run();
    fx_call(0, 0, 0, 0, 0, 0); /* the program's own copy is off */
    CHECK_EQUAL(sdt_hits("fixture:call"), 1);
    CHECK_EQUAL(sdt_hits("fixture:tail"), 1);

    /* A subscription in force covers the library loaded next. */
    int all = sdt_enable("fixture", SDT_COUNT, NULL);
    void (*run_second)(void);
    void *second = load(argv[2], &run_second);
    before = sdt_hits("fixture:plugin_two.so::call");
    run_second();
    CHECK_EQUAL(sdt_hits("fixture:plugin_two.so::call"), before + 1);
    CHECK_EQUAL(sdt_hits("fixture:plugin_two.so::tail"), 1);

    /* Unloaded while it is on; then loaded again. */
    CHECK_EQUAL(dlclose(first), 0);
    CHECK_EQUAL(sites("fixture"), 2 * own);
    CHECK_EQUAL(sites("fixture:plugin_one.so::"), 0);
    CHECK_EQUAL(sdt_disable(id), 0);
    first = load(argv[1], &run);
    run();
    CHECK_EQUAL(sdt_hits("fixture:plugin_one.so::call"), 1);
    CHECK_EQUAL(sdt_disable(all), 0);
    run();
    run_second();
    CHECK_EQUAL(sdt_hits("fixture:plugin_one.so::call"), 1);

    /* Unloading waits for no thread: a handler in another thread may want the loader's lock. */
    pthread_t thread;
    pthread_barrier_init(&entered, NULL, 2);
    id = sdt_enable("other,fixture:call", close_meanwhile, NULL);
    pthread_create(&thread, NULL, hit_own, NULL);
    pthread_barrier_wait(&entered);
    CHECK_EQUAL(dlclose(first), 0);
    pthread_barrier_wait(&entered);
    pthread_join(thread, NULL);
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK_EQUAL(dlclose(second), 0);
    CHECK_EQUAL(sites("fixture"), own);

    for (int i = 0; i < 50; i++) {
        id = sdt_enable("fixture:call", SDT_COUNT, NULL);
        first = load(argv[1], &run);
        run();
        CHECK_EQUAL(sdt_hits("fixture:plugin_one.so::call"), 1);
        dlclose(first);
        CHECK_EQUAL(sdt_disable(id), 0);
    }

    /* There and back while nothing is disabled: each time its window is free again. */
    id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    for (int i = 0; i < 50; i++) {
        first = load(argv[1], &run);
        CHECK_EQUAL(sdt_foreach("fixture:plugin_one.so::call", visit_mode, NULL), 0);
        run();
        CHECK_EQUAL(sdt_hits("fixture:plugin_one.so::call"), 1);
        dlclose(first);
    }
    CHECK_EQUAL(sdt_disable(id), 0);
    return fixture_done();
}
