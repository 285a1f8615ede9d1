/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What libgcc's unwinder finds above a handler: each function between it and main(), also a leaf
 * function, whose return address is in x30 only; and pthread_exit() from there, which runs the
 * cleanups of all of them.
 */
#include <sdt/probe.h>
#include <sdt/runtime.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unwind.h>

extern void __dtrace_sdt_shop___left(unsigned long number);

struct function {
    const char *name;
    uintptr_t address;
};

static __attribute__((noinline)) int leaf(int n)
{
    SDT_PROBE(shop, leaf, n);
    return n + 1;
}

static __attribute__((noinline)) int framed(int n)
{
    SDT_PROBE(shop, framed, n);
    return leaf(n) + 1;
}

static __attribute__((noinline)) int tail(int n)
{
    __dtrace_sdt_shop___left((unsigned long)n);
    return 0;
}

static __attribute__((noinline)) int outer(int n)
{
    return framed(n) + tail(n) + 1;
}

static const struct function functions[] = {{"leaf", (uintptr_t)leaf},
                                            {"framed", (uintptr_t)framed},
                                            {"tail", (uintptr_t)tail},
                                            {"outer", (uintptr_t)outer}};

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *data)
{
    uintptr_t start = (uintptr_t)_Unwind_GetRegionStart(context);
    (void)data;
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (functions[i].address == start)
            printf(" %s", functions[i].name);
    return _URC_NO_REASON;
}

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    printf("%s:", sdt_name(event));
    _Unwind_Backtrace(visit, NULL);
    putchar('\n');
}

static void leave(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    pthread_exit((void *)7);
}

static void cleanup(void *data)
{
    printf("cleanup of %s\n", (const char *)data);
}

static void *run(void *data)
{
    pthread_cleanup_push(cleanup, "run");
    outer(*(int *)data);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    int n = 5, id = sdt_enable("shop:*", on_hit, NULL);
    pthread_t thread;
    void *result;
    outer(n);
    sdt_disable(id);
    id = sdt_enable("shop:leaf", leave, NULL);
    pthread_create(&thread, NULL, run, &n);
    pthread_join(thread, &result);
    printf("%d %d\n", (int)(intptr_t)result, sdt_disable(id));
    return 0;
}
