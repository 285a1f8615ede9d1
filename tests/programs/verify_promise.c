/* SPDX-License-Identifier: BSD-2-Clause */
/* Handlers that keep the promise of SDT_GENERAL_REGS, and, by -DBREAK_..., some that do not.
 * -DPROBES: the one that keeps it has probes of its own, and a conditional tail call of one. */
#include <errno.h>
#include <sdt/runtime.h>
#include <string.h>

#ifdef PROBES
#include <sdt/probe.h>
#ifdef __cplusplus /* g++ inlines none of the templates of SDT_PROBE into such a function */
extern "C" void __dtrace_sdt_promise___inside(const uint64_t *), __dtrace_sdt_promise___last(long);
#define PROBE(value) __dtrace_sdt_promise___inside(value)
#else
void __dtrace_sdt_promise___last(long);
#define PROBE(value) SDT_PROBE(promise, inside, value)
#endif
#else
#define PROBE(value) ((void)(value))
#define __dtrace_sdt_promise___last(value) ((void)(value))
#endif

struct big {
    long words[64];
};

static struct big from, to;
static volatile double sum;
static long counts[16];
static void (*volatile anybody)(void);

__attribute__((noinline)) static void add(long value)
{
    sum += (double)value;
    __asm__ volatile("");
}

__attribute__((noinline)) static void helper(long value)
{
    add(value);
    __asm__ volatile("");
}

/* Is called by a jump. */
__attribute__((noinline)) SDT_GENERAL_REGS_ONLY static void count(long value)
{
    counts[value & 15]++;
    __asm__ volatile("");
    if (value & 1)
        __dtrace_sdt_promise___last(value);
}

/* Calls itself. */
__attribute__((noinline)) SDT_GENERAL_REGS_ONLY static void descend(long value)
{
    if (value > 0) {
        descend(value - 1);
        counts[0]++;
    }
    count(value);
}

SDT_GENERAL_REGS_HANDLER(on_good)
{
    uint64_t words[12];
    (void)data;
    PROBE(words);
    if (sdt_args(event, words, 12) == sdt_nargs(event))
        descend((long)sdt_arg(event, 0));
    counts[1] += *sdt_name(event) + *sdt_provider(event) + *sdt_function(event);
    counts[2] += *sdt_module(event) + (sdt_pc(event) != NULL);
}

#ifdef BREAK_DOUBLE
SDT_GENERAL_REGS_HANDLER(on_double)
{
    (void)data;
    helper((long)sdt_arg(event, 0));
}
sdt_handler *volatile used_double = on_double;
#endif

#ifdef BREAK_COPY
SDT_GENERAL_REGS_HANDLER(on_copy)
{
    (void)event;
    memcpy(&to, &from, strlen((const char *)data));
    __asm__ volatile("" ::"r"(&to) : "memory");
}
sdt_handler *volatile used_copy = on_copy;
#endif

#ifdef BREAK_OTHER
void in_another_object(void);
SDT_GENERAL_REGS_HANDLER(on_other)
{
    (void)event;
    (void)data;
    in_another_object();
    counts[3]++;
}
sdt_handler *volatile used_other = on_other;
#endif

#ifdef BREAK_STATE
__attribute__((noinline)) static void round_up(void)
{
#if defined(__aarch64__)
    unsigned long state = 1UL << 22;
    __asm__ volatile("msr fpcr, %0" ::"r"(state));
#else
    unsigned state = 0x5f80;
    __asm__ volatile("ldmxcsr %0" ::"m"(state));
#endif
}

SDT_GENERAL_REGS_HANDLER(on_state)
{
    (void)event;
    (void)data;
    round_up();
}
sdt_handler *volatile used_state = on_state;
#endif

#ifdef BREAK_POINTER
SDT_GENERAL_REGS_HANDLER(on_pointer)
{
    (void)event;
    (void)data;
    anybody();
    counts[3]++;
}
sdt_handler *volatile used_pointer = on_pointer;
#endif

#ifndef ENTRY
#define ENTRY main
#endif
int ENTRY(void)
{
    int id = sdt_enable_mode("a:b", on_good, NULL, SDT_MODE_AUTO | SDT_GENERAL_REGS);
    to = from;
    helper(id);
    return id != -ENOENT;
}
