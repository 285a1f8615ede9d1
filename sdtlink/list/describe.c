/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `sdtlink list --describe=FILE`: a user's descriptions of the arguments of probes
 * (sdt-describe(5)), added to what the sites hold.
 */
#include "args.h"
#include "base/described.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/probe_label.h"
#include "site.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What the arguments of a site are without the description. */
struct own {
    uint8_t kinds[SDT_MAX_ARGS], sizes[SDT_MAX_ARGS];
    unsigned count;
};

/* `-4@%edi`: a sign, a size, perhaps f or p. A note may have an operand only: a word, it seems. */
static void read_type(struct own *own, const char *text, const struct list_field *field)
{
    bool is_signed = *text == '-';
    const char *at = text + is_signed;
    bool has_size = *at && strchr("1248", *at) && at[1] && strchr("@fp", at[1]);
    own->sizes[own->count] = has_size ? (uint8_t)(*at - '0') : 8;
    own->kinds[own->count] = field->kind                ? (uint8_t)field->kind
                             : has_size && at[1] == 'f' ? 'f'
                             : has_size && at[1] == 'p' ? 'p'
                             : has_size && is_signed    ? 'i'
                                                        : 'u';
    own->count++;
}

static void read_own(const struct list_site *site, struct own *own)
{
    const char *fields = site->fields;
    *own = (struct own){.count = 0};
    struct note_args rest;
    struct slice argument;
    const char *args = site->args ? site->args : "";
    note_args_begin(&rest, args, strlen(args));
    while (own->count < SDT_MAX_ARGS && list_next_argument(&rest, &argument)) {
        struct list_field field = list_next_field(&fields, argument.text);
        read_type(own, argument.text, &field);
    }
}

static void warn(const char *path, const struct list_site *site, const char *problem)
{
    char *probe = probe_label(slice_of(site->provider), slice_of(site->name));
    char *text = memory_format("%s: %s", probe, problem);
    free(probe);
    diag_warn(&(struct diag_place){.file = path}, text, NULL);
    free(text);
}

/* Say once for each probe what its sites cannot have. */
static void compare(const char *path, const struct list_site *site, const struct own *own)
{
    const struct describe_probe *probe = site->described;
    char *problem = NULL;
    if (probe->count > own->count)
        problem = memory_format("%u fields are described; arguments: %u", probe->count, own->count);
    for (unsigned i = 0; !problem && i < probe->count; i++)
        if (!(site->described_types >> i & 1))
            problem = memory_format("argument %u cannot be %s: it is %s", i,
                                    describe_type(probe->fields[i].kind, probe->fields[i].size),
                                    describe_type(own->kinds[i], own->sizes[i]));
    if (problem)
        warn(path, site, problem);
    free(problem);
}

void list_describe(struct list *list, const struct description *description, const char *path)
{
    bool *seen = memory_zeroed(description->count + 1, sizeof *seen), is_any = false;
    for (size_t i = 0; i < list->count; i++) {
        struct list_site *site = &list->sites[i];
        struct own own;
        site->described = site->provider && site->name && !list_is_question(site)
                              ? describe_find(description, site->provider, site->name)
                              : NULL;
        if (!site->described)
            continue;
        read_own(site, &own);
        site->described_types = describe_fitting(site->described, own.kinds, own.sizes, own.count);
        size_t number = (size_t)(site->described - description->probes);
        if (!seen[number])
            compare(path, site, &own);
        seen[number] = is_any = true;
    }
    if (list->count && !is_any)
        diag_warn(&(struct diag_place){.file = path}, "describes no probe of these files",
                  "a probe is described as provider:name, without patterns");
    free(seen);
}

struct list_field list_field_of(const struct list_site *site, unsigned index, const char **fields,
                                const char *type)
{
    struct list_field field = list_next_field(fields, type);
    const struct describe_probe *probe = site->described;
    if (!probe || index >= probe->count)
        return field;
    const struct describe_field *as = &probe->fields[index];
    if (as->name)
        field.name = slice_of(as->name);
    if (!(site->described_types >> index & 1))
        return field;
    if (as->kind) {
        field.type = describe_type(as->kind, as->size);
        field.kind = (char)as->kind;
        field.is_hidden = as->kind == 'n';
    }
    field.described = as;
    return field;
}

char *list_label_value(const struct describe_field *field, unsigned index)
{
    uint64_t value = field->labels[index].value;
    bool is_unsigned = field->kind == 'u' || field->kind == 'x';
    return is_unsigned ? memory_format("%" PRIu64, value)
                       : memory_format("%" PRId64, (int64_t)value);
}

struct describe_field list_details(const struct list_field *field, void **memory)
{
    struct describe_field details = {.kind = (uint8_t)field->kind};
    struct describe_label *labels = NULL;
    unsigned count = 0;
    if (field->described)
        details = *field->described;
    if (!details.label_count)
        labels = describe_read_labels(field->labels, &count);
    if (count) {
        details.kind = (uint8_t)field->kind;
        details.labels = labels;
        details.label_count = (uint16_t)count;
    }
    *memory = labels;
    return details;
}

void list_append_details(struct bytes *text, const struct list_field *field)
{
    void *memory;
    struct describe_field as = list_details(field, &memory);
    for (unsigned i = 0; i < as.label_count; i++) {
        char *value = list_label_value(&as, i);
        char *label = memory_format("%s%s %s", i ? ", " : " {", value, as.labels[i].text);
        bytes_append(text, label, strlen(label));
        free(label);
        free(value);
    }
    if (as.label_count)
        bytes_append(text, "}", 1);
    if (as.unit) {
        bytes_append(text, " ", 1);
        bytes_append(text, as.unit, strlen(as.unit));
    }
    free(memory);
}
