/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See place.h. Code is mapped with its final protection, and written like text (text.h), so that no
 * page is ever writable and executable.
 *
 * For a library, the address that the kernel chooses is near enough, since it places each mapping
 * below the last. For a program it is too far away. Then the code is put at ever larger distances
 * below the program, or above it if there is no room; the heap is there, and is left as much room
 * as branches allow.
 */
#define _GNU_SOURCE
#include "place.h"

#include "process/loaded.h"

#include <arch/machine.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

size_t stock_whole_pages(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (size + page - 1) & -page;
}

static bool can_reach(const struct stock_place *place, uintptr_t low, uintptr_t high)
{
    uintptr_t end = place->at + place->code, all = end + place->data;
    uintptr_t first = place->at < low ? place->at : low, last = all > high ? all : high;
    return machine_can_reach(place->at, place->first) &&
           machine_can_reach(place->at, place->last) && machine_can_reach(end, place->first) &&
           machine_can_reach(end, place->last) &&
           last - first <= INT32_MAX; /* 32 bits hold the distance of any two addresses */
}

/* Map it at AT, or, if that is 0, where the kernel chooses. False: not there, or too far away. */
static bool map_at(struct stock_place *place, uintptr_t at, uintptr_t low, uintptr_t high)
{
    size_t size = place->code + place->data;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0);
    void *got = mmap((void *)at, size, PROT_READ | PROT_EXEC, flags, -1, 0);
    if (got == MAP_FAILED)
        return false;
    place->at = (uintptr_t)got;
    void *data = (void *)(place->at + place->code);
    if ((!at || place->at == at) && can_reach(place, low, high) &&
        (!place->data || mprotect(data, place->data, PROT_READ | PROT_WRITE) == 0))
        return true;
    munmap(got, size);
    place->at = 0;
    return false;
}

int stock_place_map(struct stock_place *place)
{
    const uintptr_t lowest = 0x10000, step = 0x10000, heap = SITE_REACH / 2;
    uintptr_t size = place->code + place->data, low, high;
    loaded_extent(place->object, 0, &low, &high); /* no place between its pages is used */
    low &= -(uintptr_t)sysconf(_SC_PAGESIZE);
    high = stock_whole_pages(high);
    if (map_at(place, 0, low, high))
        return 0;
    for (uintptr_t away = 0; away < SITE_REACH; away = away ? away * 2 : step) {
        if (low > lowest + size + away && map_at(place, low - size - away, low, high))
            return 0;
        if (map_at(place, high + heap + away, low, high))
            return 0;
    }
    return -EADDRINUSE;
}

void stock_place_unmap(const struct stock_place *place)
{
    munmap((void *)place->at, place->code + place->data);
}
