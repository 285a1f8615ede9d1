/* SPDX-License-Identifier: BSD-2-Clause */
/* CHECK(condition): say where a test fails, go on, and let main() return check_failures != 0. */
#ifndef UNIT_CHECK_H
#define UNIT_CHECK_H

#include <stdio.h>

static int check_failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                         \
            check_failures++;                                                                      \
        }                                                                                          \
    } while (0)

#endif
