/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kvtool [-w]: a store that is told on standard input what to do: `set KEY VALUE`, `get KEY`.
 *
 * With -w it watches the library at work: each lookup that finds nothing is shown as it happens, by
 * a handler on the library's probe kv:get, and in the end how often each probe was executed.
 */
#include "kv.h"

#include <inttypes.h>
#include <sdt/runtime.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show_miss(const struct sdt_event *event, void *data)
{
    (void)data;
    const char *key = (const char *)(uintptr_t)sdt_arg(event, 0);
    if (sdt_arg(event, 1) == 0)
        printf("%s:%s: no \"%s\"\n", sdt_provider(event), sdt_name(event), key);
}

static void enable(const char *pattern, sdt_handler *handler)
{
    int subscription = sdt_enable(pattern, handler, NULL);
    if (subscription < 0) {
        fprintf(stderr, "kvtool: %s: %s\n", pattern, sdt_strerror(subscription));
        exit(1);
    }
}

static bool execute(struct kv *kv, char *line)
{
    const char *command = strtok(line, " \n");
    const char *key = strtok(NULL, " \n");
    const char *value = strtok(NULL, "\n");
    if (command && key && value && strcmp(command, "set") == 0)
        return kv_set(kv, key, value) == 0;
    if (!command || !key || value || strcmp(command, "get") != 0)
        return false;
    value = kv_get(kv, key);
    printf("%s\n", value ? value : "(nothing)");
    return true;
}

int main(int argc, char **argv)
{
    bool watch = argc > 1 && strcmp(argv[1], "-w") == 0;
    struct kv *kv = kv_open();
    char line[1024];

    if (watch) {
        enable("kv", SDT_COUNT);
        enable("kv:get", show_miss);
    }
    while (kv && fgets(line, sizeof line, stdin))
        if (!execute(kv, line)) {
            fprintf(stderr, "kvtool: set KEY VALUE, or get KEY\n");
            return 1;
        }
    if (!kv)
        return 1;
    if (watch) {
        printf("kv:set %" PRIu64 "\n", sdt_hits("kv:set"));
        printf("kv:get %" PRIu64 "\n", sdt_hits("kv:get"));
        printf("kv:grow %" PRIu64 "\n", sdt_hits("kv:grow"));
    }
    kv_close(kv);
    return 0;
}
