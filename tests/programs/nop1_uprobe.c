/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One probe of <sys/sdt.h>, driven through standard input: e(nable), d(isable), h(it it 10 times),
 * w(ait in the handler for another letter, from the next hit on).
 */
#include <sdt/runtime.h>
#include <stdio.h>
#include <sys/sdt.h>

static volatile long hits, wrong;
static volatile int is_waiting;

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    hits++;
    wrong += sdt_arg(event, 0) != 7;
    if (is_waiting) {
        puts("waiting");
        fflush(stdout);
        getchar();
        is_waiting = 0;
    }
}

__attribute__((noinline)) static long work(long n)
{
    volatile long below = n * 2;
    STAP_PROBE1(app, shared, n);
    return below;
}

int main(void)
{
    int id = 0, result = 0;
    for (int c; (c = getchar()) != EOF;) {
        long before = hits;
        if (c == 'e')
            result = id = sdt_enable("app:shared", on_hit, NULL);
        else if (c == 'd')
            result = sdt_disable(id);
        else if (c == 'h')
            for (int i = 0; i < 10; i++)
                wrong += work(7) != 14;
        else if (c == 'w')
            is_waiting = 1;
        else
            continue;
        printf("%d %ld %ld\n", result < 0 ? result : 0, hits - before, wrong);
        fflush(stdout);
    }
    return 0;
}
