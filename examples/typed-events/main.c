/* SPDX-License-Identifier: BSD-2-Clause */
/* blocks N: take N blocks of many sizes from a pool, and give every second one back. */
#include "pool.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static struct pool pool = {.name = "blocks"};
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 10;
    long refused = 0;
    for (long i = 0; i < n; i++) {
        void *memory = pool_get(&pool, (size_t)(i * 37 % 300));
        refused += !memory;
        if (memory && i % 2)
            pool_put(&pool, memory);
    }
    printf("%ld refused, unused: %u %u %u %u\n", refused, pool.counts[0], pool.counts[1],
           pool.counts[2], pool.counts[3]);
    return 0;
}
