/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes of <sys/sdt.h>, whose arguments have neither names nor meanings: test_describe.py. */
#include <stdint.h>
#include <sys/sdt.h>

__attribute__((noinline)) static void query(const char *sql, int fd, uint64_t bytes, int state)
{
    STAP_PROBE4(app, query__begin, sql, fd, bytes, state);
}

__attribute__((noinline)) static void block(const void *data, unsigned n, double took, float ratio)
{
    STAP_PROBE5(app, block, data, n, took, ratio, data);
}

__attribute__((noinline)) static void level(long n, unsigned char small)
{
    STAP_PROBE2(app, level, n, small);
}

int main(void)
{
    query("SELECT 1", 3, 4096, 0);
    query(0, -1, UINT64_MAX, 1);
    query((const char *)8, 1 << 30, 0, 7);
    block("abcdef", 3, 0.5, 1.5f);
    block(0, 0, -1e300, -0.25f);
    level(-1, 255);
    level(1, 1);
    return 0;
}
