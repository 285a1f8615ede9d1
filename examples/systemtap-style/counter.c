/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Three probes. The letters are the types of the arguments, N a number and S a string; the generic
 * form finds them out: it is systemtap:refused__3SSN.
 */
#include "counter.h"

#include <sdt/systemtap.h>

int counter_sell(struct counter *counter, const char *buyer, int count)
{
    int left = __atomic_load_n(&counter->left, __ATOMIC_RELAXED);
    SYSTEMTAP_PROBE_NS(asked, count, counter->town);
    do {
        if (left < count) {
            SYSTEMTAP_PROBE(refused, counter->town, buyer, count - left);
            return -1;
        }
    } while (!__atomic_compare_exchange_n(&counter->left, &left, left - count, 0, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    SYSTEMTAP_PROBE_SSNN(sold, counter->town, buyer, count, left - count);
    return left - count;
}
