/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The race that the proposal of 2005 had: a thread between its check and its call while the handler
 * goes away. Threads run through a probe; sessions come from a library, several at a time, and once
 * one is detached, its library is unmapped.
 *
 *     systemtap_release ROUNDS LIBRARY...
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sdt/systemtap.h>
#include <sdt/systemtap_attach.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 3 };
static atomic_int stop;

static void *run(void *argument)
{
    (void)argument;
    int64_t i = 0;
    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        SYSTEMTAP_PROBE(spin, i++, "text");
    return NULL;
}

static int inner, inner_result;
static void from_inside(int64_t a, const char *b)
{
    (void)a, (void)b;
    if (!inner_result)
        inner_result = systemtap_detach(inner);
}

/* Load LIBRARY, attach its handler, wait for hits, detach, and unmap its code at once. */
static int session(const char *library)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        fprintf(stderr, "%s\n", dlerror());
        return -1;
    }
    union {
        void *data;
        systemtap_handler_NS *function;
    } handler = {dlsym(handle, "handler")};
    atomic_ulong *hits = dlsym(handle, "hits");
    int id = systemtap_attach_NS(spin, handler.function);
    int second = systemtap_attach_NS(spin, handler.function);
    if (!hits || id <= 0 || second <= 0)
        return -1;
    while (atomic_load(hits) < 20)
        sched_yield();
    if (systemtap_detach(id) != 0 || systemtap_detach(second) != 0)
        return -1;
    return dlclose(handle);
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int rounds = atoi(argv[1]), result = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int round = 0; round < rounds && result == 0; round++)
        for (int i = 2; i < argc && result == 0; i++)
            result = session(argv[i]);
    atomic_store(&stop, 1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    /* Inside a handler, with one thread: no wait, and a second call from outside. */
    inner = systemtap_attach_NS(spin, from_inside);
    SYSTEMTAP_PROBE(spin, 1, "text");
    if (inner_result != -EINPROGRESS || systemtap_detach(inner) != 0)
        return 2;
    printf("%s\n", result == 0 ? "released" : "failed");
    return result != 0;
}
