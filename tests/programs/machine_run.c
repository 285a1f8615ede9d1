/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hits of every kind of site on aarch64 and riscv64, printed by a handler; see
 * test_machine_runtime.py. Arguments: `jump`, `trap`, `count`, `toggle`, `toggle jump`.
 */
#include <sdt/probe.h>
#include <sdt/runtime.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void __dtrace_sdt_shop___left(unsigned long number);
extern void __dtrace_sdt_shop___dear(unsigned long number);

static __attribute__((noinline)) int sell(int n, const char *what)
{
    SDT_PROBE(shop, sale, n, what, 2.5, 3, 4, 5, 6, -7, 8L, (unsigned char)9, what + 1, -11LL);
    return SDT_PROBE_ENABLED(shop, sale);
}

static __attribute__((noinline)) void leave(int n)
{
    __dtrace_sdt_shop___left((unsigned long)n);
}

static __attribute__((noinline)) void expensive(int n)
{
    if (n > 100)
        __dtrace_sdt_shop___dear((unsigned long)n);
}

static void print(const struct sdt_event *event, void *data)
{
    printf("%s %s:%s in %s:", (const char *)data, sdt_provider(event), sdt_name(event),
           sdt_function(event));
    if (strcmp(sdt_name(event), "sale") != 0) {
        printf(" %d\n", (int)sdt_arg(event, 0));
        return;
    }
    printf(" %u", sdt_nargs(event));
    for (unsigned i = 0; i < sdt_nargs(event); i++)
        if (strcmp(sdt_arg_name(event, i), "what") == 0)
            printf(" %s", (const char *)(uintptr_t)sdt_arg(event, i));
        else if (i == 2)
            printf(" %g", sdt_arg_double(event, i));
        else if (i != 10)
            printf(" %lld", (long long)sdt_arg(event, i));
        else
            printf(" %s", (const char *)(uintptr_t)sdt_arg(event, i));
    putchar('\n');
}

static void visit_all(const char *word)
{
    printf("%s: %d %d\n", word, sell(1, "tea"), sell(2, "coffee"));
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

static int count(void)
{
    int id = sdt_enable("shop:sale", SDT_COUNT, NULL);
    for (int i = 0; i < 1000; i++)
        sell(i, "");
    sdt_disable(id);
    sell(0, "");
    printf("%d\n", (int)sdt_hits("shop:sale"));
    return 0;
}

#include "machine_toggle.h" /* with the functions above */

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (strcmp(what, "jump") == 0)
        return watch(SDT_MODE_JUMP, "jump");
    if (strcmp(what, "trap") == 0)
        return watch(SDT_MODE_TRAP, "trap");
    if (strcmp(what, "count") == 0)
        return count();
    if (strcmp(what, "toggle") == 0)
        return toggle(argc > 2 && strcmp(argv[2], "jump") == 0);
    visit_all("plain");
    return 0;
}
