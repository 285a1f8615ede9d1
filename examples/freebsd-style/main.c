/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * resolve PATH...: build a small tree, look each path up in it, and say how it went, three times:
 * by the result, by a handler on the probe that returns, and by the counts of all probes.
 */
#include "namei.h"

#include <inttypes.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <string.h>

static void show_error(const struct sdt_event *event, void *data)
{
    (void)data;
    int error = (int)sdt_arg(event, 0);
    if (error)
        printf("%s:%s:%s:%s: %s\n", sdt_provider(event), sdt_module(event), sdt_function(event),
               sdt_name(event), strerror(error));
}

int main(int argc, char **argv)
{
    static const char *const tree[] = {"/bin/sh", "/etc/rc.d/netif", "/usr/bin/cc"};
    static struct node root;
    struct node *found;

    if (sdt_enable("vfs", SDT_COUNT, NULL) < 0 ||
        sdt_enable("vfs:namei:lookup:return", show_error, NULL) < 0) {
        fprintf(stderr, "resolve: cannot turn the probes on\n");
        return 1;
    }
    for (size_t i = 0; i < sizeof tree / sizeof tree[0]; i++)
        if (namei_create(&root, tree[i]) != 0)
            return 1;
    for (int i = 1; i < argc; i++)
        if (namei_lookup(&root, argv[i], &found) == 0)
            printf("%s: %s\n", argv[i], found->name ? found->name : "/");
    printf("vfs:namei:create:node %" PRIu64 "\n", sdt_hits("vfs:namei:create:node"));
    printf("vfs:namei:lookup:entry %" PRIu64 "\n", sdt_hits("vfs:namei:lookup:entry"));
    printf("vfs:namei:lookup:return %" PRIu64 "\n", sdt_hits("vfs:namei:lookup:return"));
    return 0;
}
