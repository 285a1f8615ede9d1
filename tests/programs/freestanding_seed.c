/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The scheme of 2015 in a kernel (fake_kernel.h): the object has plain calls of undefined functions
 * and stays as it is; a companion defines them and says where they are called. The runtime makes
 * NOPs of the calls when the kernel starts.
 */
#include "fake_kernel.h"

#include <pthread.h>
#include <sdt/format.h>
#include <stdio.h>
#include <stdlib.h>

void __dtrace_sdt_vfs___open(const char *path, int flags);
void __dtrace_sdt_vfs___close(int fd);
int seed_open(const char *path, int flags);

/* The place of a call of a function that has no global name is counted from one that has. */
static __attribute__((noinline)) int seed_close(int fd)
{
    __dtrace_sdt_vfs___close(fd);
    __asm__ volatile("" ::: "memory"); /* no tail call */
    return fd + 1;
}

int seed_open(const char *path, int flags)
{
    __dtrace_sdt_vfs___open(path, flags);
    return seed_close(flags);
}

extern const struct sdt_site __start_sdt_sites[], __stop_sdt_sites[];
extern char __executable_start[], etext[], end[];

static int list(const struct sdt_probe_info *site, void *data)
{
    static const char *const modes[] = {"?", "breakpoint", "jump", "off", "blocked"};
    (void)data;
    printf("%s:%s in %s %s %d\n", site->provider, site->name, site->function, modes[site->mode],
           site->error);
    return 0;
}

static void show(const struct sdt_event *event, void *data)
{
    (void)data;
    printf("%s: %d\n", sdt_name(event), (int)sdt_arg(event, sdt_name(event)[0] == 'o'));
}

enum { ROUNDS = 100000, TOGGLES = 300 };

static void *hit(void *data)
{
    fake_become(1 + (unsigned)(uintptr_t)data);
    for (int i = 0; i < ROUNDS; i++)
        seed_open("text", i);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    struct sdt_range ranges[] = {
        {(uintptr_t)__executable_start, (uintptr_t)etext, SDT_RANGE_TEXT},
        {(uintptr_t)etext, (uintptr_t)end, SDT_RANGE_DATA},
    };
    struct sdt_kernel_module kernel = {.name = "kernel",
                                       .sites_begin = __start_sdt_sites,
                                       .sites_end = __stop_sdt_sites,
                                       .ranges = ranges,
                                       .range_count = 2};
    fake_start();
    printf("before: %d\n", seed_open("text", 1)); /* calls of stubs that do nothing */
    printf("add %d\n", sdt_add(&kernel));
    printf("off: %d\n", seed_open("text", 1));
    sdt_foreach("*", list, NULL);
    int id = sdt_enable("vfs", show, NULL);
    sdt_foreach("*", list, NULL);
    seed_open("text", 7);
    sdt_disable(id);
    seed_open("text", 8);
    id = sdt_enable("vfs", SDT_COUNT, NULL);
    for (uintptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, hit, (void *)i);
    for (int i = 0; i < TOGGLES; i++)
        sdt_disable(sdt_enable("vfs", SDT_COUNT, NULL));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("counted %d\n", (int)sdt_hits("vfs:open"));
    sdt_disable(id);
    sdt_foreach("*", list, NULL);
    sdt_remove(&kernel);
    return 0;
}
