/* SPDX-License-Identifier: BSD-2-Clause */
/* See describe.h: what is made of descriptions. describe_parse.c reads them. */
#include "describe.h"

#include "lower_bound.h"

#include <stdlib.h>
#include <string.h>

/* ---- types ---- */

static const struct {
    const char *name;
    char kind;
    uint8_t size;
} types[] = {
    {"int8", 'i', 1},   {"int16", 'i', 2},   {"int32", 'i', 4},  {"int64", 'i', 8},
    {"uint8", 'u', 1},  {"uint16", 'u', 2},  {"uint32", 'u', 4}, {"uint64", 'u', 8},
    {"hex8", 'x', 1},   {"hex16", 'x', 2},   {"hex32", 'x', 4},  {"hex64", 'x', 8},
    {"bool", 'b', 1},   {"pointer", 'p', 8}, {"float", 'f', 4},  {"double", 'f', 8},
    {"string", 's', 8}, {"bytes", 'y', 8},   {"length", 'n', 8}, {"string", 't', 8},
};
enum { TYPES = sizeof types / sizeof types[0] };

const char *describe_type(uint8_t kind, uint8_t size)
{
    for (size_t i = 0; i < TYPES; i++)
        if (types[i].kind == (char)kind && (types[i].size == size || strchr("bpstyn", kind)))
            return types[i].name;
    return "uint64";
}

bool describe_set_type(struct describe_field *field, const char *name, size_t length)
{
    for (size_t i = 0; i < TYPES; i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, name, length) == 0) {
            field->kind = (uint8_t)types[i].kind;
            field->size = types[i].size;
            return true;
        }
    return false;
}

/* ---- descriptions ---- */

int describe_compare(const struct describe_probe *probe, const char *provider, const char *name)
{
    int order = strcmp(probe->provider, provider);
    return order ? order : strcmp(probe->name, name);
}

void describe_free(struct description *description)
{
    if (!description)
        return;
    free(description->probes);
    free(description->labels);
    free(description->strings);
    free(description);
}

const struct describe_probe *describe_find(const struct description *description,
                                           const char *provider, const char *name)
{
    const struct describe_probe *probes = description ? description->probes : NULL;
    size_t count = description ? description->count : 0;
    size_t i = LOWER_BOUND(k, count, describe_compare(&probes[k], provider, name) < 0);
    return i < count && describe_compare(&probes[i], provider, name) == 0 ? &probes[i] : NULL;
}

/* ---- sites ---- */

/* Of one argument; a block and its length have to agree among each other. */
static bool fits(const struct describe_field *field, uint8_t kind, uint8_t size)
{
    if (!field->kind)
        return true;
    if (strchr("tynam", kind)) /* this is described well enough */
        return field->kind == kind;
    if (field->kind == 'f')
        return kind == 'f' || (field->size == 8 && size == 8);
    if (strchr("styp", field->kind))
        return kind != 'f' && size == 8;
    return kind != 'f';
}

unsigned describe_fitting(const struct describe_probe *probe, const uint8_t *kinds,
                          const uint8_t *sizes, unsigned count)
{
    unsigned fitting = 0;
    for (unsigned i = 0; i < probe->count && i < count; i++) {
        const struct describe_field *field = &probe->fields[i];
        bool is_block = field->kind == 'y' || field->kind == 't';
        bool is_right = fits(field, kinds[i], sizes[i]);
        if (is_block)
            is_right = is_right && i + 1 < count && fits(field + 1, kinds[i + 1], sizes[i + 1]);
        if (field->kind == 'n')
            is_right = is_right && i > 0 && (fitting >> (i - 1) & 1);
        fitting |= (unsigned)is_right << i;
    }
    return fitting;
}

const char *describe_label(const struct describe_field *field, uint64_t value, unsigned size)
{
    uint64_t mask = size >= 8 ? UINT64_MAX : ((uint64_t)1 << size * 8) - 1;
    for (unsigned i = 0; i < field->label_count; i++)
        if (((field->labels[i].value ^ value) & mask) == 0)
            return field->labels[i].text;
    return NULL;
}
