/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hits that are late: each has loaded its way from the probe's record (sdt_probe.way), and
 * who is subscribed changes before it goes on. For that, the record leads to an instruction that
 * is none. The kernel keeps all registers while the signal's handler does what another thread would
 * do meanwhile; then the hit goes on by the way that it had loaded.
 */
#ifndef LATE_H
#define LATE_H

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE before the first header"
#endif
#include <sdt/format.h>
#include <sdt/runtime.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#if defined(__x86_64__)
#define LATE_ILLEGAL "ud2\n"
#define LATE_PC(context) (context)->uc_mcontext.gregs[REG_RIP]
#elif defined(__aarch64__)
#define LATE_ILLEGAL "udf #0\n"
#define LATE_PC(context) (context)->uc_mcontext.pc
#else
#define LATE_ILLEGAL "unimp\n"
#define LATE_PC(context) (context)->uc_mcontext.__gregs[REG_PC]
#endif

__asm__(".pushsection .text\n.balign 16\n"
        "late_stop: " LATE_ILLEGAL ".popsection\n");
extern const char late_stop[];

enum late_kind { LATE_PLAIN, LATE_GENERAL, LATE_COUNT };

static struct {
    struct sdt_probe *probe;
    const char *pattern;
    int mode;
    sdt_handler *plain; /* changes all that a function may change */
    void *data;
    void *way;
    enum late_kind next; /* will be enabled */
    int is_kept, old_id, new_id;
    unsigned stops, plain_calls, general_calls;
} late;

static void late_on_plain(const struct sdt_event *event, void *data)
{
    late.plain_calls++;
    late.plain(event, data);
}

SDT_GENERAL_REGS_HANDLER(late_on_general)
{
    (void)event;
    (void)data;
    late.general_calls++;
}

static int late_enable(enum late_kind kind)
{
    static sdt_handler *const handlers[] = {late_on_plain, late_on_general, SDT_COUNT};
    int id = sdt_enable_mode(late.pattern, handlers[kind], late.data,
                             late.mode | (kind == LATE_GENERAL ? SDT_GENERAL_REGS : 0));
    if (id <= 0)
        printf("late: sdt_enable_mode: %s\n", sdt_strerror(id));
    return id;
}

static void late_disable(int id)
{
    int error = sdt_disable(id);
    if (error)
        printf("late: sdt_disable: %s\n", sdt_strerror(error));
}

static void late_on_stop(int signal, siginfo_t *info, void *given)
{
    ucontext_t *context = given;
    (void)signal;
    (void)info;
    late.stops++;
    late.probe->way = late.way;
    late.new_id = late_enable(late.next);
    if (!late.is_kept)
        late_disable(late.old_id);
    LATE_PC(context) = (__typeof__(LATE_PC(context)))(uintptr_t)late.way;
}

/* The next hit stops on its way. */
static void late_stop_next(void)
{
    late.way = late.probe->way;
    late.probe->way = (void *)(uintptr_t)late_stop;
}

static void late_expect(const char *what, unsigned got, unsigned expected)
{
    if (got != expected)
        printf("late: %s: %u, expected %u\n", what, got, expected);
}

/*
 * OLD is enabled when RUN, which makes one hit, begins; NEW beside it or in its place when the hit
 * goes on. A hit whose registers were not saved does not call a plain handler; the next hit does.
 */
static void late_one(enum late_kind old, enum late_kind new, int is_kept, void (*run)(void))
{
    int is_saved = old == LATE_PLAIN || (old == LATE_GENERAL && SDT_GENERAL_REGS == 0);
    int is_served = old != LATE_COUNT && (is_saved || new == LATE_GENERAL);
    uint64_t counted = sdt_hits(late.pattern);
    unsigned calls[3] = {0};
    late.plain_calls = late.general_calls = 0;
    late.is_kept = is_kept;
    late.next = new;
    late.old_id = late_enable(old);
    late_stop_next();
    run();
    if (is_kept || old == LATE_COUNT)
        calls[old]++;
    calls[new] += (unsigned)is_served;
    late_expect("calls of a plain handler by a late hit", late.plain_calls, calls[LATE_PLAIN]);
    late_expect("calls of a general one", late.general_calls, calls[LATE_GENERAL]);
    run();
    calls[old] += (unsigned)is_kept;
    calls[new]++;
    late_expect("calls of a plain handler", late.plain_calls, calls[LATE_PLAIN]);
    late_expect("calls of a general handler", late.general_calls, calls[LATE_GENERAL]);
    late_expect("counted", (unsigned)(sdt_hits(late.pattern) - counted), calls[LATE_COUNT]);
    late_disable(late.new_id);
    if (is_kept)
        late_disable(late.old_id);
}

/*
 * All of these at PROBE, which PATTERN names and RUN hits once. PLAIN, with DATA, changes all that
 * a function may change; RUN says so if it came out. Returns how many hits were late.
 */
static unsigned late_check(struct sdt_probe *probe, const char *pattern, int mode,
                           sdt_handler *plain, void *data, void (*run)(void))
{
    const struct sigaction action = {.sa_sigaction = late_on_stop, .sa_flags = SA_SIGINFO};
    sigaction(SIGILL, &action, NULL);
    late.probe = probe;
    late.pattern = pattern;
    late.mode = mode;
    late.plain = plain;
    late.data = data;
    late.stops = 0;
    for (int old = LATE_PLAIN; old <= LATE_COUNT; old++)
        for (int new = LATE_PLAIN; new <= LATE_GENERAL; new ++)
            for (int is_kept = 0; is_kept < 2; is_kept++)
                late_one((enum late_kind)old, (enum late_kind) new, is_kept, run);
    return late.stops;
}

#endif
