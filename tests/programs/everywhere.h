/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * EVERYWHERE(name, argument, ...): a probe that the program counts as well, by itself, so that the
 * runtime's count can be compared with one that it has no part in. everywhere.c compares.
 */
#ifndef EVERYWHERE_H
#define EVERYWHERE_H

#include <sdt/probe.h>

struct counter {
    const char *name;
    unsigned long count;
    struct counter *next;
    int is_known;
};

#ifdef __cplusplus
extern "C"
#endif
    void
    everywhere_count(struct counter *counter);

#define EVERYWHERE(name, ...)                                                                      \
    do {                                                                                           \
        static struct counter counter_ = {#name, 0, 0, 0};                                         \
        everywhere_count(&counter_);                                                               \
        SDT_PROBE(everywhere, name, __VA_ARGS__);                                                  \
    } while (0)

#endif
