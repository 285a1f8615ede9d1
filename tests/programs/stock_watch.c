/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Preloaded into a stock binary beside libsdt.so, where no `sdt` can look at it (qemu in user
 * mode): it enables MATCH in MODE, prints the first SHOWN hits, and at the end the mode of each
 * site and how many hits there were.
 */
#include <sdt/runtime.h>
#include <stdio.h>
#include <stdlib.h>

static long hits, shown;
static int id;

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    if (__atomic_add_fetch(&hits, 1, __ATOMIC_RELAXED) > shown)
        return;
    fprintf(stderr, "%s:%s in %s:", sdt_provider(event), sdt_name(event), sdt_function(event));
    for (unsigned i = 0; i < sdt_nargs(event); i++)
        fprintf(stderr, " %lld", (long long)sdt_arg(event, i));
    fputc('\n', stderr);
}

static int show(const struct sdt_probe_info *info, void *data)
{
    (void)data;
    fprintf(stderr, "%s:%s %s\n", info->provider, info->name,
            info->mode == SDT_MODE_JUMP   ? "jump"
            : info->mode == SDT_MODE_TRAP ? "trap"
                                          : "off");
    return 0;
}

static void end(void)
{
    sdt_foreach(getenv("MATCH"), show, NULL);
    int error = sdt_disable(id);
    fprintf(stderr, "%ld hits, %s\n", hits, sdt_strerror(error));
}

__attribute__((constructor)) static void start(void)
{
    shown = atol(getenv("SHOWN"));
    id = sdt_enable_mode(getenv("MATCH"), on_hit, NULL, atoi(getenv("MODE")));
    atexit(end);
}
