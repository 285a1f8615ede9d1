/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two sites that the linker puts far from the stubs (test_machine_runtime.py): what becomes of the
 * first one by a jump, how both are armed by default, and what they hit.
 */
#include <sdt/probe.h>
#include <sdt/runtime.h>

#include <stdio.h>

#define FAR __attribute__((noinline, section(".far")))

extern void __dtrace_sdt_p___left(unsigned long number);

static FAR int far(int a)
{
    SDT_PROBE(p, far, a);
    return a + 1;
}

static FAR void leave(int a)
{
    __dtrace_sdt_p___left((unsigned long)a);
}

static void on(const struct sdt_event *event, void *data)
{
    (void)data;
    printf("%s %d\n", sdt_name(event), (int)sdt_arg(event, 0));
}

static int show(const struct sdt_probe_info *site, void *data)
{
    (void)data;
    printf("%s mode %d\n", site->name, site->mode);
    return 0;
}

int main(void)
{
    int id = sdt_enable_mode("p:far", on, NULL, SDT_MODE_JUMP);
    printf("by jump: %s\n", id > 0 ? "armed" : sdt_strerror(id));
    if (id > 0)
        sdt_disable(id);
    printf("by default: %s\n", sdt_enable("p:*", on, NULL) > 0 ? "armed" : "refused");
    sdt_foreach("p:*", show, NULL);
    printf("%d\n", far(6));
    leave(8);
    return 0;
}
