/* SPDX-License-Identifier: BSD-2-Clause */
/* What the runtime is for, shown and checked on two processors. Each part prints a line. */
#include "elf64.h"
#include "kernel.h"

#include <sdt/kernel.h>
#include <sdt/probe.h>

int main(void);

static unsigned failures;

static void check(const char *what, int right)
{
    print("%s: %s\n", what, right ? "right" : "WRONG");
    failures += !right;
}

/* Enable, or end. */
static int watch(const char *pattern, sdt_handler *handler, void *data, int mode)
{
    int id = sdt_enable_mode(pattern, handler, data, mode);
    if (id < 0)
        panic("%s cannot be enabled (%d)\n", pattern, id);
    return id;
}

/* ---- The probe of this kernel's work, which both processors do. ---- */

static unsigned long requests[CPUS];

__attribute__((noinline)) static void request(const char *path, unsigned bytes)
{
    unsigned cpu = machine_cpu();
    SDT_PROBE(http, request, cpu, SDT_STR(path), bytes);
    __atomic_store_n(&requests[cpu], requests[cpu] + 1, __ATOMIC_RELEASE);
}

static unsigned wanted, working;

static void work_forever(void)
{
    machine_timer(100);
    for (;;) {
        unsigned on = __atomic_load_n(&wanted, __ATOMIC_ACQUIRE);
        __atomic_store_n(&working, on, __ATOMIC_RELEASE);
        if (on)
            request("/other", 1);
    }
}

/* Have processor 1 work, or wait until it does not. */
static void let_work(unsigned on)
{
    __atomic_store_n(&wanted, on, __ATOMIC_RELEASE);
    while (__atomic_load_n(&working, __ATOMIC_ACQUIRE) != on)
        ;
}

/* ---- Each part. ---- */

static int list_one(const struct sdt_probe_info *probe, void *data)
{
    (void)data;
    print("  %s:%s in %s of %s:", probe->provider, probe->name, probe->function, probe->module);
    for (unsigned i = 0; i < probe->nargs; i++)
        print(" %s", probe->arg_names[i] ? probe->arg_names[i] : "?");
    print("\n");
    return 0;
}

static void list(void)
{
    print("probes:\n");
    sdt_foreach("*", list_one, NULL);
}

/* How often another thread's subscription comes and goes while a probe is counted. */
enum { TOGGLES = 400 };

static void count_while_sites_change(const char *what, int mode)
{
    unsigned long before = requests[0] + requests[1], counted = sdt_hits("http:request");
    int id = watch("http:request", SDT_COUNT, NULL, mode);
    let_work(1);
    for (int i = 0; i < TOGGLES; i++) {
        request("/index.html", 4096);
        sdt_disable(watch("http:request", SDT_COUNT, NULL, mode));
        sdt_disable(watch("*", SDT_COUNT, NULL, mode));
    }
    let_work(0);
    check(what, sdt_hits("http:request") - counted == requests[0] + requests[1] - before &&
                    requests[1] > TOGGLES);
    sdt_disable(id);
}

/* A handler copies a string from where there may be none. */
static void show_request(const struct sdt_event *event, void *data)
{
    char path[16] = "";
    uintptr_t at = (uintptr_t)sdt_arg(event, 1);
    (void)data;
    for (unsigned i = 0; i < sizeof(path) - 1; i++)
        if (sdt_kernel_read(&path[i], at + i, 1) != 0 || path[i] == '\0')
            break;
    print("%s:%s on processor %d: '%s', %u bytes\n", sdt_provider(event), sdt_name(event),
          (int)sdt_arg(event, 0), path, (unsigned)sdt_arg(event, 2));
}

static void show_arguments(void)
{
    int id = watch("http:*", show_request, NULL, SDT_MODE_AUTO);
    request("/index.html", 4096);
    request((const char *)0xdead0000dead0000, 0);
    sdt_disable(id);
    id = watch("http:*", show_request, NULL, SDT_MODE_TRAP);
    request("/breakpoint", 1);
    sdt_disable(id);
}

/* The timer's interrupt of each processor: the probe's argument says how often there was one. */
struct ticks {
    unsigned long first, last, hits;
};

static void on_tick(const struct sdt_event *event, void *data)
{
    struct ticks *ticks = &((struct ticks *)data)[sdt_arg(event, 0)];
    ticks->last = (unsigned long)sdt_arg(event, 1);
    if (ticks->hits++ == 0)
        ticks->first = ticks->last;
}

static void watch_interrupts(void)
{
    static struct ticks ticks[CPUS];
    int right = 1;
    machine_timer(100);
    int id = watch("timer:tick", on_tick, ticks, SDT_MODE_AUTO);
    for (unsigned cpu = 0; cpu < CPUS; cpu++)
        while (__atomic_load_n(&ticks[cpu].hits, __ATOMIC_RELAXED) < 10)
            ;
    sdt_disable(id);
    machine_timer(0);
    for (unsigned cpu = 0; cpu < CPUS; cpu++)
        right &= ticks[cpu].hits == ticks[cpu].last - ticks[cpu].first + 1;
    check("interrupts of both processors, each seen once", right);
}

/* Runs once, and its text is then something else. */
__attribute__((section(".init.text"), noinline)) static void initialise(unsigned step)
{
    SDT_PROBE(boot, step, step);
    __asm__ volatile("" ::: "memory");
}

static void free_init_text(void)
{
    extern char init_begin[], init_end[];
    int id = watch("boot:step", SDT_COUNT, NULL, SDT_MODE_AUTO);
    initialise(1);
    initialise(2);
    uint64_t hits = sdt_hits("boot:step");
    probes_forget(init_begin, init_end);
    memset(init_begin, 0, (size_t)(init_end - init_begin));
    sdt_disable(id);
    check("sites of freed text stay off",
          hits == 2 && sdt_enable("boot:step", SDT_COUNT, NULL) < 0);
}

/* ---- Modules. ---- */

extern unsigned char demo_image[];

static struct module *load(void)
{
    struct module *module = module_load("demo", demo_image);
    if (module == NULL)
        panic("no module\n");
    return module;
}

enum { AT_START = 1, AT_WORK = 1000, AT_HALF = AT_WORK / 2 };

static void run(const struct module *module)
{
    long (*work)(long) = (long (*)(long))(uintptr_t)module_function(module, "demo_work");
    for (long i = 0; i < AT_WORK; i++)
        work(i);
}

static void modules_come_and_go(void)
{
    uint64_t hits[2];
    int id = watch("demo:*", SDT_COUNT, NULL, SDT_MODE_AUTO | SDT_PENDING);
    for (int i = 0; i < 2; i++) {
        struct module *module = load();
        run(module);
        hits[i] = sdt_hits("demo:*");
        module_unload(module); /* while its sites are on */
    }
    check("a module that comes again is counted from its start on",
          hits[0] == AT_START + AT_WORK + AT_HALF && hits[1] == hits[0]);
    sdt_disable(id);
}

static void damaged_modules(void)
{
    enum { KIND = 36 }; /* offset of it in a record, <sdt/format.h> */
    /* The image is data of this kernel, to be changed. */
    struct elf_section *sites = (struct elf_section *)module_section(demo_image, "sdt_sites");
    unsigned char *kind = demo_image + sites->offset + KIND, was = *kind;
    int id = watch("demo:*", SDT_COUNT, NULL, SDT_MODE_AUTO | SDT_PENDING);

    *kind = 0xee;
    struct module *module = load();
    run(module);
    check("a site with a wrong record is off, the others are not",
          sdt_hits("demo:work") == 0 && sdt_hits("demo:half") == AT_HALF);
    module_unload(module);
    *kind = was;

    sites->size -= 4;
    module = load();
    run(module);
    check("a truncated set is refused, and its module works", sdt_hits("demo:*") == 0);
    module_unload(module);
    sites->size += 4;
    sdt_disable(id);
}

int main(void)
{
    print("%d processors\n", CPUS);
    cpu_start(work_forever);
    probes_start();
    list();
    free_init_text();
    show_arguments();
    count_while_sites_change("two processors counted while sites change, by jumps", SDT_MODE_AUTO);
    count_while_sites_change("two processors counted while sites change, by breakpoints",
                             SDT_MODE_TRAP);
    watch_interrupts();
    modules_come_and_go();
    damaged_modules();
    print("%s\n", failures == 0 ? "all right" : "FAILED");
    machine_off();
}
