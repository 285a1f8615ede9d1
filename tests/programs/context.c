/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads that work for spans, one after the other, and hit probes meanwhile. The first argument
 * says what for:
 *
 *   hit          two threads, three spans each, and once without any
 *   bad          pointers and records that are none
 *   lines        one span, a hit for each line of input
 *   nested       spans in spans
 *   pass         the program passes the ids itself
 *   count N      N hits without a context, then N with one
 *   when C       as hit, by a recorder that takes a snapshot when C holds; says how many it took
 *   many N       N requests, each of a trace of its own, whose last bytes are its number; each
 *                fourth one of none
 *
 * The variable is in the program (CONTEXT_OWN), in a library that it is linked with, or in LIBRARY,
 * which it loads (CONTEXT_LOADED). REGISTER, in the environment: sdt_context() is told of it; if
 * that is `again`, that it should look again; `wrong`, of what is no such variable.
 */
#include "context.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sdt/probe.h>
#include <sdt/record.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef CONTEXT_LOADED
static void (*set)(struct thread_record *record);
static void *(*address)(void);
#else
#define set context_set
#define address context_address
#endif
#ifdef CONTEXT_OWN
#include "context_variable.c"
#endif

static struct thread_record make(unsigned trace, unsigned span)
{
    struct thread_record record = {.valid = 1, .trace_flags = 1, .attrs_data_size = 4};
    for (unsigned i = 0; i < 16; i++)
        record.trace_id[i] = (uint8_t)(trace * 16 + i);
    for (unsigned i = 0; i < 8; i++)
        record.span_id[i] = (uint8_t)(span * 32 + i);
    return record;
}

__attribute__((noinline)) static void serve(int number, const char *path)
{
    SDT_PROBE(app, request__begin, number, path);
    SDT_PROBE(app, step, number);
    SDT_PROBE(app, none);
    SDT_PROBE(app, request__end, number);
}

static void *work(void *data)
{
    unsigned thread = (unsigned)(uintptr_t)data;
    serve((int)thread * 10, "/none");
    for (unsigned i = 1; i <= 3; i++) {
        struct thread_record record = make(thread, i);
        set(&record);
        serve((int)(thread * 10 + i), "/some");
        record.valid = 0;
        set(NULL);
    }
    return NULL;
}

static int hit(void)
{
    for (uintptr_t i = 1; i <= 2; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, (void *)i) != 0)
            return 1;
        pthread_join(thread, NULL);
    }
    return 0;
}

/* The last 20 bytes of a page, after which nothing is mapped. */
static void *cut_off(void)
{
    char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(pages + 4096, 4096);
    memset(pages, 1, 4096);
    return pages + 4076;
}

static int bad(void)
{
    struct thread_record good = make(1, 1), invalid = good, without_trace = good,
                         without_span = good;
    void *gone = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(gone, &good, sizeof good);
    invalid.valid = 2;
    memset(without_trace.trace_id, 0, 16);
    memset(without_span.span_id, 0, 8);
    void *pointers[] = {gone,
                        (void *)1,
                        (void *)0xffffffffffffff00,
                        (void *)0x0123456789abcdef,
                        cut_off(),
                        &invalid,
                        &without_trace,
                        &without_span,
                        gone,
                        &good};
    for (int i = 0; i < 10; i++) {
        if (i == 1)
            munmap(gone, 4096);
        set(pointers[i]);
        serve(i, "/bad");
    }
    set(NULL);
    return 0;
}

static int serve_lines(void)
{
    struct thread_record record = make(3, 4);
    char line[16];
    set(&record);
    puts("here");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        serve(1, "/line");
        puts("ok");
        fflush(stdout);
    }
    return 0;
}

/* A span of the tracing library begins between two of ours; within the second, ours alone. */
static int nested(void)
{
    struct thread_record first = make(1, 1), second = make(1, 2);
    set(&first);
    SDT_PROBE(app, request__begin, 1);
    set(&second);
    SDT_PROBE(app, query__begin, 2);
    SDT_PROBE(app, row__begin, 3);
    SDT_PROBE(app, row__end, 3);
    SDT_PROBE(app, query__end, 2);
    set(&first);
    SDT_PROBE(app, request__end, 1);
    return 0;
}

static int pass(void)
{
    struct thread_record record = make(3, 4);
    const char *mine = "0af7651916cd43dd8448eb211c80319c";
    set(&record);
    SDT_PROBE(app, passed, SDT_NAMED("trace_id", mine));
    return 0;
}

static int count(long n)
{
    struct thread_record record = make(3, 4);
    for (int k = 0; k < 2; k++) {
        for (long i = 0; i < n; i++)
            SDT_PROBE(app, step, 1);
        set(&record);
    }
    return 0;
}

static int when(const char *condition)
{
    struct sdt_record_options options = {.size = sizeof options, .flags = SDT_RECORD_FLIGHT};
    struct sdt_record_stats stats = {.size = sizeof stats};
    struct sdt_recorder *recorder;
    int error = sdt_record_create("rec", &options, &recorder);
    if (!error)
        error = sdt_snapshot_when(recorder, "app::serve:step", condition);
    if (error)
        return fprintf(stderr, "%s\n", sdt_strerror(error)), 1;
    hit();
    for (int i = 0; i < 1000 && !stats.snapshots; i++) {
        usleep(1000);
        sdt_record_stats(recorder, &stats);
    }
    printf("%llu\n", (unsigned long long)stats.snapshots);
    return sdt_record_destroy(recorder);
}

static void number(uint8_t *id, size_t size, long n)
{
    memset(id, 0, size);
    id[0] = 0x77;
    for (size_t i = 0; i < 4; i++)
        id[size - 1 - i] = (uint8_t)(n >> 8 * i);
}

static int many(long n)
{
    struct thread_record record = make(0, 0);
    for (long i = 1; i <= n; i++) {
        number(record.trace_id, sizeof record.trace_id, i);
        number(record.span_id, sizeof record.span_id, i);
        set(i % 4 ? &record : NULL);
        serve((int)i, i % 2 ? "/odd, \"quoted\"" : "/even");
    }
    set(NULL);
    return 0;
}

int main(int argc, char **argv)
{
#ifdef CONTEXT_LOADED
    void *library = dlopen(getenv("LIBRARY"), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fprintf(stderr, "%s\n", dlerror()), 1;
    *(void **)&set = dlsym(library, "context_set");
    *(void **)&address = dlsym(library, "context_address");
#endif
    const char *told = getenv("REGISTER");
    int on_stack = 0;
    if (told && strcmp(told, "wrong") == 0) {
        printf("%d\n", sdt_context((const void *)&on_stack) == -EINVAL);
        printf("%d\n", sdt_context((const void *)((char *)address() + 1)) == -EINVAL);
    } else if (told) {
        int error = sdt_context(strcmp(told, "again") == 0 ? NULL : address());
        if (error)
            return fprintf(stderr, "%s\n", sdt_strerror(error)), 1;
    }
    const char *what = argc > 1 ? argv[1] : "";
    return !strcmp(what, "hit")      ? hit()
           : !strcmp(what, "bad")    ? bad()
           : !strcmp(what, "lines")  ? serve_lines()
           : !strcmp(what, "nested") ? nested()
           : !strcmp(what, "pass")   ? pass()
           : !strcmp(what, "count")  ? count(strtol(argv[2], NULL, 10))
           : !strcmp(what, "when")   ? when(argv[2])
           : !strcmp(what, "many")   ? many(strtol(argv[2], NULL, 10))
                                     : 2;
}
