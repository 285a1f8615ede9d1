/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Run the probes of compat_traced.c, linked in or, with a second argument, from a library. With
 * TRACED_WAITS in the environment, when there is a line to read, so that tracers can come first.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#if !defined(DLOPEN)
int traced(int rounds);
#endif

int main(int argc, char **argv)
{
    if (getenv("TRACED_WAITS"))
        (void)getchar();
    int rounds = argc > 1 ? atoi(argv[1]) : 10;
#if defined(DLOPEN)
    void *library = argc > 2 ? dlopen(argv[2], RTLD_NOW) : NULL;
    int (*traced)(int) = library ? (int (*)(int))dlsym(library, "traced") : NULL;

    if (!traced) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
#endif
    printf("looked %d\n", traced(rounds));
    return 0;
}
