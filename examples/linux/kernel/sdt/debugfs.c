/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * /sys/kernel/debug/sdt:
 *
 *     probes    every site: provider:module:function:name, address, state, bytes, arguments
 *     enabled   what is enabled: id, pattern, and how many hits its probes had, if they are counted
 *     control   write "PATTERN count", "PATTERN trace", "PATTERN stack", each perhaps with a third
 *               word, "breakpoint"; or "off ID"
 *
 * trace and stack print to the kernel's log.
 */
#include "linux.h"

#include <linux/debugfs.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/sched/debug.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

/* ---- What is enabled. ---- */

struct watch {
    struct list_head list;
    int id;
    sdt_handler *handler;
    char pattern[128];
};
static LIST_HEAD(watches);
static DEFINE_MUTEX(lock);

int sdt_watch(const char *pattern, sdt_handler *handler, int mode)
{
    struct watch *watch = kzalloc(sizeof(*watch), GFP_KERNEL);

    if (!watch)
        return -ENOMEM;
    strscpy(watch->pattern, pattern, sizeof(watch->pattern));
    watch->handler = handler;
    watch->id = sdt_enable_mode(pattern, handler, NULL, mode);
    if (watch->id < 0) {
        int error = watch->id;

        kfree(watch);
        return error;
    }
    mutex_lock(&lock);
    list_add_tail(&watch->list, &watches);
    mutex_unlock(&lock);
    return watch->id;
}

static int unwatch(int id)
{
    struct watch *watch, *next;
    int error = sdt_disable(id);

    if (error)
        return error;
    mutex_lock(&lock);
    list_for_each_entry_safe(watch, next, &watches, list)
        if (watch->id == id) {
            list_del(&watch->list);
            kfree(watch);
        }
    mutex_unlock(&lock);
    return 0;
}

static int enabled_show(struct seq_file *file, void *unused)
{
    struct watch *watch;

    mutex_lock(&lock);
    list_for_each_entry(watch, &watches, list) {
        seq_printf(file, "%d %s", watch->id, watch->pattern);
        if (watch->handler == SDT_COUNT)
            seq_printf(file, " %llu", sdt_hits(watch->pattern));
        seq_putc(file, '\n');
    }
    mutex_unlock(&lock);
    return 0;
}
DEFINE_SHOW_ATTRIBUTE(enabled);

/* ---- All sites. ---- */

static int show_site(const struct sdt_probe_info *site, void *data)
{
    static const char *const modes[] = {"?", "breakpoint", "on", "off", "blocked"};
    struct seq_file *file = data;
    unsigned int i;

    seq_printf(file, "%s:%s:%s:%s %px %s", site->provider, site->module, site->function ?: "",
               site->name, site->pc, modes[site->mode]);
    if (site->error)
        seq_printf(file, " (%d)", site->error);
    else
        seq_printf(file, " [%10ph]", site->pc);
    for (i = 0; i < site->nargs && site->arg_names[i]; i++)
        seq_printf(file, " %s:%s", site->arg_names[i], site->arg_types[i]);
    seq_putc(file, '\n');
    return 0;
}

static int probes_show(struct seq_file *file, void *unused)
{
    return sdt_foreach("*", show_site, file);
}
DEFINE_SHOW_ATTRIBUTE(probes);

/* ---- Handlers. ---- */

static int print_argument(const struct sdt_event *event, unsigned int i, char *line, size_t size)
{
    const char *type = sdt_arg_type(event, i);
    u64 value = sdt_arg(event, i);
    char text[64];

    if (!strcmp(type, "string")) {
        if (strncpy_from_kernel_nofault(text, (const void *)value, sizeof(text)) < 0)
            strscpy(text, "?", sizeof(text));
        return scnprintf(line, size, " %s=\"%s\"", sdt_arg_name(event, i), text);
    }
    return scnprintf(line, size, strstarts(type, "int") ? " %s=%lld" : " %s=0x%llx",
                     sdt_arg_name(event, i), value);
}

/* Deferred: it may be called with the run queue's lock. */
static void print_event(const struct sdt_event *event, void *unused)
{
    char line[200];
    int n = 0;
    unsigned int i;

    line[0] = '\0';
    for (i = 0; i < sdt_nargs(event); i++)
        n += print_argument(event, i, line + n, sizeof(line) - n);
    printk_deferred(KERN_INFO "sdt: %s:%s in %s()%s\n", sdt_provider(event), sdt_name(event),
                    sdt_function(event), line);
}

static void print_stack(const struct sdt_event *event, void *unused)
{
    print_event(event, unused);
    dump_stack();
}

/* ---- control ---- */

static int obey(char *line)
{
    char *pattern = strsep(&line, " \n"), *what = strsep(&line, " \n"), *how = strsep(&line, " \n");
    int mode = how && !strcmp(how, "breakpoint") ? SDT_MODE_TRAP : SDT_MODE_AUTO, id;

    if (!what)
        return -EINVAL;
    if (!strcmp(pattern, "off"))
        return kstrtoint(what, 10, &id) ?: unwatch(id);
    if (!strcmp(what, "count"))
        return sdt_watch(pattern, SDT_COUNT, mode | SDT_PENDING);
    if (!strcmp(what, "trace"))
        return sdt_watch(pattern, print_event, mode | SDT_PENDING);
    if (!strcmp(what, "stack"))
        return sdt_watch(pattern, print_stack, mode | SDT_PENDING);
    return -EINVAL;
}

static ssize_t write_control(struct file *file, const char __user *from, size_t n, loff_t *at)
{
    char line[128];
    int result;

    if (n >= sizeof(line) || copy_from_user(line, from, n))
        return -EINVAL;
    line[n] = '\0';
    result = obey(line);
    return result < 0 ? result : n;
}

static const struct file_operations control_fops = {.write = write_control};

static int __init start(void)
{
    struct dentry *directory = debugfs_create_dir("sdt", NULL);

    debugfs_create_file("probes", 0400, directory, NULL, &probes_fops);
    debugfs_create_file("enabled", 0400, directory, NULL, &enabled_fops);
    debugfs_create_file("control", 0200, directory, NULL, &control_fops);
    return 0;
}
late_initcall(start);
