/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * /sys/kernel/debug/sdt/beside: what the clock of the processor says of a thousand calls of each
 * function in beside_sites.c, and of as many without a probe. In qemu with `-icount shift=0` that
 * clock counts instructions. All handlers do the same: they count.
 */
#include "beside.h"
#include "linux.h"

#include <linux/debugfs.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/seq_file.h>

/* These need the ones above. */
#include <asm/text-patching.h>
#include <asm/tsc.h>

enum { CALLS = 1000 };

typedef long function(struct beside *s, long n);
static u64 seen;

u32 beside_goto_probe[20];

void beside_goto_hit(u32 id, long n, long sum, long name, long unused, long unused_too) {}

/* ---- Handlers. ---- */

static void on_site(const struct sdt_event *event, void *data)
{
    seen++;
}

static void on_tracepoint(void *data, long n, long sum, const char *name)
{
    seen++;
}

static int on_kprobe(struct kprobe *probe, struct pt_regs *regs)
{
    seen++;
    return 0;
}

static void on_function(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
                        struct ftrace_regs *regs)
{
    seen++;
}

/* ---- Measuring. ---- */

static u64 run(function *called)
{
    struct beside s = {.first = 1, .name = "beside"};
    unsigned long flags;
    u64 start, end;
    long i;

    local_irq_save(flags);
    called(&s, 0);
    seen = 0;
    start = rdtsc_ordered();
    for (i = 0; i < CALLS; i++)
        called(&s, i);
    end = rdtsc_ordered();
    local_irq_restore(flags);
    return end - start;
}

static u64 without;

/* A row: what is measured, how many hits were seen, the clock's ticks beyond those of no probe. */
static void row(struct seq_file *file, const char *what, function *called)
{
    s64 ticks = run(called) - without;

    seq_printf(file, "%s %llu %lld\n", what, seen, ticks);
}

static void with_site(struct seq_file *file, const char *what, const char *pattern, int mode,
                      function *called)
{
    int id = sdt_enable_mode(pattern, on_site, NULL, mode);

    if (id < 0) {
        seq_printf(file, "%s: %d\n", what, id);
        return;
    }
    row(file, what, called);
    sdt_disable(id);
}

static void with_tracepoint(struct seq_file *file)
{
    if (register_trace_sdt_beside(on_tracepoint, NULL))
        return;
    row(file, "tracepoint-on", beside_tracepoint);
    unregister_trace_sdt_beside(on_tracepoint, NULL);
    tracepoint_synchronize_unregister();
}

static void with_function_tracer(struct seq_file *file)
{
    static struct ftrace_ops ops = {.func = on_function};

    if (ftrace_set_filter_ip(&ops, ftrace_location((unsigned long)beside_none), 0, 1) ||
        register_ftrace_function(&ops))
        return;
    row(file, "ftrace-on", beside_none);
    unregister_ftrace_function(&ops);
}

/*
 * At the first instruction after the NOP of the function tracer. Linux makes it a jump, unless
 * /proc/sys/debug/kprobes-optimization says no.
 */
static void with_kprobe(struct seq_file *file)
{
    struct kprobe probe;
    unsigned long offset;

    for (offset = 9; offset < 32; offset++) {
        probe = (struct kprobe){.pre_handler = on_kprobe, .symbol_name = "beside_none"};
        probe.offset = offset;
        if (!register_kprobe(&probe))
            break;
    }
    if (offset == 32)
        return;
    wait_for_kprobe_optimizer();
    row(file, *probe.addr == INT3_INSN_OPCODE ? "kprobe-int3" : "kprobe-jump", beside_none);
    unregister_kprobe(&probe);
}

static int beside_show(struct seq_file *file, void *unused)
{
    without = run(beside_none);
    seq_printf(file, "none %llu %llu\n", seen, without);
    row(file, "tracepoint", beside_tracepoint);
    row(file, "goto", beside_goto);
    row(file, "inline", beside_inline);
    row(file, "call", beside_call);
    row(file, "lazy", beside_lazy);
    with_tracepoint(file);
    with_site(file, "inline-on", "beside:site", SDT_MODE_JUMP, beside_inline);
    with_site(file, "call-on", "beside:call", SDT_MODE_JUMP, beside_call);
    with_site(file, "lazy-on", "beside:lazy", SDT_MODE_JUMP, beside_lazy);
    with_site(file, "inline-int3", "beside:site", SDT_MODE_TRAP, beside_inline);
    with_function_tracer(file);
    with_kprobe(file);
    return 0;
}
DEFINE_SHOW_ATTRIBUTE(beside);

static int __init start(void)
{
    debugfs_create_file("beside", 0400, debugfs_lookup("sdt", NULL), NULL, &beside_fops);
    return 0;
}
late_initcall(start);
