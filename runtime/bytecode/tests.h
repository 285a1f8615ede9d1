/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of arguments, at a hit of a program that has no steps: struct quick of compiled.h. */
#ifndef SDT_BYTECODE_TESTS_H
#define SDT_BYTECODE_TESTS_H

#include "compiled.h"

#include "hit/argument.h"

static inline uint64_t tests_argument(const struct sdt_event *event, uint64_t index)
{
    const struct fetch *fetch = event_fetch(event);
    return __builtin_expect(index < fetch->count, 1) ? fetch->get[index](event, index, fetch) : 0;
}

/* In line, what most are. */
static inline bool tests_hold_integer(const struct sdt_event *event, const struct quick_test *test)
{
    return range_has(&test->range, tests_argument(event, test->real[0].argument));
}

/* In tests.c: what executes tests of KIND. */
quick_holds *tests_function(enum quick_kind kind);

/* All but the first, which the caller has tested. */
static inline bool tests_others_hold(const struct sdt_event *event, const struct quick *quick)
{
    for (unsigned i = 1; i < quick->tests; i++)
        if (!quick->test[i].holds(event, &quick->test[i]))
            return false;
    return true;
}

#endif
