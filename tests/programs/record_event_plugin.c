/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two libraries with events of one name and different fields, loaded and unloaded again and again;
 * and, with -DPROGRAM, the program that does so, and has a third.
 */
#include <sdt/event.h>

#if defined(PROGRAM)
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

SDT_EVENT(ev, same, SDT_FIELD(long, round));

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 0;
    for (long i = 0; i < rounds; i++)
        for (int k = 2; k < argc; k++) {
            void *library = dlopen(argv[k], RTLD_NOW);
            void (*run)(long) = library ? (void (*)(long))dlsym(library, "plugin_run") : NULL;
            if (!run) {
                puts(dlerror());
                return 1;
            }
            run(i);
            dlclose(library);
            SDT_RESERVE(ev, same, e);
            if (e)
                e->round = i;
            SDT_COMMIT(ev, same, e);
        }
    return 0;
}
#elif defined(WITH_TEXT)
SDT_EVENT(ev, same, SDT_FIELD(long, round), SDT_FIELD(const char *, text));

void plugin_run(long round)
{
    SDT_RESERVE(ev, same, e);
    if (e) {
        e->round = round;
        e->text = "in the library";
        SDT_COMMIT(ev, same, e);
    }
}
#else
SDT_EVENT(ev, same, SDT_FIELD_ARRAY(short, numbers, 3), SDT_FIELD(long, round));

void plugin_run(long round)
{
    SDT_RESERVE(ev, same, e);
    if (e) {
        while (e->numbers_length < 3)
            e->numbers[e->numbers_length++] = (short)round;
        e->round = round;
        SDT_COMMIT(ev, same, e);
    }
}
#endif
