/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Drawing for people: block characters where the locale has them, # elsewhere; colours only on a
 * terminal, and not with NO_COLOR.
 */
#include "draw.h"

#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 50 };

static unsigned bucket_of(uint64_t ns)
{
    if (ns < 2)
        return 0;
    unsigned octave = 63 - (unsigned)__builtin_clzll(ns);
    unsigned bucket = 2 * octave + (ns >> (octave - 1) & 1);
    return bucket < HISTOGRAM_BUCKETS ? bucket : HISTOGRAM_BUCKETS - 1;
}

static uint64_t lower_bound(unsigned bucket)
{
    uint64_t octave = 1ull << bucket / 2;
    return bucket % 2 ? octave + octave / 2 : octave;
}

void histogram_add(struct histogram *h, uint64_t nanoseconds)
{
    atomic_fetch_add_explicit(&h->bucket[bucket_of(nanoseconds)], 1, memory_order_relaxed);
}

static unsigned long histogram_count(const struct histogram *h)
{
    unsigned long count = 0;
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
        count += h->bucket[i];
    return count;
}

uint64_t histogram_quantile(const struct histogram *h, double fraction)
{
    double left = fraction * (double)histogram_count(h);
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
        left -= (double)h->bucket[i];
        if (left <= 0)
            return lower_bound(i + 1);
    }
    return 0;
}

const char *draw_time(uint64_t ns)
{
    static char text[8][24];
    static unsigned next;
    char *out = text[next++ % 8];
    if (ns < 1000)
        snprintf(out, sizeof text[0], "%u ns", (unsigned)ns);
    else if (ns < 1000000)
        snprintf(out, sizeof text[0], "%.1f us", (double)ns / 1e3);
    else
        snprintf(out, sizeof text[0], "%.1f ms", (double)ns / 1e6);
    return out;
}

static bool has_colours(void)
{
    return isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
}

static bool has_blocks(void)
{
    setlocale(LC_CTYPE, "");
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* A bar of EIGHTHS eighths of a character. */
static void draw_bar(unsigned eighths)
{
    static const char *const part[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    bool blocks = has_blocks();
    if (has_colours())
        printf("\033[36m");
    for (; eighths >= 8; eighths -= 8)
        printf(blocks ? "█" : "#");
    if (blocks)
        printf("%s", part[eighths]);
    if (has_colours())
        printf("\033[0m");
}

void draw_histogram(const char *title, const struct histogram *h)
{
    unsigned long most = 1, left = histogram_count(h), tail = left / 1000;
    unsigned i = 0;
    for (unsigned k = 0; k < HISTOGRAM_BUCKETS; k++)
        most = h->bucket[k] > most ? h->bucket[k] : most;
    printf("\n  %s (%lu)\n", title, left);
    while (i < HISTOGRAM_BUCKETS && h->bucket[i] == 0)
        i++;
    for (; left > tail; i++) {
        printf("  %9s |", draw_time(lower_bound(i)));
        draw_bar((unsigned)(h->bucket[i] * WIDTH * 8 / most));
        printf(" %lu\n", (unsigned long)h->bucket[i]);
        left -= h->bucket[i];
    }
    if (left)
        printf("  %9s | %lu more\n", draw_time(lower_bound(i)), left);
}

void draw_heading(const char *text)
{
    printf(has_colours() ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
}
