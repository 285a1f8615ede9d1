/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The binary search of this repository. bsearch() finds an equal item; most searches here want the
 * place where one would be, as the last symbol that starts at or before an address.
 *
 *     size_t after = LOWER_BOUND(i, count, symbols[i].address <= address);
 *     return after ? &symbols[after - 1] : NULL;
 */
#ifndef SDT_LOWER_BOUND_H
#define SDT_LOWER_BOUND_H

#include <stddef.h>

/*
 * The first I from 0 on for which IS_BEFORE, an expression with I in it, does not hold; COUNT: it
 * holds for all of them. It holds for none after one for which it does not hold.
 */
#define LOWER_BOUND(i, count, is_before)                                                           \
    ({                                                                                             \
        size_t low_ = 0, high_ = (count);                                                          \
        while (low_ < high_) {                                                                     \
            size_t i = low_ + (high_ - low_) / 2; /* NOLINT(bugprone-macro-parentheses) */         \
            if (is_before)                                                                         \
                low_ = (i) + 1;                                                                    \
            else                                                                                   \
                high_ = i;                                                                         \
        }                                                                                          \
        low_;                                                                                      \
    })

#endif
