/* SPDX-License-Identifier: BSD-2-Clause */
/* A library that is loaded and unloaded again and again while its probes are recorded; and, with
 * -DPROGRAM, the program that does so. */
#include <sdt/probe.h>

#ifdef PROGRAM
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 0;
    for (long i = 0; i < rounds; i++)
        for (int k = 2; k < argc; k++) {
            void *library = dlopen(argv[k], RTLD_NOW);
            void (*run)(long, int) =
                library ? (void (*)(long, int))dlsym(library, "plugin_run") : NULL;
            if (!run) {
                puts(dlerror());
                return 1;
            }
            run(i, k);
            SDT_PROBE(rec, between, i, k);
            dlclose(library);
        }
    return 0;
}
#else
void plugin_run(long i, int k)
{
    SDT_PROBE(rec, plugin, i, k, "text in the library");
    SDT_PROBE(rec, tick, i, k);
}
#endif
