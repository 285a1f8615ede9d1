/* SPDX-License-Identifier: BSD-2-Clause */
/* See side_values.h. */
#include "side_values.h"

#include "trace/metadata.h"

#include <string.h>

/* The type of an argument, as fields of recordings have it. */
static void set_field(struct field *field, const struct compile_argument *argument)
{
    const char *type = argument->type;
    bool is_duration = !strncmp(type, "duration_", 9);
    *field = (struct field){.name = argument->name, .kind = FIELD_UNKNOWN};
    if (is_duration)
        field->unit = type + 9;
    metadata_type(is_duration ? "int64" : !strcmp(type, "string_view") ? "string" : type, field);
    if (argument->unit)
        field->unit = argument->unit;
    field->labels = argument->labels;
    field->label_count = argument->label_count;
}

/* WORD as an integer of FIELD's type, which may be smaller than what the site passes. */
static uint64_t converted(const struct field *field, uint64_t word)
{
    bool is_integer = field->kind == FIELD_SIGNED || field->kind == FIELD_UNSIGNED ||
                      field->kind == FIELD_HEX || field->kind == FIELD_BOOL;
    if (!is_integer || field->size == 0 || field->size >= 8)
        return word;
    uint64_t sign = UINT64_C(1) << (8 * field->size - 1);
    word &= 2 * sign - 1;
    return field->kind == FIELD_SIGNED ? (word ^ sign) - sign : word;
}

static void set_word(struct side_value *kept, uint64_t word)
{
    uint64_t value = converted(&kept->field, word);
    kept->value.natural = kept->field.kind == FIELD_BOOL ? value != 0 : value;
    if (kept->field.kind == FIELD_FLOAT || kept->field.kind == FIELD_DOUBLE)
        memcpy(&kept->value.real, &word, sizeof word);
}

static void set_text(struct side_value *kept, uint64_t word, const char *text)
{
    size_t length = word < LIVE_SIDE_TEXT ? (size_t)word : LIVE_SIDE_TEXT;
    memcpy(kept->text, text, length);
    kept->value.text = (struct slice){kept->text, length};
    if (word == LIVE_SIDE_FAULT || word == LIVE_SIDE_NULL) {
        kept->value.text = slice_of(word == LIVE_SIDE_FAULT ? "<fault>" : "<null>");
    } else if (word > LIVE_SIDE_TEXT && kept->field.kind == FIELD_STRING) {
        memcpy(kept->text + length, SIDE_VALUE_CUT, strlen(SIDE_VALUE_CUT));
        kept->value.text.length += strlen(SIDE_VALUE_CUT);
    }
}

/* Argument I of SIDE, of which PROBE has kept something; TEXT is its text. */
static void set_kept(struct side_value *kept, const struct outlier_probe *probe,
                     const struct live_side *side, size_t i, const char *text)
{
    *kept = (struct side_value){.value = {.natural = 0}};
    set_field(&kept->field, &probe->arguments->list[i]);
    if (kept->field.kind == FIELD_ARRAY) {
        size_t most = LIVE_SIDE_TEXT / kept->field.element_size, count = (uint32_t)side->word[i];
        memcpy(kept->text, text, LIVE_SIDE_TEXT);
        kept->value.text =
            (struct slice){kept->text, (count < most ? count : most) * kept->field.element_size};
    } else if (kept->field.kind == FIELD_STRING || kept->field.kind == FIELD_BYTES)
        set_text(kept, side->word[i], text);
    else
        set_word(kept, side->word[i]);
}

size_t side_values(struct side_value list[SITE_MAX_ARGUMENTS], const struct outlier_probe *probe,
                   const struct live_side *side)
{
    size_t count = 0;
    unsigned texts = 0;
    for (size_t i = 0; probe->arguments && i < probe->arguments->count; i++) {
        unsigned keep = probe->kept >> 4 * i & 15;
        if (keep == LIVE_KEEP_NOTHING)
            continue;
        set_kept(&list[count++], probe, side, i, side->text[texts < LIVE_SIDE_TEXTS ? texts : 0]);
        texts += keep > LIVE_KEEP_WORD;
    }
    return count;
}
