/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A tracer and sdt_enable() on one site, in the order that the command line says:
 *
 *     tracer_orders KIND OFFSET MODE SCOPE < STEPS
 *
 *   KIND    call, call6, tail, jcc, inline, nop11: a probe of that name, and its function; or nop5,
 *           nop5_leaf: no probe of ours
 *   OFFSET  of the note's address in this program's file, hexadecimal: where the tracer looks
 *   MODE    auto, trap, jump
 *   SCOPE   all: the tracer watches every process; self: this one, and not its children
 *   STEPS   a letter each:
 *           T  attach the tracer, or detach it        O  enable or disable the probe
 *           h  hit the site                           f  hit it in a child, which then ends
 *           k  have a child that stays                r  hit the site in that child
 *           s  have a thread that hits it, or end it  b  show the first byte of the site (nop5)
 *
 * Prints a line a step: the letter, what sdt_enable() or sdt_disable() returned for O, and for hits
 * three numbers: how many there were, how many of them the tracer saw, and how many the runtime of
 * the process that made them counted; s only at its end. The site's function tells what a hit
 * changed; a wrong result ends the program.
 *
 * The tracer is a uprobe through perf_event_open(); to the kernel it makes no difference that it
 * and its victim are one process.
 */
#define _GNU_SOURCE
#include "tracer_sites.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <sdt/runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STRING_(x) #x
#define STRING(x) STRING_(x)

enum { MAX_CPUS = 1024 };
static const struct kind {
    const char *name;
    long (*function)(long);
    const unsigned char *site;
} kinds[] = {{"call", tr_call, NULL},         {"call6", tr_call6, NULL},
             {"tail", tr_tail, NULL},         {"jcc", tr_jcc, NULL},
             {"inline", tr_inline, NULL},     {"nop11", tr_nop11, NULL},
             {"nop5", tr_nop5, tr_nop5_site}, {"nop5_leaf", tr_nop5_leaf, tr_nop5_leaf_site}};

static const struct kind *kind;
static char pattern[64];

static _Noreturn void fail(const char *what)
{
    printf("failed: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* ---- the tracer ---- */

static struct perf_event_attr attr = {.size = sizeof attr};
static int is_everywhere;
static int tracers[MAX_CPUS];
static int tracer_count; /* 0: detached */

static void prepare_tracer(const char *offset, const char *scope)
{
    static char path[4096];
    int type = -1;
    FILE *file = fopen("/sys/bus/event_source/devices/uprobe/type", "r");
    if (!file || fscanf(file, "%d", &type) != 1 || readlink("/proc/self/exe", path, 4095) < 0)
        fail("uprobes");
    fclose(file);
    attr.type = (uint32_t)type;
    attr.uprobe_path = (uintptr_t)path;
    attr.probe_offset = strtoull(offset, NULL, 16);
    is_everywhere = strcmp(scope, "all") == 0;
}

static void attach_to(pid_t pid, int cpu)
{
    int fd = (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd >= 0)
        tracers[tracer_count++] = fd;
    else if (errno != ENODEV) /* no such CPU */
        fail("perf_event_open");
}

static void attach(void)
{
    if (!is_everywhere) {
        attach_to(0, -1);
        return;
    }
    long cpus = sysconf(_SC_NPROCESSORS_CONF);
    for (int cpu = 0; cpu < cpus && cpu < MAX_CPUS; cpu++)
        attach_to(-1, cpu);
}

static void detach(void)
{
    while (tracer_count > 0)
        close(tracers[--tracer_count]);
}

static uint64_t traced(void)
{
    uint64_t sum = 0, count;
    for (int i = 0; i < tracer_count; i++) {
        if (read(tracers[i], &count, sizeof count) != sizeof count)
            fail("read");
        sum += count;
    }
    return sum;
}

/* ---- hits ---- */

static void hit_once(long i)
{
    long result = kind->function(i);
    if (result != i) {
        printf("wrong result: %ld for %ld\n", result, i);
        exit(1);
    }
}

/* Returns how many of N hits our own runtime counted. */
static uint64_t hit(long n)
{
    uint64_t before = sdt_hits(pattern);
    for (long i = 0; i < n; i++)
        hit_once(i);
    return sdt_hits(pattern) - before;
}

static uint64_t hit_in_child(long n)
{
    int ends[2], status;
    uint64_t own = 0;
    if (pipe(ends) < 0)
        fail("pipe");
    pid_t child = fork();
    if (child == 0) {
        own = hit(n);
        _exit(write(ends[1], &own, sizeof own) != sizeof own);
    }
    close(ends[1]);
    if (read(ends[0], &own, sizeof own) != sizeof own)
        own = UINT64_MAX;
    close(ends[0]);
    if (waitpid(child, &status, 0) != child || status != 0) {
        printf("the child ended with status 0x%x\n", (unsigned)status);
        exit(1);
    }
    return own;
}

/* ---- the child that stays ---- */

static pid_t resident;
static int to_resident[2], from_resident[2];

static void dismiss(void)
{
    int status;
    if (!resident)
        return;
    close(to_resident[1]);
    close(from_resident[0]);
    if (waitpid(resident, &status, 0) != resident || status != 0) {
        printf("the child that stayed ended with status 0x%x\n", (unsigned)status);
        exit(1);
    }
    resident = 0;
}

static void have_resident(void)
{
    dismiss();
    if (pipe(to_resident) < 0 || pipe(from_resident) < 0)
        fail("pipe");
    resident = fork();
    if (resident == 0) {
        long n;
        detach(); /* the parent's; were it still open here, the parent could not end it */
        close(to_resident[1]);
        if (write(from_resident[1], "", 1) != 1)
            _exit(1);
        while (read(to_resident[0], &n, sizeof n) == sizeof n) {
            uint64_t own = hit(n);
            if (write(from_resident[1], &own, sizeof own) != sizeof own)
                _exit(1);
        }
        _exit(0);
    }
    close(to_resident[0]);
    close(from_resident[1]);
    char is_ready;
    if (read(from_resident[0], &is_ready, 1) != 1)
        fail("the child that stays");
}

static uint64_t hit_in_resident(long n)
{
    uint64_t own;
    if (write(to_resident[1], &n, sizeof n) != sizeof n ||
        read(from_resident[0], &own, sizeof own) != sizeof own)
        fail("the child that stays");
    return own;
}

/* ---- the thread ---- */

static struct {
    pthread_t thread;
    _Atomic int is_running;
    long hits;
    uint64_t traced, own;
} storm;

static void *hit_on(void *unused)
{
    (void)unused;
    do
        hit_once(storm.hits++);
    while (storm.is_running);
    return NULL;
}

static void toggle_storm(void)
{
    if (!storm.is_running) {
        storm.hits = 0;
        storm.traced = traced();
        storm.own = sdt_hits(pattern);
        storm.is_running = 1;
        if (pthread_create(&storm.thread, NULL, hit_on, NULL) != 0)
            fail("pthread_create");
        return;
    }
    storm.is_running = 0;
    pthread_join(storm.thread, NULL);
    printf("s %ld %ld %ld\n", storm.hits, (long)(traced() - storm.traced),
           (long)(sdt_hits(pattern) - storm.own));
}

/* ---- steps ---- */

static void toggle_tracer(void)
{
    if (tracer_count)
        detach();
    else
        attach();
    puts("T");
}

static void toggle_probe(int mode)
{
    static int id;
    int result = id > 0 ? sdt_disable(id) : sdt_enable_mode(pattern, SDT_COUNT, NULL, mode);
    id = id > 0 || result < 0 ? 0 : result;
    printf("O %d\n", result < 0 ? result : 0);
}

static void hit_and_tell(int letter, long n)
{
    if (letter == 'r' && !resident)
        n = 0;
    uint64_t before = traced(), own = 0;
    if (letter == 'h')
        own = hit(n);
    else if (letter == 'f')
        own = hit_in_child(n);
    else if (resident)
        own = hit_in_resident(n);
    printf("%c %ld %ld %ld\n", letter, n, (long)(traced() - before), (long)own);
}

int main(int argc, char **argv)
{
    static const char *modes[] = {"auto", "trap", "jump"};
    int mode = -1, letter;
    long n = 0;
    if (argc != 5)
        return 2;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(argv[1], kinds[i].name) == 0)
            kind = &kinds[i];
    for (int i = 0; i < 3; i++)
        if (strcmp(argv[3], modes[i]) == 0)
            mode = i;
    if (!kind || mode < 0)
        return 2;
    snprintf(pattern, sizeof pattern, STRING(PROVIDER) ":%s", kind->name);
    prepare_tracer(argv[2], argv[4]);
    setvbuf(stdout, NULL, _IOLBF, 0); /* children have nothing to print twice */
    while ((letter = getchar()) != EOF) {
        if (letter == 'T')
            toggle_tracer();
        else if (letter == 'O')
            toggle_probe(mode);
        else if (letter == 'k')
            have_resident();
        else if (letter == 's')
            toggle_storm();
        else if (letter == 'b' && kind->site)
            printf("b %02x\n", *(const volatile unsigned char *)kind->site);
        else if (strchr("hfr", letter))
            hit_and_tell(letter, 3 + n++ % 5);
    }
    dismiss();
    detach();
    puts("ok");
    return 0;
}
