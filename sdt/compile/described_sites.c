/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See described_sites.h. The process knows nothing of descriptions: it gives the arguments as they
 * are, and programs convert them. The rules are those of the recorder (runtime/ring/described.c).
 */
#include "described_sites.h"

#include "base/described.h"
#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

static struct {
    const char *path;
    struct description *description;
    bool is_used, has_looked;
} all;

int described_sites_read(const char *path)
{
    all.path = path;
    return path ? described_read(path, &all.description) : 0;
}

void described_sites_warn(void)
{
    if (all.description && all.has_looked && !all.is_used)
        diag_warn(&(struct diag_place){.file = all.path}, "describes none of the probes that match",
                  "names are those of sdt list: provider:name");
}

void described_sites_free(void)
{
    describe_free(all.description);
    all.description = NULL;
}

/* ---- Names. ---- */

static bool has_distinct_names(const struct site_arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(arguments->list[i].name, arguments->list[k].name))
                return false;
    return true;
}

/* All or none: one that is described may be called as another is that is not. */
static void take_names(const struct describe_probe *probe, struct site_arguments *arguments)
{
    struct compile_argument before[SITE_MAX_ARGUMENTS];
    memcpy(before, arguments->list, sizeof before);
    for (size_t i = 0; i < probe->count && i < arguments->count; i++)
        if (probe->fields[i].name)
            arguments->list[i].name = probe->fields[i].name;
    if (!has_distinct_names(arguments))
        memcpy(arguments->list, before, sizeof before);
}

/* ---- Types. ---- */

/* Kind and size of what a site passes; those of arrays and views fit no description. */
static void kind_of(const struct compile_argument *argument, uint8_t *kind, uint8_t *size)
{
    struct describe_field field = {.kind = 0};
    if (!strncmp(argument->type, "duration_", 9))
        field = (struct describe_field){.kind = 'i', .size = 8};
    else if (!describe_set_type(&field, argument->type, strlen(argument->type)))
        field.kind = 'a';
    *kind = field.kind;
    *size = field.size;
}

static void take_type(const struct describe_field *field, struct compile_argument *argument)
{
    if (field->kind) {
        argument->type = describe_type(field->kind, field->size);
        argument->is_converted = strchr("iuxb", field->kind) != NULL && field->size < 8;
    }
    if (field->unit)
        argument->unit = field->unit;
    if (field->label_count) {
        argument->labels = field->labels;
        argument->label_count = field->label_count;
    }
}

static void describe(const struct describe_probe *probe, struct site_arguments *arguments)
{
    uint8_t kinds[SITE_MAX_ARGUMENTS], sizes[SITE_MAX_ARGUMENTS];
    take_names(probe, arguments);
    for (size_t i = 0; i < arguments->count; i++)
        kind_of(&arguments->list[i], &kinds[i], &sizes[i]);
    unsigned fitting = describe_fitting(probe, kinds, sizes, (unsigned)arguments->count);
    for (size_t i = 0; i < probe->count && i < arguments->count; i++)
        if (fitting >> i & 1)
            take_type(&probe->fields[i], &arguments->list[i]);
}

struct site_arguments *described_sites_arguments(const struct live_site *site)
{
    struct site_arguments *arguments = site_arguments_read(site->arguments);
    const struct describe_probe *probe = describe_find(all.description, site->provider, site->name);
    all.has_looked = true;
    if (probe) {
        describe(probe, arguments);
        all.is_used = true;
    }
    return arguments;
}
