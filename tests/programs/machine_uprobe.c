/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A uprobe of the kernel at each of this program's own sites, in a machine of its own
 * (test_aarch64_guest.py, test_riscv64_guest.py): hits are counted at sites that are off; what
 * becomes of a site that is armed while a uprobe is there; it is armed when the uprobe is gone.
 * With an argument, by breakpoint. Linked statically, at a fixed address.
 */
#include <sdt/probe.h>
#include <sdt/runtime.h>

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TRACING "/sys/kernel/tracing/"

extern void __dtrace_sdt_shop___left(unsigned long number);
extern const char __ehdr_start[];

static uintptr_t sites[2]; /* shop:sale, shop:left */

static __attribute__((noinline)) int sell(int n)
{
    SDT_PROBE(shop, sale, n);
    return n + 1;
}

static __attribute__((noinline)) void leave(int n)
{
    __dtrace_sdt_shop___left((unsigned long)n);
}

static int find(const struct sdt_probe_info *site, void *data)
{
    (void)data;
    sites[strcmp(site->name, "left") == 0] = (uintptr_t)site->pc;
    return 0;
}

static int put(const char *file, const char *text)
{
    int fd = open(file, O_WRONLY | O_APPEND);
    ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));
    if (fd >= 0)
        close(fd);
    return n == (ssize_t)strlen(text) ? 0 : -1;
}

static int trace(const char *program, int on)
{
    static const char *const names[] = {"sale", "left"};
    char line[256];
    int failed = 0;
    if (!on)
        failed |= put(TRACING "events/sdt/enable", "0");
    for (int i = 0; i < 2; i++) {
        snprintf(line, sizeof line, on ? "p:sdt/%s %s:%#lx\n" : "-:sdt/%s\n", names[i], program,
                 (unsigned long)(sites[i] - (uintptr_t)__ehdr_start));
        failed |= put(TRACING "uprobe_events", line);
    }
    return on ? failed | put(TRACING "events/sdt/enable", "1") : failed;
}

/* "path sale 3 0": an event, its hits, those missed. */
static void show_profile(void)
{
    char line[256], name[64];
    unsigned long hits;
    FILE *file = fopen(TRACING "uprobe_profile", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%*s %63s %lu", name, &hits) == 2)
            printf("uprobe %s: %lu\n", name, hits);
    if (file)
        fclose(file);
}

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    printf("handler %s %d\n", sdt_name(event), (int)sdt_arg(event, 0));
}

static uint32_t word_at(uintptr_t address)
{
    return *(const volatile uint32_t *)address;
}

/* Where the kernel's breakpoint and our change have places of their own, both are called. */
static void share(int id)
{
    sell(5);
    leave(6);
    show_profile();
    printf("disabled: %s\n", sdt_strerror(sdt_disable(id)));
}

int main(int argc, char **argv)
{
    int mode = argc > 1 ? SDT_MODE_TRAP : SDT_MODE_AUTO;
    sdt_foreach("shop:*", find, NULL);
    printf("uprobes: %d\n", trace(argv[0], 1));
    for (int i = 0; i < 3; i++) {
        sell(i);
        leave(i);
    }
    show_profile();
    printf("words %08x %08x\n", word_at(sites[0]), word_at(sites[1]));
    int id = sdt_enable_mode("shop:*", on_hit, NULL, mode);
    printf("armed: %s\n", sdt_strerror(id < 0 ? id : 0));
    if (id > 0)
        share(id);
    printf("gone: %d\n", trace(argv[0], 0));
    id = sdt_enable_mode("shop:*", on_hit, NULL, mode);
    printf("armed: %d\n", id > 0);
    sell(7);
    leave(8);
    printf("disabled: %s\n", sdt_strerror(sdt_disable(id)));
    return 0;
}
