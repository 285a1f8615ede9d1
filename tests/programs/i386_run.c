/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hits of every kind of site on i386, printed by a handler; see test_i386_runtime.py. There
 * <sdt/probe.h> makes no probes, so the probes' functions are called by their names, without a
 * descriptor: six words of four bytes.
 *
 * Arguments: `jump`, `trap`, `auto`, `count`, `toggle`, `toggle jump`; `wait MODE` waits on its
 * standard input while it is enabled, and once more when it is not.
 */
#include <sdt/runtime.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Not static: those would get their arguments in registers, and could not end in a jump. */
#define ALONE __attribute__((noinline))
int sell(int n, const char *what);
int asks(void);
void leave(int n);
void expensive(int n);

extern void __dtrace_sdt_shop___sale(int n, const char *what, unsigned a, int b, int c, int d);
extern void __dtrace_sdt_shop___left(int number);
extern void __dtrace_sdt_shop___dear(int number);
extern int __dtrace_sdtenabled_shop___sale(void);

ALONE int sell(int n, const char *what)
{
    __dtrace_sdt_shop___sale(n, what, 0xfffffffe, -4, 5, 6);
    return __dtrace_sdtenabled_shop___sale() ? 1 : 0;
}

ALONE int asks(void)
{
    return __dtrace_sdtenabled_shop___sale();
}

ALONE void leave(int n)
{
    __dtrace_sdt_shop___left(n);
}

ALONE void expensive(int n)
{
    if (n > 100)
        __dtrace_sdt_shop___dear(n);
}

static void print(const struct sdt_event *event, void *data)
{
    uint64_t words[12];
    double sum = 0.5; /* the handler may use x87 and SSE */
    printf("%s %s:%s in %s:", (const char *)data, sdt_provider(event), sdt_name(event),
           sdt_function(event));
    if (strcmp(sdt_name(event), "sale") != 0) {
        printf(" %d\n", (int)sdt_arg(event, 0));
        return;
    }
    unsigned n = sdt_args(event, words, 12);
    printf(" %u", n);
    for (unsigned i = 0; i < n; i++) {
        if (words[i] != sdt_arg(event, i))
            printf(" other:");
        if (i == 1)
            printf(" %s", (const char *)(uintptr_t)words[i]);
        else
            printf(" %" PRIx64, words[i]);
        sum += (double)i;
    }
    printf(" %g past %" PRIu64 "\n", sum, sdt_arg(event, n));
}

static void visit_all(const char *word)
{
    int first = sell(1, "tea"), second = sell(2, "coffee");
    printf("%s: %d %d %d\n", word, first, second, asks());
    leave(3);
    expensive(4);
    expensive(500);
}

static int show(const struct sdt_probe_info *site, void *data)
{
    (void)data;
    printf("%s mode %d error %s\n", site->name, site->mode, sdt_strerror(site->error));
    return 0;
}

static int watch(int mode, const char *word)
{
    visit_all("off");
    int id = sdt_enable_mode("shop:*", print, (void *)(uintptr_t)word, mode);
    printf("enabled: %s\n", id > 0 ? "yes" : sdt_strerror(id));
    visit_all("on");
    sdt_foreach("shop:*", show, NULL);
    printf("disabled: %s\n", sdt_strerror(sdt_disable(id)));
    visit_all("off");
    return 0;
}

/* ---- for an observer outside ---- */

static int place(const struct sdt_probe_info *site, void *data)
{
    (void)data;
    printf("%s %lx\n", site->name, (unsigned long)(uintptr_t)site->pc);
    return 0;
}

static int wait_enabled(int mode)
{
    sdt_foreach("shop:*", place, NULL);
    puts("places");
    getchar();
    int id = sdt_enable_mode("shop:*", print, "on", mode);
    puts("on");
    getchar();
    sdt_disable(id);
    puts("off");
    getchar();
    return 0;
}

/* ---- while others run the sites ---- */

enum { COUNTERS = 3, HITS = 1000000 };
static pthread_barrier_t together;

static void *hit(void *data)
{
    (void)data;
    pthread_barrier_wait(&together);
    for (int i = 0; i < HITS; i++)
        leave(i);
    return NULL;
}

/* Threads count in one word. */
static int count(void)
{
    pthread_t threads[COUNTERS];
    int id = sdt_enable("shop:left", SDT_COUNT, NULL);
    pthread_barrier_init(&together, NULL, COUNTERS);
    for (int i = 0; i < COUNTERS; i++)
        pthread_create(&threads[i], NULL, hit, NULL);
    for (int i = 0; i < COUNTERS; i++)
        pthread_join(threads[i], NULL);
    sdt_disable(id);
    leave(0);
    printf("%s\n", sdt_hits("shop:left") == (uint64_t)COUNTERS * HITS ? "exact" : "wrong");
    return 0;
}

#include "machine_toggle.h" /* with the functions above */

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "", *how = argc > 2 ? argv[2] : "";
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (strcmp(what, "jump") == 0)
        return watch(SDT_MODE_JUMP, "jump");
    if (strcmp(what, "trap") == 0)
        return watch(SDT_MODE_TRAP, "trap");
    if (strcmp(what, "auto") == 0)
        return watch(SDT_MODE_AUTO, "auto");
    if (strcmp(what, "count") == 0)
        return count();
    if (strcmp(what, "toggle") == 0)
        return toggle(strcmp(how, "jump") == 0);
    if (strcmp(what, "wait") == 0)
        return wait_enabled(strcmp(how, "jump") == 0 ? SDT_MODE_JUMP : SDT_MODE_TRAP);
    visit_all("plain");
    return 0;
}
