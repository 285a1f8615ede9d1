/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * concord [-s] [LIMIT]: the most frequent words of standard input. With -s also how often each
 * probe was run, on standard error: that is what sdt_enable() and the runtime are for.
 */
#include "report.h"
#include "table.h"
#include "tokens.h"

#include <sdt/runtime.h>
#include <stdlib.h>
#include <string.h>

static const char *const probes[] = {"tokens:word", "tokens:stop", "table:insert", "table:grow",
                                     "concord:report"};
enum { PROBES = sizeof probes / sizeof *probes };

static void watch(void)
{
    for (int i = 0; i < PROBES; i++) {
        int subscription = sdt_enable(probes[i], SDT_COUNT, NULL);
        if (subscription < 0)
            fprintf(stderr, "%s: %s\n", probes[i], sdt_strerror(subscription));
    }
}

int main(int argc, char **argv)
{
    char word[TOKEN_MAX];
    int shows = argc > 1 && !strcmp(argv[1], "-s");
    argc -= shows;
    argv += shows;
    if (shows)
        watch();
    while (tokens_next(stdin, word))
        if (table_add(word) != 0)
            return 1;
    report(argc > 1 ? (unsigned)atoi(argv[1]) : 3);
    for (int i = 0; shows && i < PROBES; i++)
        fprintf(stderr, "%s %d\n", probes[i], (int)sdt_hits(probes[i]));
    return 0;
}
