/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A thread dies inside the library, while it holds the library's lock. All others notice, and
 * it is not waited for.
 *
 *   runtime_lost_owner WAY PLUGIN
 *
 * WAY: "thread" a seccomp filter kills it at pwrite(2), "main" so it does the main thread,
 * "visitor" it ends itself in a visitor of sdt_foreach(). PLUGIN is a library with sites. Prints
 * "ok" at the end of exit().
 */
#define _GNU_SOURCE
#include "runtime_fixture.h"
#include "seccomp.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

/* The leak checker needs a main thread. */
int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void)
{
    return 1;
}

static int early; /* a subscription of before */
static const char *plugin;
static bool is_child;

static void *die_in_enable(void *data)
{
    seccomp_forbid(SYS_pwrite64, 0, SECCOMP_RET_KILL_THREAD); /* of this thread alone */
    sdt_enable("fixture:twelve", SDT_COUNT, NULL);
    fprintf(stderr, "still here\n");
    return data;
}

static int leave(const struct sdt_probe_info *site, void *data)
{
    (void)site;
    (void)data;
    syscall(SYS_exit, 0);
    return 0;
}

static void *die_in_visitor(void *data)
{
    sdt_foreach("fixture", leave, NULL);
    return data;
}

/* Every function says it, and returns. */
static void check_lost(void)
{
    CHECK_EQUAL(sdt_enable("fixture:call", SDT_COUNT, NULL), -EOWNERDEAD);
    CHECK_EQUAL(sdt_disable(early), -EOWNERDEAD);
    CHECK_EQUAL(sdt_foreach("fixture", leave, NULL), -EOWNERDEAD);
    CHECK_EQUAL(sdt_hits("fixture"), 0);
    CHECK(strstr(sdt_strerror(-EOWNERDEAD), "died") != NULL);
    fx_tail(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0); /* counted by EARLY, as before */
}

/* It may have the variables of the thread that has died at the same addresses. */
static void *check_in_thread(void *data)
{
    check_lost();
    return data;
}

static void check_everywhere(void)
{
    pthread_t thread;
    int status = 0;
    CHECK_EQUAL(pthread_create(&thread, NULL, check_in_thread, NULL), 0);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    check_lost();
    pid_t child = fork();
    if (child == 0) {
        is_child = true;
        check_lost();
        exit(fixture_failures);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    void *library = dlopen(plugin, RTLD_NOW);
    CHECK(library && dlclose(library) == 0);
    exit(fixture_failures != 0);
}

static void *after_main(void *main_thread)
{
    pthread_join(*(pthread_t *)main_thread, NULL);
    check_everywhere();
    return NULL;
}

__attribute__((destructor(101))) static void end(void)
{
    if (fixture_failures == 0 && !is_child)
        puts("ok");
}

int main(int argc, char **argv)
{
    static pthread_t own;
    pthread_t thread;
    const char *way = argc > 2 ? argv[1] : "";
    plugin = argv[argc - 1];
    early = sdt_enable("fixture:tail", SDT_COUNT, NULL);
    CHECK(early > 0);
    if (strcmp(way, "main") == 0) {
        own = pthread_self();
        pthread_create(&thread, NULL, after_main, &own);
        die_in_enable(NULL);
    }
    pthread_create(&thread, NULL, strcmp(way, "visitor") == 0 ? die_in_visitor : die_in_enable,
                   NULL);
    pthread_join(thread, NULL);
    check_everywhere();
    return 1;
}
