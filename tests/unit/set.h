/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One probe, unit:probe, of calls and of inline sites, with a set of records made by hand; beside
 * the text of their sites in one image, so that 32-bit distances reach.
 */
#ifndef UNIT_SET_H
#define UNIT_SET_H

#include "check.h"

#include <arch/machine.h>
#include <registry/registry.h>

static const char name[] = "unit:probe";
struct sdt_probe the_probe, the_inline_probe;
static struct sdt_dso dso;

static int32_t distance(const volatile void *to, const void *field)
{
    return (int32_t)((intptr_t)to - (intptr_t)field);
}

/* RECORD is of SITE, which leads to STUB. */
static void fill_in(struct sdt_site *record, uint8_t kind, const volatile uint8_t *site,
                    const volatile uint8_t *stub)
{
    record->kind = kind;
    record->pc = distance(site, &record->pc);
    record->probe = distance(kind_has_entry(kind) ? &the_inline_probe : &the_probe, &record->probe);
    record->stub = distance(stub, &record->stub);
    record->name = distance(name, &record->name);
}

/* The set has the N RECORDS. */
static void fill_in_set(const struct sdt_site *records, size_t n)
{
    dso.magic = SDT_FORMAT_MAGIC;
    dso.version = SDT_FORMAT_VERSION;
    dso.size = sizeof dso;
    dso.sites_begin = distance(records, &dso.sites_begin);
    dso.sites_end = distance(records + n, &dso.sites_end);
}

/* The index of the set of N records. */
static inline struct object *add_set(size_t n)
{
    struct object *object = NULL;
    CHECK(registry_add(&dso, &object) == 0 && object->n == n);
    return object;
}

static inline void remove_set(struct object *object)
{
    CHECK(registry_remove(&dso) == object);
    registry_free(object);
    registry_free_garbage(registry_take_garbage());
}

#endif
