/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tickets [MODULE]: two threads sell tickets. Meanwhile the module, which knows the probes by name
 * and types only, is loaded, unloaded and loaded again, without a word between it and the threads.
 */
#include "counter.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

enum { EACH = 30000 };

static struct counter counters[] = {{"Oslo", EACH}, {"Bergen", 3}};

static void *sell(void *buyer)
{
    for (int i = 0; i < EACH / 2; i++)
        counter_sell(&counters[0], buyer, 1);
    return NULL;
}

/* Load the module, sell tickets that it sees, and unload it: its code is gone. */
static int look(const char *module)
{
    void *handle = dlopen(module, RTLD_NOW);
    if (!handle) {
        fprintf(stderr, "tickets: %s\n", dlerror());
        return -1;
    }
    counter_sell(&counters[1], "ann", 1);
    counter_sell(&counters[1], "bob", 9);
    return dlclose(handle);
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    static char bert[] = "bert", cleo[] = "cleo";
    int result = 0;

    pthread_create(&threads[0], NULL, sell, bert);
    pthread_create(&threads[1], NULL, sell, cleo);
    for (int i = 0; argc > 1 && i < 2 && result == 0; i++)
        result = look(argv[1]);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    counter_sell(&counters[1], "untraced", 1);
    for (int i = 0; i < 2; i++)
        printf("%s: %d left\n", counters[i].town, counters[i].left);
    return result != 0;
}
