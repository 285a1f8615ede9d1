/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What Linux does for the freestanding runtime (<sdt/kernel.h>): the fourteen functions, modules
 * that come and go, text that is freed, breakpoints. debugfs.c is for people.
 */
#include "linux.h"

#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kdebug.h>
#include <linux/memory.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timex.h>
#include <linux/uaccess.h>
#include <linux/version.h>

/* These need the ones above. */
#include <asm/sections.h>
#include <asm/text-patching.h>

/* For modules with probes, and those that enable some. */
void __sdt_enter(void);
void __sdt_enter_call(void);
void __sdt_finish(void);
EXPORT_SYMBOL_GPL(__sdt_enter);
EXPORT_SYMBOL_GPL(__sdt_enter_call);
EXPORT_SYMBOL_GPL(__sdt_finish);
EXPORT_SYMBOL_GPL(sdt_enable);
EXPORT_SYMBOL_GPL(sdt_enable_mode);
EXPORT_SYMBOL_GPL(sdt_disable);
EXPORT_SYMBOL_GPL(sdt_foreach);
EXPORT_SYMBOL_GPL(sdt_hits);
EXPORT_SYMBOL_GPL(sdt_nargs);
EXPORT_SYMBOL_GPL(sdt_arg);
EXPORT_SYMBOL_GPL(sdt_args);
EXPORT_SYMBOL_GPL(sdt_arg_name);
EXPORT_SYMBOL_GPL(sdt_arg_type);
EXPORT_SYMBOL_GPL(sdt_provider);
EXPORT_SYMBOL_GPL(sdt_name);
EXPORT_SYMBOL_GPL(sdt_function);
EXPORT_SYMBOL_GPL(sdt_module);
EXPORT_SYMBOL_GPL(sdt_pc);

/* ---- When a probe is hit. ---- */

/* Threads, softirqs, interrupts, NMIs: interrupt_context_level(). */
enum { LEVELS = 4 };
struct levels {
    struct sdt_context of[LEVELS];
};
static DEFINE_PER_CPU(struct levels, contexts);

/* Where RCU does not watch, as in the idle loop, sdt_kernel_wait() would not wait for the hit. */
struct sdt_context *notrace sdt_kernel_enter(void)
{
    preempt_disable_notrace();
    if (rcu_is_watching())
        return &this_cpu_ptr(&contexts)->of[interrupt_context_level()];
    preempt_enable_notrace();
    return NULL;
}

void notrace sdt_kernel_leave(struct sdt_context *context)
{
    preempt_enable_notrace();
}

int notrace sdt_kernel_read(void *to, uintptr_t address, size_t n)
{
    return copy_from_kernel_nofault(to, (const void *)address, n);
}

/* ---- When sites change. ---- */

static DEFINE_MUTEX(lock);
static struct task_struct *owner;

int sdt_kernel_lock(void)
{
    if (in_atomic() || irqs_disabled())
        return -EPERM;
    if (READ_ONCE(owner) == current)
        return -EDEADLK;
    mutex_lock(&lock);
    WRITE_ONCE(owner, current);
    return 0;
}

void sdt_kernel_unlock(void)
{
    WRITE_ONCE(owner, NULL);
    mutex_unlock(&lock);
}

void sdt_kernel_lock_text(void)
{
    mutex_lock(&text_mutex);
}

void sdt_kernel_unlock_text(void)
{
    mutex_unlock(&text_mutex);
}

int sdt_kernel_write(void *address, const void *bytes, size_t n)
{
    text_poke(address, bytes, n);
    return 0;
}

void sdt_kernel_synchronise(void)
{
    text_poke_sync();
}

/* Hits run with preemption disabled, and are a section of RCU so. */
void sdt_kernel_wait(void)
{
    synchronize_rcu();
}

/* ---- Memory, and the rest. ---- */

/* kmalloc aligns what has the size of a power of two to that. */
void *sdt_kernel_allocate(size_t size, size_t alignment)
{
    if (alignment > sizeof(u64) && size < PAGE_SIZE)
        size = roundup_pow_of_two(max(size, alignment));
    return kvmalloc(size, GFP_KERNEL);
}

void sdt_kernel_free(void *memory)
{
    kvfree(memory);
}

unsigned sdt_kernel_cpus(void)
{
    return nr_cpu_ids;
}

void sdt_kernel_refused(const struct sdt_kernel_module *module, const char *probe, const void *pc,
                        int error)
{
    pr_warn("sdt: %s: refused: %s at %pS: its record or its bytes are not what sdtlink wrote\n",
            module->name, *probe ? probe : "a site", pc);
}

/* ---- Breakpoints. ---- */

static int notrace on_int3(struct notifier_block *block, unsigned long event, void *data)
{
    struct pt_regs *regs = ((struct die_args *)data)->regs;
    struct sdt_context *context;
    struct sdt_resume resume;

    if (event != DIE_INT3 || user_mode(regs) || !(context = sdt_kernel_enter()))
        return NOTIFY_DONE;
    resume = sdt_breakpoint(regs->ip - INT3_INSN_SIZE);
    sdt_kernel_leave(context);
    switch (resume.how) {
    case SDT_RESUME_AT:
        break;
    case SDT_RESUME_CALL:
        int3_emulate_push(regs, resume.link);
        break;
    case SDT_RESUME_JUMP:
        regs->r11 = resume.patch;
        break;
    case SDT_RESUME_RETURN:
        int3_emulate_ret(regs);
        return NOTIFY_STOP;
    default:
        return NOTIFY_DONE;
    }
    regs->ip = resume.pc;
    return NOTIFY_STOP;
}

static struct notifier_block int3_block = {.notifier_call = on_int3, .priority = INT_MAX};

/* ---- The kernel itself. ---- */

static void tell_off(const char *name, int error)
{
    pr_warn("sdt: %s: its probes stay off (%d)\n", name, error);
}

extern const struct sdt_site __start_sdt_sites[], __stop_sdt_sites[];

static struct sdt_range vmlinux_ranges[] = {
    {(uintptr_t)_stext, (uintptr_t)_etext, SDT_RANGE_TEXT},
    {(uintptr_t)_sinittext, (uintptr_t)_einittext, SDT_RANGE_TEXT},
    {(uintptr_t)__start_rodata, (uintptr_t)__end_rodata, 0},
    {(uintptr_t)_sdata, (uintptr_t)_edata, SDT_RANGE_DATA},
    {(uintptr_t)__bss_start, (uintptr_t)__bss_stop, SDT_RANGE_DATA},
};

static struct sdt_kernel_module vmlinux = {
    .name = "vmlinux",
    .sites_begin = __start_sdt_sites,
    .sites_end = __stop_sdt_sites,
    .ranges = vmlinux_ranges,
    .range_count = ARRAY_SIZE(vmlinux_ranges),
};

/* Called by kernel_init() before it frees the text of initcalls. */
void sdt_free_initmem(void)
{
    sdt_forget(&vmlinux, _sinittext, _einittext);
}

/* ---- Modules. ---- */

#ifdef CONFIG_MODULES
/* How many parts of the address space a module has at most. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
enum { PARTS = MOD_MEM_NUM_TYPES };
#else
enum { PARTS = 4 };
#endif

struct known {
    struct list_head list;
    struct module *of;
    struct sdt_kernel_module module;
    struct sdt_range ranges[PARTS];
};
static LIST_HEAD(modules);
static DEFINE_MUTEX(modules_lock);

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
/* A part for each kind of memory. What is read-only after init is not for the runtime to write. */
static void add_parts(struct known *known, const struct module *module)
{
    static const unsigned int kinds[MOD_MEM_NUM_TYPES] = {
        [MOD_TEXT] = SDT_RANGE_TEXT,
        [MOD_INIT_TEXT] = SDT_RANGE_TEXT,
        [MOD_DATA] = SDT_RANGE_DATA,
        [MOD_INIT_DATA] = SDT_RANGE_DATA,
    };

    for_each_mod_mem_type(type) {
        uintptr_t base = (uintptr_t)module->mem[type].base;

        if (module->mem[type].size)
            known->ranges[known->module.range_count++] =
                (struct sdt_range){base, base + module->mem[type].size, kinds[type]};
    }
}

static void forget_init(struct known *known, const struct module *module)
{
    const struct module_memory *init = &module->mem[MOD_INIT_TEXT];

    sdt_forget(&known->module, init->base, init->base + init->size);
}
#else
static void add_layout(struct known *known, const struct module_layout *layout)
{
    uintptr_t base = (uintptr_t)layout->base;
    struct sdt_range *range = &known->ranges[known->module.range_count];

    if (!layout->size)
        return;
    range[0] = (struct sdt_range){base, base + layout->text_size, SDT_RANGE_TEXT};
    range[1] = (struct sdt_range){base + layout->text_size, base + layout->size, SDT_RANGE_DATA};
    known->module.range_count += 2;
}

static void add_parts(struct known *known, const struct module *module)
{
    add_layout(known, &module->core_layout);
    add_layout(known, &module->init_layout);
}

static void forget_init(struct known *known, const struct module *module)
{
    const struct module_layout *init = &module->init_layout;

    sdt_forget(&known->module, init->base, init->base + init->text_size);
}
#endif

/* A bound of the section sdt_sites, which scripts/module.lds names. */
static const void *bound(const struct module *module, const char *symbol)
{
    char name[MODULE_NAME_LEN + 32];

    snprintf(name, sizeof(name), "%s:%s", module->name, symbol);
    return (const void *)module_kallsyms_lookup_name(name);
}

static void come(struct module *module)
{
    const void *begin = bound(module, "__start_sdt_sites");
    const void *end = bound(module, "__stop_sdt_sites");
    struct known *known;
    int error;

    if (!begin || !end || begin == end)
        return;
    known = kzalloc(sizeof(*known), GFP_KERNEL);
    if (!known) {
        tell_off(module->name, -ENOMEM);
        return;
    }
    known->of = module;
    known->module.name = module->name;
    known->module.sites_begin = begin;
    known->module.sites_end = end;
    known->module.ranges = known->ranges;
    add_parts(known, module);
    error = sdt_add(&known->module);
    if (error) {
        tell_off(module->name, error);
        kfree(known);
        return;
    }
    mutex_lock(&modules_lock);
    list_add(&known->list, &modules);
    mutex_unlock(&modules_lock);
}

static struct known *find(const struct module *module)
{
    struct known *known, *found = NULL;

    mutex_lock(&modules_lock);
    list_for_each_entry(known, &modules, list)
        if (known->of == module)
            found = known;
    mutex_unlock(&modules_lock);
    return found;
}

static void live(const struct module *module)
{
    struct known *known = find(module);

    if (known)
        forget_init(known, module);
}

static void go(const struct module *module)
{
    struct known *known = find(module);

    if (!known)
        return;
    sdt_remove(&known->module);
    mutex_lock(&modules_lock);
    list_del(&known->list);
    mutex_unlock(&modules_lock);
    kfree(known);
}

static int on_module(struct notifier_block *block, unsigned long state, void *data)
{
    if (state == MODULE_STATE_COMING)
        come(data);
    else if (state == MODULE_STATE_LIVE)
        live(data);
    else if (state == MODULE_STATE_GOING)
        go(data);
    return NOTIFY_OK;
}

static struct notifier_block module_block = {.notifier_call = on_module};
#endif

/* ---- sdt=PATTERN on the command line: counted from the first initcall on. ---- */

static char wanted[128];

static int __init read_wanted(char *text)
{
    strscpy(wanted, text, sizeof(wanted));
    return 1;
}
__setup("sdt=", read_wanted);

static int __init start(void)
{
    unsigned int cpu, level;
    cycles_t begin;
    int error;

    for_each_possible_cpu(cpu)
        for (level = 0; level < LEVELS; level++)
            per_cpu(contexts, cpu).of[level].cpu = cpu;
    register_die_notifier(&int3_block);
#ifdef CONFIG_MODULES
    register_module_notifier(&module_block);
#endif
    begin = get_cycles();
    error = sdt_add(&vmlinux);
    pr_info("sdt: %td sites in vmlinux, added in %llu cycles\n",
            vmlinux.sites_end - vmlinux.sites_begin, get_cycles() - begin);
    if (error)
        tell_off(vmlinux.name, error);
    if (*wanted)
        sdt_watch(wanted, SDT_COUNT, SDT_MODE_AUTO | SDT_PENDING);
    return error;
}
early_initcall(start);
