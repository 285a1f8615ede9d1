/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lru FRAMES: a page cache with least-recently-used replacement. Page numbers come from standard
 * input; the hit rate is printed. Probes of provider `lru`:
 *
 *   hit(page)                  the page was there
 *   miss(page, frame)          it had to be brought into this frame
 *   evict(page, age)           ... which held this page, last used `age` references ago
 *
 * The program's own count of hits and misses is printed beside that of the probes.
 */
#include <inttypes.h>
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES_MAX = 1024 };

struct cache {
    int frames;
    unsigned long clock, hits, misses;
    struct {
        long page;
        unsigned long used; /* value of clock at the last reference; 0: the frame is empty */
    } frame[FRAMES_MAX];
};

static int find(const struct cache *cache, long page)
{
    for (int i = 0; i < cache->frames; i++)
        if (cache->frame[i].used && cache->frame[i].page == page)
            return i;
    return -1;
}

/* An empty frame, or the one whose last use is the longest ago. */
static int choose_victim(const struct cache *cache)
{
    int victim = 0;
    for (int i = 1; i < cache->frames; i++)
        if (cache->frame[i].used < cache->frame[victim].used)
            victim = i;
    return victim;
}

static void reference(struct cache *cache, long page)
{
    int i = find(cache, page);
    cache->clock++;
    if (i >= 0) {
        cache->hits++;
        SDT_PROBE(lru, hit, page);
    } else {
        cache->misses++;
        i = choose_victim(cache);
        SDT_PROBE(lru, miss, page, i);
        if (cache->frame[i].used)
            SDT_PROBE(lru, evict, cache->frame[i].page, cache->clock - cache->frame[i].used);
        cache->frame[i].page = page;
    }
    cache->frame[i].used = cache->clock;
}

int main(int argc, char **argv)
{
    static struct cache cache;
    long page;

    cache.frames = argc == 2 ? atoi(argv[1]) : 0;
    if (cache.frames < 1 || cache.frames > FRAMES_MAX) {
        fprintf(stderr, "usage: lru FRAMES (1..%d) <PAGE-NUMBERS\n", FRAMES_MAX);
        return 2;
    }
    int subscription = sdt_enable("lru", SDT_COUNT, NULL);
    if (subscription < 0) {
        fprintf(stderr, "lru: %s\n", sdt_strerror(subscription));
        return 1;
    }
    while (scanf("%ld", &page) == 1)
        reference(&cache, page);
    printf("%lu hits, %lu misses\n", cache.hits, cache.misses);
    printf("lru:hit %" PRIu64 "\n", sdt_hits("lru:hit"));
    printf("lru:miss %" PRIu64 "\n", sdt_hits("lru:miss"));
    printf("lru:evict %" PRIu64 "\n", sdt_hits("lru:evict"));
    return 0;
}
