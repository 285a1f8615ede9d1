/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which sites an entry of SDT_ENUM_NAMES (enums.h) applies to: by probe, and by the names of its
 * arguments.
 */
#include "args.h"

#include "fields.h"

#include <stdlib.h>

static bool is_integer(char kind)
{
    return kind == 'i' || kind == 'u' || kind == 'x';
}

struct enum_names *args_enum_of(const struct descriptor *d, char kind, const char *name)
{
    for (uint32_t i = 0; is_integer(kind) && i < d->enum_count; i++)
        if (slice_compare(d->enums[i].argument, slice_of(name)) == 0)
            return &d->enums[i];
    return NULL;
}

/* Those that some argument of a site has are of use. */
static void use_enums(const struct descriptor *d)
{
    struct fields fields;
    fields_derive(&fields, d->spelling, d->types, d->nargs);
    for (unsigned i = 0; i < d->nargs; i++) {
        struct enum_names *names = args_enum_of(d, fields.kind[i], fields.name[i]);
        if (names)
            names->is_used = true;
    }
}

/* What SDT_ENUM_NAMES says of a probe. */
struct said {
    struct enum_names *names;
    uint32_t count;
    bool has_sites;
};

void args_attach_enums(struct sites *sites, const struct object *o)
{
    struct said *said = memory_zeroed(sites->probe_count, sizeof *said);
    for (uint32_t p = 0; p < sites->probe_count; p++)
        said[p].names = enums_find(&sites->enums, sites->probes[p].provider, sites->probes[p].name,
                                   &said[p].count);
    for (uint32_t i = 0; i < sites->count; i++) {
        struct site *site = &sites->items[i];
        if (!site->arguments.is_given || !said[site->probe].names)
            continue;
        site->arguments.enums = said[site->probe].names;
        site->arguments.enum_count = said[site->probe].count;
        said[site->probe].has_sites = true;
        use_enums(&site->arguments);
    }
    for (uint32_t p = 0; p < sites->probe_count; p++)
        if (said[p].has_sites)
            enums_report(said[p].names, said[p].count, o);
    free(said);
}
