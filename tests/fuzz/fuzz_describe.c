/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Target: descriptions of probes. Refused with a place in the text; or each name, type and
 * enumerator is within its bounds, and each probe is found by its name.
 */
#include "target.h"

#include <shared/describe.h>
#include <stdlib.h>
#include <string.h>

static bool is_identifier(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return strspn(text, letters) == strlen(text) && *text;
}

static void check_labels(const struct describe_field *field)
{
    target_require(field->label_count <= DESCRIBE_MAX_LABELS, "not too many enumerators");
    for (unsigned i = 0; i < field->label_count; i++) {
        const struct describe_label *label = &field->labels[i];
        size_t length = strlen(label->text);
        target_require(length > 0 && length <= DESCRIBE_MAX_NAME, "an enumerator has a name");
        target_require(describe_label(field, label->value, 8) == label->text,
                       "an enumerator is found by its number");
    }
}

static void check_field(const struct describe_probe *probe, unsigned i)
{
    const struct describe_field *field = &probe->fields[i];
    target_require(!field->name || (is_identifier(field->name) && strcmp(field->name, "_") != 0),
                   "a field's name is an identifier");
    target_require(!field->unit || strlen(field->unit) <= DESCRIBE_MAX_UNIT, "a unit is short");
    target_require(!field->kind || strchr("iuxbpfstyn", field->kind), "a type has a letter");
    target_require(!field->kind || (field->size && strchr("\1\2\4\10", field->size)), "and a size");
    bool is_block = field->kind == 'y' || field->kind == 't';
    bool has_length = i + 1 < probe->count && field[1].kind == 'n';
    target_require(is_block == has_length, "a block and its length go together");
    check_labels(field);
}

static void check_fitting(const struct describe_probe *probe)
{
    static const uint8_t kinds[] = "iuxbpfstyniuxb", sizes[] = {1, 2, 4, 8, 8, 4, 8, 8, 8, 8, 8, 8};
    for (unsigned count = 0; count <= SDT_MAX_ARGS; count++) {
        unsigned fitting = describe_fitting(probe, kinds, sizes, count);
        target_require(fitting >> count == 0, "what fits is an argument");
        for (unsigned i = 0; i < count; i++)
            target_require(!(fitting >> i & 1) || i < probe->count, "and described");
    }
}

static void check(const struct description *description)
{
    target_require(description->count <= DESCRIBE_MAX_PROBES, "not too many probes");
    for (size_t i = 0; i < description->count; i++) {
        const struct describe_probe *probe = &description->probes[i];
        target_require(is_identifier(probe->provider) && is_identifier(probe->name),
                       "a probe's name is an identifier");
        target_require(describe_find(description, probe->provider, probe->name) == probe,
                       "a probe is found");
        target_require(probe->count <= SDT_MAX_ARGS, "not too many fields");
        for (unsigned k = 0; k < probe->count; k++)
            check_field(probe, k);
        check_fitting(probe);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct describe_error error;
    char *text = malloc(size ? size : 1); /* of its own size: AddressSanitizer sees the end */
    target_require(text, "there is memory");
    if (size)
        memcpy(text, data, size);
    struct description *description = describe_parse(text, size, &error);
    target_require(!description == !!error.problem, "a description or an error");
    if (description)
        check(description);
    else
        target_require(error.offset <= size, "an error has a place in the text");
    describe_free(description);
    free(text);
    return 0;
}
