/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The index of one object: its records checked, its sites sorted and grouped by probe.
 *
 * Linkers put the records in any order (gold does not keep ours), but nearly always in order of the
 * text: so check first whether sorting is needed. Two records may name one address, when the linker
 * folded identical functions.
 */
#include "registry.h"

#include "hit/argument.h"
#include "module.h"
#include "moved.h"
#include "site/record.h"

#include <arch/machine.h>
#include <arch/operand.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_sites(const void *left, const void *right)
{
    const struct site *a = left, *b = right;
    if (a->patch != b->patch)
        return a->patch < b->patch ? -1 : 1;
    return a->record < b->record ? -1 : a->record > b->record;
}

static void sort_sites(struct object *object)
{
    for (size_t i = 1; i < object->n; i++)
        if (object->sites[i - 1].patch > object->sites[i].patch) {
            qsort(object->sites, object->n, sizeof *object->sites, compare_sites);
            return;
        }
}

static int compare_addresses(const void *left, const void *right)
{
    uintptr_t a = *(const uintptr_t *)left, b = *(const uintptr_t *)right;
    return a < b ? -1 : a > b;
}

/* ---- The probes. ---- */

/* A probe that sites name, by where it is in the object. */
struct named {
    uintptr_t at; /* 0: a free place in the hash table */
    const struct site *first;
    struct probe *probe;
};

struct names {
    struct named *table; /* with more places than names */
    size_t mask, count;
};

static int compare_named(const void *left, const void *right)
{
    const struct named *a = *(struct named *const *)left, *b = *(struct named *const *)right;
    return a->at < b->at ? -1 : a->at > b->at;
}

static enum sdt_access access_of(const struct site *site)
{
    return kind_access(site->kind, site->record->flags);
}

static void begin_probe(struct object *object, struct probe *probe, const struct site *site)
{
    probe->in_file = (struct sdt_probe *)record_target(&site->record->probe);
    probe->access = access_of(site);
    probe->of_index.name = record_name(site->record);
    probe->object = object;
    probe->fetch = fetch_unread;
    atomic_init(&probe->only_fetch, fetch_unread);
}

/* Tie SITE to PROBE, or reject it: all of a probe have one name and one access. */
static void join_probe(struct probe *probe, struct site *site)
{
    site->probe = probe;
    if (access_of(site) != probe->access ||
        strcmp(record_name(site->record), probe->of_index.name) != 0) {
        site->is_bad = true;
        site->error = -EILSEQ;
    }
}

/* Where the probe AT is, or would be. */
static struct named *place_of(const struct names *names, uintptr_t at)
{
    size_t i = (size_t)((at >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & names->mask;
    while (names->table[i].at && names->table[i].at != at)
        i = (i + 1) & names->mask;
    return &names->table[i];
}

static int grow(struct names *names)
{
    struct names bigger = {NULL, names->table ? 2 * names->mask + 1 : 15, names->count};
    bigger.table = calloc(bigger.mask + 1, sizeof *bigger.table);
    if (!bigger.table)
        return -ENOMEM;
    for (size_t i = 0; names->table && i <= names->mask; i++)
        if (names->table[i].at)
            *place_of(&bigger, names->table[i].at) = names->table[i];
    free(names->table);
    *names = bigger;
    return 0;
}

/* SITE names its probe. */
static int take_name(struct names *names, const struct site *site)
{
    uintptr_t at = record_target(&site->record->probe);
    if (2 * names->count > names->mask && grow(names) != 0)
        return -ENOMEM;
    struct named *place = place_of(names, at);
    if (!place->at) {
        *place = (struct named){at, site, NULL};
        names->count++;
    }
    return 0;
}

/* One struct probe for each of NAMES, in order of their places. */
static int begin_probes(struct object *object, const struct names *names)
{
    struct named **sorted = calloc(names->count + 1, sizeof(struct named *));
    size_t n = 0;
    object->probes = calloc(names->count + 1, sizeof *object->probes);
    object->probe_count = names->count;
    for (size_t i = 0; sorted && i <= names->mask; i++)
        if (names->table[i].at)
            sorted[n++] = &names->table[i];
    if (sorted && object->probes) {
        qsort(sorted, n, sizeof(struct named *), compare_named);
        for (size_t i = 0; i < n; i++) {
            sorted[i]->probe = &object->probes[i];
            begin_probe(object, sorted[i]->probe, sorted[i]->first);
        }
    }
    free(sorted);
    return sorted && object->probes ? 0 : -ENOMEM;
}

/* One struct probe for each that a site names. There may be one for all sites, or one for each: so
 * they are hashed, and the sites need not be sorted by them. */
static int make_probes(struct object *object)
{
    struct names names = {0};
    int error = grow(&names);
    for (size_t i = 0; !error && i < object->n; i++)
        if (object->sites[i].of_index.has_probe)
            error = take_name(&names, &object->sites[i]);
    if (!error)
        error = begin_probes(object, &names);
    for (size_t i = 0; !error && i < object->n; i++) {
        struct site *site = &object->sites[i];
        if (site->of_index.has_probe)
            join_probe(place_of(&names, record_target(&site->record->probe))->probe, site);
    }
    free(names.table);
    object->by_probe = calloc(object->n + 1, sizeof(struct site *));
    return error || object->by_probe ? error : -ENOMEM;
}

/* A copy of the names of all probes, in which each is two strings. */
static int name_probes(struct object *object)
{
    size_t size = 1;
    for (size_t i = 0; i < object->probe_count; i++)
        size += strlen(object->probes[i].of_index.name) + 1;
    char *at = object->names = malloc(size);
    for (size_t i = 0; at && i < object->probe_count; i++) {
        struct probe *probe = &object->probes[i];
        size_t length = strlen(probe->of_index.name) + 1;
        memcpy(at, probe->of_index.name, length);
        char *colon = strchr(at, ':');
        *colon = '\0';
        probe->provider = at;
        probe->name = colon + 1;
        at += length;
    }
    return at ? 0 : -ENOMEM;
}

/* Settle who is responsible for an address named twice. */
static void link_sites(struct object *object)
{
    struct site *main_site = NULL;
    for (size_t i = 0; i < object->n; i++) {
        struct site *site = &object->sites[i];
        if (site->is_bad)
            continue;
        if (!main_site || main_site->patch != site->patch) {
            main_site = site;
            site->probe->firing += site_fires(site);
            object->enabled_sites += !site_fires(site);
        } else if (main_site->probe == site->probe &&
                   main_site->record->kind == site->record->kind) {
            site->is_alias = true;
        } else { /* two probes cannot be one instruction: one of the two records lies */
            site->is_bad = true;
            site->error = -EILSEQ;
        }
    }
}

/* A counting sort of the sites by their probes; keeps the order of addresses. */
static void group_sites(struct object *object)
{
    struct site **next = object->by_probe;
    for (size_t i = 0; i < object->n; i++)
        if (object->sites[i].probe && !object->sites[i].is_alias)
            object->sites[i].probe->site_count++;
    for (size_t i = 0; i < object->probe_count; i++) {
        object->probes[i].sites = next;
        next += object->probes[i].site_count;
        object->probes[i].site_count = 0;
    }
    for (size_t i = 0; i < object->n; i++) {
        struct site *site = &object->sites[i];
        if (site->probe && !site->is_alias)
            site->probe->sites[site->probe->site_count++] = site;
    }
}

/* Whether the arguments of SITE are where its descriptor says, and not where a call has them. */
static bool has_operands(const struct site *site)
{
    return !site->is_bad && kind_has_entry(site->record->kind);
}

static const char *descriptor(const struct site *site)
{
    return (const char *)record_target(&site->record->args);
}

/* Whether the arguments of both are in the same places, unless these are variables. */
static bool is_alike(const struct site *a, const struct site *b)
{
    const char *text = descriptor(a), *other = descriptor(b);
    return text && other && (a->kind == SDT_KIND_INLINE) == (b->kind == SDT_KIND_INLINE) &&
           memcmp(&a->args, &b->args, sizeof a->args) == 0 && strcmp(text, other) == 0;
}

/* Sites of functions have all their one argument in the same register. What names a variable is not
 * the same in two sites: each object file has its own distances to it. */
static bool have_one_plan(const struct probe *probe)
{
    const struct site *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < probe->site_count; i++) {
        const struct site *site = probe->sites[i];
        if (site->is_bad || !site_fires(site))
            continue;
        if (!has_operands(site) || (first && !is_alike(first, site)))
            return false;
        first = first ? first : site;
        count++;
    }
    return count == 1 || (count > 1 && !operand_next_symbol(descriptor(first)));
}

/* An event at a call does not know its site; at most probes, arguments of all are fetched alike. */
static void agree_on_arguments(struct probe *probe)
{
    const struct fetch *common = NULL;
    for (size_t i = 0; i < probe->site_count; i++) {
        const struct site *site = probe->sites[i];
        if (site->is_bad || has_operands(site) || !site_fires(site))
            continue;
        if (common && common != site_fetch(site))
            return;
        common = site_fetch(site);
    }
    if (common)
        probe->fetch = common;
}

/* One struct semaphore for each counter; afterwards nothing moves any more. */
static int make_semaphores(struct object *object, const struct image *image)
{
    size_t n = 0, unique = 0;
    for (size_t i = 0; i < object->n; i++)
        n += (object->sites[i].record->flags & SDT_SITE_SEMAPHORE) != 0;
    if (n == 0)
        return 0;
    uintptr_t *counters = calloc(n, sizeof *counters);
    object->semaphores = calloc(n, sizeof *object->semaphores);
    if (!counters || !object->semaphores) {
        free(counters);
        return -ENOMEM;
    }
    n = 0;
    for (size_t i = 0; i < object->n; i++)
        if (!object->sites[i].is_bad && record_semaphore(object->sites[i].record, image))
            counters[n++] = record_semaphore(object->sites[i].record, image);
    if (n)
        qsort(counters, n, sizeof *counters, compare_addresses);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || counters[i - 1] != counters[i])
            object->semaphores[unique++].counter = (uint16_t *)counters[i];
    free(counters);
    for (size_t i = 0; unique && i < object->n; i++) {
        struct site *site = &object->sites[i];
        struct semaphore key = {(uint16_t *)record_semaphore(site->record, image), 0};
        if (!site->is_bad && key.counter)
            site->semaphore =
                bsearch(&key, object->semaphores, unique, sizeof key, compare_addresses);
    }
    return 0;
}

/*
 * Room for what says how arguments are fetched; for many sites, it is memory that is not touched
 * before it is used.
 */
static int make_fetch_rooms(struct object *object)
{
    size_t n = 0;
    for (size_t i = 0; i < object->n; i++) {
        struct site *site = &object->sites[i];
        bool wants_room = has_operands(site) && site->args.count;
        const struct fetch *fetch = wants_room ? fetch_unread : fetch_at_call(&site->args);
        if (!fetch)
            return -ENOMEM;
        atomic_init(&site->of_argument.fetch, fetch);
        n += wants_room ? fetch_words(site->args.count) : 0;
    }
    if (n == 0)
        return 0;
    uint64_t *next = calloc(n, sizeof *next);
    object->fetch_rooms = next;
    for (size_t i = 0; next && i < object->n; i++)
        if (atomic_load(&object->sites[i].of_argument.fetch) == fetch_unread) {
            atomic_init(&object->sites[i].of_argument.room, next);
            next += fetch_words(object->sites[i].args.count);
        }
    return next ? 0 : -ENOMEM;
}

static int index_sites(struct object *object, const struct image *image, const struct moved *moved)
{
    const struct sdt_site *begin = image->sites_begin, *end = image->sites_end;
    if (begin == end)
        return 0;
    size_t size = (uintptr_t)end - (uintptr_t)begin;
    if (!begin || end < begin || (uintptr_t)begin % _Alignof(struct sdt_site) != 0 ||
        size % sizeof *begin != 0 || !image_holds(image, (uintptr_t)begin, size))
        return -EILSEQ;
    object->n = size / sizeof *begin;
    object->records = begin;
    object->sites = calloc(object->n, sizeof *object->sites);
    object->by_record = calloc(object->n, sizeof *object->by_record);
    if (!object->sites || !object->by_record)
        return -ENOMEM;
    for (size_t i = 0; i < object->n; i++) {
        struct site *site = &object->sites[i];
        site->record = &begin[i];
        site->kind = begin[i].kind;
        site->is_companion = begin[i].flags & SDT_SITE_COMPANION;
        object->has_companions |= site->is_companion;
        site->form = machine_form(begin[i].kind);
        site->patch = record_target(&begin[i].pc) + (site->form ? site->form->patch : 0);
        site->of_index.has_probe = record_has_probe(site->record, image);
        site->error =
            site->of_index.has_probe ? record_check(site->record, image, &site->args) : -EILSEQ;
        if (!site->error && moved_from(moved, site->patch))
            site->error = -ESTALE;
        site->is_bad = site->error != 0;
    }
    sort_sites(object);
    for (size_t i = 0; i < object->n; i++)
        object->by_record[object->sites[i].record - begin] = (uint32_t)i;
    object->low = object->sites[0].patch;
    object->high = object->sites[object->n - 1].patch;
    int error = make_fetch_rooms(object);
    return error ? error : make_semaphores(object, image);
}

int registry_index(struct object *object, struct sdt_dso *dso)
{
    struct image image = {0};
    int error = image_of(dso, &image);
    object->dso = dso;
    if (!error) {
        struct moved moved;
        object->annex = image.annex;
        error = moved_open(&moved, &image);
        if (!error)
            error = index_sites(object, &image, &moved);
        free(moved.stayed);
    }
    if (!error)
        error = module_name(object, &image);
    if (!error)
        error = make_probes(object);
    if (!error)
        error = name_probes(object);
    image_free(&image);
    if (error)
        return error;
    link_sites(object);
    group_sites(object);
    for (size_t i = 0; i < object->probe_count; i++) {
        agree_on_arguments(&object->probes[i]);
        object->probes[i].has_one_plan = have_one_plan(&object->probes[i]);
    }
    return 0;
}
