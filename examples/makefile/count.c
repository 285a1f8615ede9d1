/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counting, with two probes of provider `words`:
 *
 *   line(number, length)          a line has ended
 *   file(name, lines, words)      a file has been read
 */
#include "count.h"

#include <ctype.h>
#include <sdt/probe.h>
#include <stdbool.h>

struct count count_stream(FILE *stream, const char *name)
{
    struct count n = {0, 0, 0};
    unsigned long line_start = 0;
    bool in_word = false;
    int c;

    while ((c = getc(stream)) != EOF) {
        n.bytes++;
        if (!isspace(c) && !in_word)
            n.words++;
        in_word = !isspace(c);
        if (c == '\n') {
            n.lines++;
            SDT_PROBE(words, line, n.lines, n.bytes - line_start - 1);
            line_start = n.bytes;
        }
    }
    SDT_PROBE(words, file, name, n.lines, n.words);
    return n;
}
