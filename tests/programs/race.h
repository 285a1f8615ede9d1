/* SPDX-License-Identifier: BSD-2-Clause */
/* What race.c needs of the machine: values in registers of each class while a site is executed. */
#ifndef RACE_H
#define RACE_H

#include <sdt/probe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes that a register holds, or several. */
struct race_value {
    uint64_t words[64];
} __attribute__((aligned(64)));

struct race_class {
    const char *name;
    /* Execute a site with as much of VALUE in registers as they hold, then store it to VALUE. */
    void (*hold)(struct race_value *value, uint64_t number);
    bool is_absent;
};

/* Those of this machine; the last one has no name. */
const struct race_class *race_classes(void);
/* Change all that a function may change. */
void race_spoil(void);

#endif
