/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The freestanding runtime in a program (fake_kernel.h), with the probes of freestanding.c. The
 * argument says what is shown; the tests know what must come.
 */
#define _GNU_SOURCE
#include "fake_kernel.h"

#include <inttypes.h>
#include <link.h>
#include <pthread.h>
#include <sdt/format.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

extern const struct sdt_site __start_sdt_sites[], __stop_sdt_sites[];
extern int work(const char *what, int number), asked_last(void), begin(int number);
extern void last(int number), last_perhaps(int number);

enum { PARTS = 16 };
static struct sdt_range ranges[PARTS];
static struct sdt_kernel_module all = {.name = "all",
                                       .sites_begin = __start_sdt_sites,
                                       .sites_end = __stop_sdt_sites,
                                       .ranges = ranges};

/* Where the parts of the program itself are, which comes first. */
static int know_ranges(struct dl_phdr_info *object, size_t size, void *data)
{
    (void)size;
    (void)data;
    for (unsigned i = 0; i < object->dlpi_phnum && all.range_count < PARTS; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t at = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD)
            ranges[all.range_count++] =
                (struct sdt_range){at, at + part->p_memsz,
                                   (part->p_flags & PF_X ? SDT_RANGE_TEXT : 0) |
                                       (part->p_flags & PF_W ? SDT_RANGE_DATA : 0)};
    }
    return 1;
}

static int run(int rounds)
{
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
        sum += work("text", i) + begin(i);
        last(i);
        last_perhaps(i);
        sum += asked_last();
    }
    return sum;
}

static int must(const char *what, int result)
{
    if (result < 0) {
        printf("%s: %d\n", what, result);
        exit(1);
    }
    return result;
}

/* ---- What handlers see. ---- */

static void show(const struct sdt_event *event, void *data)
{
    printf("%s %s:%s in %s of %s:", (const char *)data, sdt_provider(event), sdt_name(event),
           sdt_function(event), sdt_module(event));
    uint64_t words[12];
    unsigned n = sdt_args(event, words, 12);
    for (unsigned i = 0; i < n; i++) {
        const char *type = sdt_arg_type(event, i);
        if (words[i] != sdt_arg(event, i))
            printf(" [differs: %" PRIx64 "]", sdt_arg(event, i));
        if (strcmp(type, "string") == 0)
            printf(" %s=%s", sdt_arg_name(event, i), (const char *)(uintptr_t)words[i]);
        else if (strcmp(type, "uint64") != 0)
            printf(" %s=%" PRId64, sdt_arg_name(event, i), (int64_t)words[i]);
        else if (i == 0) /* of a plain call, which has all registers */
            printf(" %" PRId64, (int64_t)words[i]);
    }
    printf("\n");
}

static int list(const struct sdt_probe_info *site, void *data)
{
    static const char *const modes[] = {"?", "breakpoint", "jump", "off", "blocked"};
    (void)data;
    printf("%s:%s:%s:%s %u %s %d\n", site->provider, site->module,
           site->function ? site->function : "-", site->name, site->nargs, modes[site->mode],
           site->error);
    return 0;
}

static void trace(int mode)
{
    int id = must("enable", sdt_enable_mode("kernel", show, "1", mode));
    int more = must("enable", sdt_enable_mode("kernel::work:", show, "2", mode));
    printf("writes that not all processors have seen: %ld\n", fake_unseen);
    sdt_foreach("*", list, NULL);
    printf("sum %d\n", run(1) + run(2));
    printf("disable %d %d\n", sdt_disable(id), sdt_disable(more));
    printf("writes that not all processors have seen: %ld\n", fake_unseen);
    sdt_foreach("*", list, NULL);
    printf("sum %d\n", run(3));
    printf("%d %d %d %d\n", sdt_disable(id), sdt_enable("none", show, NULL),
           sdt_enable("a:b:c", show, NULL), sdt_enable_mode("kernel", show, NULL, 77));
}

static void trace_jumps(void)
{
    trace(SDT_MODE_AUTO);
}

static void trace_breakpoints(void)
{
    trace(SDT_MODE_TRAP);
}

/* ---- Breakpoints: what the handler of a kernel does. ---- */

#if defined(__x86_64__)
#define PC(context) (context)->uc_mcontext.gregs[REG_RIP]
#define SP(context) (context)->uc_mcontext.gregs[REG_RSP]
#define PATCH(context) (context)->uc_mcontext.gregs[REG_R11]
enum { AFTER_BREAKPOINT = 1 };
#elif defined(__aarch64__)
#define PC(context) (context)->uc_mcontext.pc
#define LINK(context) (context)->uc_mcontext.regs[30]
#define PATCH(context) (context)->uc_mcontext.regs[11]
enum { AFTER_BREAKPOINT = 0 };
#else
#define PC(context) (context)->uc_mcontext.__gregs[0]
#define LINK(context) (context)->uc_mcontext.__gregs[1]
#define PATCH(context) (context)->uc_mcontext.__gregs[7]
enum { AFTER_BREAKPOINT = 0 };
#endif

static _Atomic long trapped, foreign;

static void on_trap(int number, siginfo_t *info, void *data)
{
    ucontext_t *context = data;
    (void)number;
    (void)info;
    struct sdt_context *cpu = sdt_kernel_enter();
    struct sdt_resume resume = sdt_breakpoint((uintptr_t)PC(context) - AFTER_BREAKPOINT);
    sdt_kernel_leave(cpu);
    trapped++;
    switch (resume.how) {
    case SDT_RESUME_CALL:
#if defined(__x86_64__)
        SP(context) -= 8;
        *(uintptr_t *)SP(context) = resume.link;
#else
        LINK(context) = resume.link;
#endif
        break;
    case SDT_RESUME_JUMP:
        PATCH(context) = (__typeof__(PATCH(context)))resume.patch;
        break;
    case SDT_RESUME_RETURN:
#if defined(__x86_64__)
        resume.pc = *(uintptr_t *)SP(context);
        SP(context) += 8;
#else
        resume.pc = LINK(context);
#endif
        break;
    case SDT_RESUME_FOREIGN:
        foreign++;
        return;
    default:
        break;
    }
    PC(context) = (__typeof__(PC(context)))resume.pc;
}

static void catch_traps(void)
{
    struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
    sigaction(SIGTRAP, &action, NULL);
}

/* ---- Exact counts while sites change. ---- */

enum { THREADS = 4, ROUNDS = 100000, TOGGLES = 300 };
static _Atomic uint64_t seen;

static void add(const struct sdt_event *event, void *data)
{
    (void)data;
    seen += sdt_arg(event, 1) == sdt_arg(event, 1);
}

static void *hit(void *data)
{
    fake_become(1 + (unsigned)(uintptr_t)data);
    for (int i = 0; i < ROUNDS; i++)
        work("text", i);
    return NULL;
}

static void nothing(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
}

static void count(int mode)
{
    pthread_t threads[THREADS];
    int counted = must("enable", sdt_enable_mode("kernel:work", SDT_COUNT, NULL, mode));
    int handled = must("enable", sdt_enable_mode("kernel:work", add, NULL, mode));
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, hit, (void *)i);
    for (int i = 0; i < TOGGLES; i++) {
        int id = must("toggle", sdt_enable_mode("kernel", nothing, NULL,
                                                i % 2 ? SDT_MODE_TRAP : SDT_MODE_JUMP));
        must("toggle", sdt_disable(id));
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("counted %" PRIu64 ", handled %" PRIu64 ", foreign %ld%s\n", sdt_hits("kernel:work"),
           seen, foreign, mode == SDT_MODE_TRAP && trapped < THREADS * ROUNDS ? ", few traps" : "");
    must("disable", sdt_disable(counted));
    must("disable", sdt_disable(handled));
    printf("after %d: counted %" PRIu64 ", handled %" PRIu64 "\n", run(10), sdt_hits("kernel:work"),
           seen);
}

static void count_jumps(void)
{
    count(SDT_MODE_AUTO);
}

static void count_breakpoints(void)
{
    count(SDT_MODE_TRAP);
}

/* ---- Levels of interruption. ---- */

static void hit_in_interrupt(void)
{
    printf("interrupt: enable %d\n", sdt_enable("kernel", nothing, NULL));
    last(7);
}

static void interrupted(const struct sdt_event *event, void *data)
{
    show(event, data);
    raise(SIGUSR1);
    last(8); /* in a handler: counted only */
}

static void interrupts(void)
{
    fake_interrupts(hit_in_interrupt);
    must("enable", sdt_enable("kernel:last", SDT_COUNT, NULL));
    must("enable", sdt_enable("kernel:work", interrupted, "outer"));
    must("enable", sdt_enable("kernel:last", show, "inner"));
    work("text", 1);
    printf("counted %" PRIu64 "\n", sdt_hits("kernel:last"));
}

/* ---- Registers. ---- */

extern long kept;
extern void local(long value);

/* Changes all that a function may change; counts if the arguments are right. */
static void clobber(const struct sdt_event *event, void *data)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < sdt_nargs(event); i++)
        sum ^= sdt_arg(event, i);
    *(int *)data += sdt_nargs(event) == 11 && sum == (uint64_t)kept;
#if defined(__x86_64__)
    __asm__ volatile("" ::: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11");
    __asm__ volatile("xor %%eax, %%eax; xor %%ecx, %%ecx; xor %%edx, %%edx; xor %%esi, %%esi;"
                     "xor %%edi, %%edi; xor %%r8d, %%r8d; xor %%r9d, %%r9d; xor %%r10d, %%r10d;"
                     "xor %%r11d, %%r11d" ::
                         : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11");
#elif defined(__aarch64__)
    __asm__ volatile(".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17\n mov x\\n, #0\n .endr" ::
                         : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
                           "x12", "x13", "x14", "x15", "x16", "x17");
#else
    __asm__ volatile(".irp n, 5,6,7,10,11,12,13,14,15,16,17,28,29,30,31\n li x\\n, 0\n .endr" ::
                         : "t0", "t1", "t2", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t3",
                           "t4", "t5", "t6");
#endif
}

extern long keep(long value);

static void registers(void)
{
    int hits = 0;
    long before = keep(12345);
    must("enable", sdt_enable("kernel:keep", clobber, &hits));
    bool is_kept = keep(12345) == before, is_computed = keep(54321) != before;
    must("enable", sdt_enable("kernel:local", show, "1"));
    local(21);
    printf("%s, %s, %d hits\n", is_kept ? "kept" : "changed", is_computed ? "computed" : "not",
           hits);
}

/* ---- Memory that is not there. ---- */

struct pair {
    long first, second;
};
extern void follow(const struct pair *pair);

/* The argument is a load that the handler makes; of a null pointer, the kernel is asked for it. */
static void null_pointer(void)
{
    const struct pair pair = {1, 42};
    must("enable", sdt_enable("kernel:follow", show, "1"));
    follow(&pair);
    printf("asked %ld times\n", fake_reads);
    follow(NULL);
    printf("asked %s\n", fake_reads ? "then" : "never");
}

/* ---- Text that is freed, and modules. ---- */

static void forget(void)
{
    must("enable", sdt_enable("kernel:begin", show, "1"));
    begin(1);
    sdt_forget(&all, (const void *)begin, (const char *)(const void *)begin + 16);
    begin(2);
    sdt_foreach("kernel:begin", list, NULL);
    printf("%d\n", sdt_enable("kernel:begin", show, "2"));
    must("enable", sdt_enable("kernel:last", show, "3"));
    last(3);
}

static bool is_last(const struct sdt_site *record)
{
    return strcmp((const char *)&record->name + record->name, "kernel:last") == 0;
}

/* The record at one end, of a probe that is not kernel:last, is a module of its own here. */
static void modules(void)
{
    struct sdt_kernel_module one = all, other = all;
    sdt_remove(&all);
    sdt_remove(&all);
    printf("%d\n", sdt_enable("kernel:last", show, "none"));
    int id = must("pending", sdt_enable_mode("kernel:last", show, "1", SDT_PENDING));
    long before = 0;
    one.runtime = other.runtime = NULL;
    one.name = "one";
    other.name = "other";
    size_t n = (size_t)(__stop_sdt_sites - __start_sdt_sites);
    if (is_last(&__start_sdt_sites[n - 1]))
        one.sites_begin = other.sites_end = &__start_sdt_sites[1];
    else
        one.sites_end = other.sites_begin = &__start_sdt_sites[n - 1];
    must("add", sdt_add(&one));
    must("add", sdt_add(&other));
    sdt_foreach("kernel", list, NULL);
    last(4);
    for (int i = 0; i < 3; i++) {
        sdt_remove(&one);
        if (i == 1)
            before = fake_allocated;
        last(5);
        must("add", sdt_add(&one));
        last(6);
    }
    sdt_remove(&one);
    bool is_same = fake_allocated == before;
    sdt_remove(&other);
    printf("%d, sum %d, %s\n", sdt_disable(id), run(1), is_same ? "nothing is lost" : "leaks");
}

/* ---- Damage. ---- */

static void damage(void)
{
    struct sdt_kernel_module bad = all;
    sdt_remove(&all);
    size_t n = (size_t)(__stop_sdt_sites - __start_sdt_sites);
    struct sdt_site *records = (struct sdt_site *)(uintptr_t)__start_sdt_sites;
    __asm__("" : "+r"(records)); /* they are not constant any more */
    mprotect((void *)((uintptr_t)records & ~(uintptr_t)4095), n * sizeof *records + 4096,
             PROT_READ | PROT_WRITE | PROT_EXEC); /* linkers put it beside text */
    bad.runtime = NULL;
    bad.sites_end =
        (const struct sdt_site *)((const char *)__stop_sdt_sites + 4096 * sizeof(*records));
    printf("beyond: %d\n", sdt_add(&bad));
    bad.sites_begin = (const struct sdt_site *)((const char *)__start_sdt_sites + 2);
    printf("crooked: %d\n", sdt_add(&bad));
    bad.sites_begin = __start_sdt_sites;
    bad.sites_end = (const struct sdt_site *)((uintptr_t)__stop_sdt_sites - 4);
    printf("cut: %d\n", sdt_add(&bad));
    bad.sites_end = bad.sites_begin = NULL;
    printf("none: %d\n", sdt_add(&bad));
    sdt_remove(&bad);
    for (size_t i = 0; i < n; i++)
        for (size_t at = 0; at < sizeof *records; at++) {
            struct sdt_site kept = records[i];
            for (int bit = 0; bit < 8; bit++) {
                ((unsigned char *)&records[i])[at] ^= (unsigned char)(1 << bit);
                fake_prints = 0;
                if (sdt_add(&all) == 0) {
                    int id = sdt_enable("*", nothing, NULL);
                    if (id > 0)
                        sdt_disable(id);
                    sdt_remove(&all);
                }
                records[i] = kept;
            }
        }
    fake_prints = 1;
    records[0].probe += 4;
    records[1].flags ^= SDT_SITE_FREESTANDING;
    records[2].pc += 1;
    must("add", sdt_add(&all));
    printf("sum %d\n", run(3));
}

enum { LONGEST = 10 };
static void *begin_site;

static int find_begin(const struct sdt_probe_info *site, void *data)
{
    (void)data;
    begin_site = (void *)(uintptr_t)site->pc;
    return 0;
}

static void errors(void)
{
    fake_write_error = -13;
    printf("%d\n", sdt_enable("kernel", nothing, NULL));
    sdt_foreach("kernel:work", list, NULL);
    fake_write_error = 0;
    unsigned char off[LONGEST], on[LONGEST], other[LONGEST];
    sdt_foreach("kernel:begin", find_begin, NULL);
    unsigned char *pc = begin_site;
    memcpy(off, pc, LONGEST);
    int id = must("enable", sdt_enable("kernel:begin", nothing, NULL));
    memcpy(on, pc, LONGEST);
    for (int i = 0; i < LONGEST; i++) /* who else writes there wins */
        pc[i] = other[i] = off[i] == on[i] ? on[i] : on[i] ^ 0x55;
    must("disable", sdt_disable(id));
    printf("%s\n", memcmp(pc, other, LONGEST) == 0 && memcmp(off, on, LONGEST) != 0 ? "left alone"
                                                                                    : "changed");
}

/*
 * As a kprobe's jump over a site, which comes while the runtime waits for the lock of the text. The
 * byte that the runtime would change is what it would be without it.
 */
static void overwrite(void)
{
    static const unsigned char jump[4] = {0xe9, 0x12, 0x34, 0x56};
    memcpy(begin_site, jump, sizeof jump);
    __builtin___clear_cache(begin_site, (char *)begin_site + LONGEST);
}

static void others(void)
{
    unsigned char off[LONGEST], on[LONGEST], jump[LONGEST], now[LONGEST];
    sdt_foreach("kernel:begin", find_begin, NULL);
    memcpy(off, begin_site, LONGEST);
    int id = must("enable", sdt_enable("kernel:begin", nothing, NULL));
    memcpy(on, begin_site, LONGEST);
    fake_other_writer = overwrite;
    printf("disable %d\n", sdt_disable(id));
    memcpy(now, begin_site, LONGEST);
    memcpy(begin_site, on, LONGEST); /* the other one goes */
    overwrite();
    memcpy(jump, begin_site, LONGEST);
    printf("%s\n", memcmp(now, jump, LONGEST) == 0 ? "left alone" : "changed");
    sdt_foreach("kernel:begin", list, NULL);
    memcpy(begin_site, on, LONGEST);
    __builtin___clear_cache(begin_site, (char *)begin_site + LONGEST);
    printf("sum %d\n", begin(1));

    must("disable", sdt_disable(must("enable", sdt_enable("kernel:begin", show, "1"))));
    printf("%s\n", memcmp(begin_site, off, LONGEST) == 0 ? "off" : "on");
    fake_other_writer = overwrite;
    printf("enable %d\n", sdt_enable("kernel:begin", nothing, NULL));
    memcpy(now, begin_site, LONGEST);
    memcpy(begin_site, off, LONGEST);
    overwrite();
    printf("%s\n", memcmp(now, begin_site, LONGEST) == 0 ? "left alone" : "changed");
}

/* Each allocation fails once. */
static void memory(void)
{
    sdt_remove(&all);
    long before = fake_allocated, at = 0;
    int error = 1, id = 0;
    for (at = 1; error; at++) {
        fake_failing = at;
        error = sdt_add(&all);
        if (error != 0 && (error != -12 || fake_allocated != before))
            printf("add: %d, %ld left\n", error, fake_allocated - before);
        if (!error && fake_failing)
            break;
        if (!error)
            sdt_remove(&all);
        error = 1;
    }
    printf("add: %s failures\n", at > 10 ? "many" : "few");
    for (at = 1; id <= 0 || !fake_failing; at++) {
        if (id > 0)
            must("disable", sdt_disable(id));
        fake_failing = at;
        id = sdt_enable("kernel", show, "1");
        if (id < 0 && id != -12)
            printf("enable: %d\n", id);
        if (id < 0 && run(1) != 1)
            printf("ran otherwise\n");
        if (at > 1000)
            break;
    }
    fake_failing = 0;
    printf("enable: %s failures\n", at > 10 ? "many" : "few");
    last(9);
    must("disable", sdt_disable(id));
    sdt_remove(&all);
    /* One block of states stays for good (runtime/hit/state.h). */
    printf(fake_allocated <= before + 1 ? "nothing is lost\n" : "leaks\n");
}

static const struct {
    const char *name;
    void (*function)(void);
} shows[] = {
    {"trace", trace_jumps},     {"breakpoints", trace_breakpoints},
    {"count", count_jumps},     {"count-breakpoints", count_breakpoints},
    {"registers", registers},   {"null", null_pointer},
    {"interrupts", interrupts}, {"forget", forget},
    {"modules", modules},       {"damage", damage},
    {"errors", errors},         {"others", others},
    {"memory", memory},
};

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    setvbuf(stdout, NULL, _IOLBF, 0);
    fake_start();
    dl_iterate_phdr(know_ranges, NULL);
    catch_traps();
    must("add", sdt_add(&all));
    for (size_t i = 0; i < sizeof shows / sizeof *shows; i++)
        if (strcmp(what, shows[i].name) == 0)
            shows[i].function();
    return 0;
}
