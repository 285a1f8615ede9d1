/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* A module with probes: an inline one, a plain call, a question, and one in its init. */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <sdt/probe.h>

extern void __dtrace_sdt_demo___call(long a, const char *b);
static struct dentry *file;

static noinline int work(const char *what, int n)
{
    SDT_PROBE(demo, work, SDT_STR(what), n);
    __dtrace_sdt_demo___call(n, what);
    SDT_PROBE_LAZY(demo, lazy, n * 3);
    return n * 2;
}

static int poke(void *data, u64 value)
{
    u64 sum = 0, i;

    for (i = 0; i < value; i++)
        sum += work("poke", i);
    return sum == 42 ? -EIO : 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(poke_fops, NULL, poke, "%llu\n");

static int __init demo_init(void)
{
    SDT_PROBE(demo, init, 7);
    file = debugfs_create_file_unsafe("sdtdemo", 0200, NULL, NULL, &poke_fops);
    return 0;
}
static void __exit demo_exit(void)
{
    debugfs_remove(file);
}
module_init(demo_init);
module_exit(demo_exit);
MODULE_LICENSE("GPL");
