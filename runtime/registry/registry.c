/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See registry.h. Each object has its own sorted array of sites (registry/index.c); readers find
 * the array through a table of the objects that is replaced as a whole (RCU).
 */
#include "registry.h"

#include "ring/recipe.h"

#include "hit/argument.h"
#include "shared/lower_bound.h"
#include "site/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What readers see: all objects. */
struct map {
    struct map *garbage; /* next map that waits to be freed */
    size_t n;
    struct object *objects[];
};

static _Atomic(struct map *) published;
static struct map *garbage;
static struct object *first;

struct object *registry_objects(void)
{
    return first;
}

void registry_free(struct object *object)
{
    if (!object)
        return;
    free(object->sites);
    free(object->probes);
    free(object->names);
    free(object->by_probe);
    free(object->by_record);
    free(object->semaphores);
    recipe_forget(object);
    free(object->fetch_rooms);
    free(object->path);
    free(object->name);
    free(object);
}

/* Publish a new map of the list `first`, with room reserved by the caller in NEXT. */
static void publish(struct map *next)
{
    next->n = 0;
    for (struct object *o = first; o; o = o->next)
        next->objects[next->n++] = o;
    struct map *old = atomic_exchange_explicit(&published, next, memory_order_acq_rel);
    if (old) {
        old->garbage = garbage;
        garbage = old;
    }
}

/* With room for the objects, and for so many MORE. */
static struct map *new_map(size_t more)
{
    size_t n = more;
    for (const struct object *o = first; o; o = o->next)
        n++;
    return malloc(sizeof(struct map) + n * sizeof(struct object *));
}

int registry_add(struct sdt_dso *dso, struct object **added)
{
    fetch_start();
    struct object *object = calloc(1, sizeof *object);
    struct map *map = new_map(1);
    int error = object && map ? registry_index(object, dso) : -ENOMEM;
    if (error) {
        free(map);
        registry_free(object);
        return error;
    }
    struct object **last = &first;
    while (*last)
        last = &(*last)->next;
    *last = object;
    dso->runtime = object;
    publish(map);
    *added = object;
    return 0;
}

/*
 * Where removed objects had their sites, for traps that are still on their way; for how long is
 * unknown, so it is never forgotten. A library that comes and goes is mostly in one place.
 */
struct departed {
    struct departed *next;
    uintptr_t low, high;
};
static _Atomic(struct departed *) departed;

bool registry_knew(uintptr_t address)
{
    const struct departed *one = atomic_load_explicit(&departed, memory_order_acquire);
    while (one && (address + SDT_MAX_PATCH < one->low || address > one->high + 1))
        one = one->next;
    return one != NULL;
}

/* Without memory for it, such a trap is taken for a foreign one. */
static void note_departure(const struct object *object)
{
    if (object->n == 0 || (registry_knew(object->low) && registry_knew(object->high)))
        return;
    struct departed *one = malloc(sizeof *one);
    if (!one)
        return;
    *one = (struct departed){atomic_load(&departed), object->low, object->high};
    atomic_store_explicit(&departed, one, memory_order_release);
}

struct object *registry_remove(struct sdt_dso *dso)
{
    struct object **link = &first;
    while (*link && (*link)->dso != dso)
        link = &(*link)->next;
    struct object *object = *link;
    if (!object)
        return NULL;
    *link = object->next;
    dso->runtime = NULL;
    note_departure(object); /* while its sites can still be found */
    struct map *map = new_map(0);
    if (map) {
        publish(map);
    } else { /* out of memory: shorten the published one in place; readers scan it linearly */
        struct map *now = atomic_load(&published);
        for (size_t i = 0; i < now->n; i++)
            if (now->objects[i] == object)
                now->objects[i] = NULL;
    }
    return object;
}

void *registry_take_garbage(void)
{
    struct map *taken = garbage;
    garbage = NULL;
    return taken;
}

void registry_free_garbage(void *taken)
{
    struct map *map = taken;
    while (map) {
        struct map *next = map->garbage;
        free(map);
        map = next;
    }
}

/* The last site of OBJECT whose patch byte is at or below ADDRESS, or NULL. */
static struct site *last_below(const struct object *object, uintptr_t address)
{
    size_t low = LOWER_BOUND(i, object->n, object->sites[i].patch <= address);
    return low ? &object->sites[low - 1] : NULL;
}

/* Step back to the record that is responsible for the address of SITE. */
static struct site *responsible(const struct object *object, struct site *site)
{
    while (site > object->sites && site[-1].patch == site->patch)
        site--;
    while (site->is_bad && site + 1 < object->sites + object->n && site[1].patch == site->patch)
        site++;
    return site;
}

/*
 * SITE or one of those before it, if ADDRESS is in it. As many are before it as have room between
 * the first byte of a site and its patch byte: those of one byte may stand side by side.
 */
static struct site *site_around(const struct object *object, struct site *site, uintptr_t address)
{
    for (int tries = 0; site && tries <= SDT_MAX_PATCH + 1; tries++) {
        site = responsible(object, site);
        uintptr_t pc = (uintptr_t)site_pc(site);
        if (!site->is_bad && address >= pc && address < pc + site->form->length)
            return site;
        uintptr_t patch = site->patch;
        while (site > object->sites && site->patch == patch)
            site--;
        site = site->patch == patch ? NULL : site;
    }
    return NULL;
}

struct site *registry_find_trap(uintptr_t address)
{
    const struct map *map = atomic_load_explicit(&published, memory_order_acquire);
    for (size_t i = 0; map && i < map->n; i++) {
        const struct object *object = map->objects[i];
        /* A trap byte is at most one after the patch byte. */
        if (!object || address + SDT_MAX_PATCH < object->low || address > object->high + 1)
            continue;
        struct site *site =
            site_around(object, last_below(object, address + SDT_MAX_PATCH), address);
        if (site)
            return site;
    }
    return NULL;
}
