/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A consumer that a program knows nothing of: LD_PRELOAD=preload.so PRELOAD_COUNT=pattern
 * PRELOAD_REPORT=file. It counts in each probe that matches, and at each site by a handler, and
 * says when the process ends how often each was hit. With SDT_ENABLE the counting in the probes is
 * that variable's business, and begins earlier.
 *
 * The constructors of a library run before those of the program, and before the program's probes
 * are known; its destructors run after they are known no longer. So it works at the door of main().
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sdt/runtime.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void),
                           void (*)(void), void *);

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

static main_function *programs_main;

enum { MAX_SITES = 4096 };
static struct sdt_probe_info sites[MAX_SITES]; /* by address */
static atomic_ullong hits[MAX_SITES];
static size_t site_count;

static int remember_site(const struct sdt_probe_info *site, void *data)
{
    (void)data;
    sites[site_count++] = *site;
    return site_count == MAX_SITES;
}

static int by_address(const void *left, const void *right)
{
    const char *a = ((const struct sdt_probe_info *)left)->pc;
    const char *b = ((const struct sdt_probe_info *)right)->pc;
    return (a > b) - (a < b);
}

static void look(const char *pattern)
{
    site_count = 0;
    sdt_foreach(pattern, remember_site, NULL);
    qsort(sites, site_count, sizeof *sites, by_address);
}

static void count(const struct sdt_event *event, void *data)
{
    struct sdt_probe_info wanted = {.pc = sdt_pc(event)};
    struct sdt_probe_info *site = bsearch(&wanted, sites, site_count, sizeof *sites, by_address);
    (void)data;
    if (site)
        atomic_fetch_add_explicit(&hits[site - sites], 1, memory_order_relaxed);
}

/* A line a site. A visitor of sdt_foreach() may not ask for hits, so that comes later. */
static void report(void)
{
    const char *name = getenv("PRELOAD_REPORT");
    FILE *file = name ? fopen(name, "w") : NULL;
    if (!file)
        return;
    look(getenv("PRELOAD_COUNT")); /* again: what became of each */
    for (size_t i = 0; i < site_count; i++) {
        const struct sdt_probe_info *site = &sites[i];
        char pattern[512];
        snprintf(pattern, sizeof pattern, "%s:%s", site->provider, site->name);
        fprintf(file, "%s %s %s %d %d %llu %llu\n", site->provider, site->name,
                site->function ? site->function : "-", site->mode, site->error,
                (unsigned long long)sdt_hits(pattern), atomic_load(&hits[i]));
    }
    fclose(file);
}

/* A program without such probes, as the shell that starts the one of interest, has no report. */
static int subscribe_and_run(int argc, char **argv, char **envp)
{
    const char *pattern = getenv("PRELOAD_COUNT"), *enabled = getenv("SDT_ENABLE");
    if (pattern) {
        look(pattern);
        if (!enabled || !*enabled)
            sdt_enable(pattern, SDT_COUNT, NULL);
        if (sdt_enable(pattern, count, NULL) > 0)
            atexit(report);
    }
    return programs_main(argc, argv, envp);
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    start_function *start = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
    programs_main = main;
    return start(subscribe_and_run, argc, argv, init, fini, rtld_fini, stack_end);
}
