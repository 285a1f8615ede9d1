/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * words [-s] [FILE...]: count lines, words and bytes, as wc does.
 *
 * With -s the program turns its own probes on, and reports what they saw: how often each was
 * executed, and the longest line.
 */
#include "count.h"

#include <inttypes.h>
#include <sdt/runtime.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void keep_longest(const struct sdt_event *event, void *data)
{
    uint64_t *longest = data;
    if (sdt_arg(event, 1) > *longest)
        *longest = sdt_arg(event, 1);
}

static void enable(const char *pattern, sdt_handler *handler, void *data)
{
    int subscription = sdt_enable(pattern, handler, data);
    if (subscription < 0) {
        fprintf(stderr, "words: %s: %s\n", pattern, sdt_strerror(subscription));
        exit(1);
    }
}

static int count_file(const char *name)
{
    FILE *stream = strcmp(name, "-") == 0 ? stdin : fopen(name, "r");
    if (!stream) {
        perror(name);
        return 1;
    }
    struct count n = count_stream(stream, name);
    printf("%lu %lu %lu %s\n", n.lines, n.words, n.bytes, name);
    if (stream != stdin)
        fclose(stream);
    return 0;
}

int main(int argc, char **argv)
{
    bool statistics = argc > 1 && strcmp(argv[1], "-s") == 0;
    char *standard_input[] = {"-", NULL};
    char **names = argv + 1 + statistics;
    uint64_t longest = 0;
    int status = 0;

    if (statistics) {
        enable("words", SDT_COUNT, NULL);
        enable("words:line", keep_longest, &longest);
    }
    for (char **name = *names ? names : standard_input; *name; name++)
        status |= count_file(*name);
    if (statistics) {
        printf("words:line %" PRIu64 "\n", sdt_hits("words:line"));
        printf("words:file %" PRIu64 "\n", sdt_hits("words:file"));
        printf("longest line %" PRIu64 "\n", longest);
    }
    return status;
}
