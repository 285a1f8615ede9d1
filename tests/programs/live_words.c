/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live_words N: hits words:word N times, with the address of a word in a line, which no NUL ends,
 * how long it is, an address that cannot be read, and the word as text.
 */
#include <sdt/probe.h>
#include <stdlib.h>

static const char line[] = "GET PUT POST DELETE";
static const size_t begin[] = {0, 4, 8, 13}, length[] = {3, 3, 4, 6};

static __attribute__((noinline)) void word(const void *at, size_t size, const void *nowhere)
{
    const char *text = at;
    SDT_PROBE(words, word, at, size, nowhere, SDT_TEXT(text, size));
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10;
    for (int i = 0; i < n; i++)
        word(line + begin[i % 4], length[i % 4], (const void *)4096);
    return 0;
}
