/* SPDX-License-Identifier: BSD-2-Clause */
/* The same probe with 0 to 12 arguments: argument i has the value base + i. */
#include <sdt/probe.h>

void counts(long a);
void counts(long a)
{
    SDT_PROBE(counts, n);
    SDT_PROBE(counts, n, a);
    SDT_PROBE(counts, n, a, a + 1);
    SDT_PROBE(counts, n, a, a + 1, a + 2);
    SDT_PROBE(counts, n, a, a + 1, a + 2, a + 3);
    SDT_PROBE(counts, n, a, a + 1, a + 2, a + 3, a + 4);
    SDT_PROBE(counts, n, a, a + 1, a + 2, a + 3, a + 4, a + 5);
    SDT_PROBE(counts, n, a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6);
    SDT_PROBE(counts, n, a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7);
    SDT_PROBE(counts, n, a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7, a + 8);
    SDT_PROBE(counts, n, a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7, a + 8, a + 9);
    SDT_PROBE(counts, n, a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7, a + 8, a + 9, a + 10);
    SDT_PROBE(counts, n, a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7, a + 8, a + 9, a + 10,
              a + 11);
    SDT_PROBE(counts, mixed, a);
    SDT_PROBE(counts, mixed, a, (double)a, (char)(a + 1), (float)a + 0.5f);
    SDT_PROBE(counts, mixed, a, (double)a, (char)(a + 1), (float)a + 0.5f, a, (double)a,
              (char)(a + 1));
    SDT_PROBE(counts, mixed, a, (double)a, (char)(a + 1), (float)a + 0.5f, a, (double)a,
              (char)(a + 1), (float)a + 0.5f, a, (double)a);
}
