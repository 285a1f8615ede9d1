/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A set of records made by hand, for text in the same image, so that 32-bit distances reach: all of
 * one probe, which is called the_probe in assembly as well.
 */
#ifndef UNIT_IMAGE_H
#define UNIT_IMAGE_H

#include <registry/registry.h>
#include <stddef.h>
#include <stdint.h>

struct sdt_probe the_probe __attribute__((aligned(64)));
static struct sdt_dso dso;

static int32_t distance(const volatile void *to, const void *field)
{
    return (int32_t)((intptr_t)to - (intptr_t)field);
}

/* PATCH: how many bytes after the site's first one is the one that changes. */
static void fill_in(struct sdt_site *record, uint8_t kind, const volatile uint8_t *site,
                    unsigned patch, const volatile uint8_t *stub)
{
    record->kind = kind;
    record->pc = distance(site, &record->pc);
    record->patch = distance(site + patch, &record->patch);
    record->probe = distance(&the_probe, &record->probe);
    record->stub = distance(stub, &record->stub);
}

/* The probe is unit:probe, and the set has N records. */
static void fill_in_set(const struct sdt_site *records, size_t n)
{
    static const char provider[] = "unit", name[] = "probe";
    the_probe.provider = distance(provider, &the_probe.provider);
    the_probe.name = distance(name, &the_probe.name);
    dso.magic = SDT_FORMAT_MAGIC;
    dso.version = SDT_FORMAT_VERSION;
    dso.size = sizeof dso;
    dso.sites_begin = distance(records, &dso.sites_begin);
    dso.sites_end = distance(records + n, &dso.sites_end);
}

#endif
