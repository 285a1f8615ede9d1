/* SPDX-License-Identifier: BSD-2-Clause */
/* See outliers.h: printing. Values look as sdt report shows them. */
#include "base/json.h"
#include "outliers.h"
#include "print/label.h"
#include "print/text.h"
#include "trace/metadata.h"
#include "trace/value_text.h"

#include <string.h>

/* What was cut off ends in this. */
#define CUT "\xe2\x80\xa6"

/* A value that was kept. */
struct kept {
    struct field field;
    struct value value;
    char text[LIVE_SIDE_TEXT + sizeof CUT];
};

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

static void set_word(struct kept *kept, uint64_t word)
{
    uint64_t value = converted(&kept->field, word);
    kept->value.natural = kept->field.kind == FIELD_BOOL ? value != 0 : value;
    if (kept->field.kind == FIELD_FLOAT || kept->field.kind == FIELD_DOUBLE)
        memcpy(&kept->value.real, &word, sizeof word);
}

static void set_text(struct kept *kept, uint64_t word, const char *text)
{
    size_t length = word < LIVE_SIDE_TEXT ? (size_t)word : LIVE_SIDE_TEXT;
    memcpy(kept->text, text, length);
    kept->value.text = (struct slice){kept->text, length};
    if (word == LIVE_SIDE_FAULT || word == LIVE_SIDE_NULL) {
        kept->value.text = slice_of(word == LIVE_SIDE_FAULT ? "<fault>" : "<null>");
    } else if (word > LIVE_SIDE_TEXT && kept->field.kind == FIELD_STRING) {
        memcpy(kept->text + length, CUT, strlen(CUT));
        kept->value.text.length += strlen(CUT);
    }
}

/* Argument I of SIDE, of which PROBE has kept something; TEXT is its text. */
static void set_kept(struct kept *kept, const struct outlier_probe *probe,
                     const struct live_side *side, size_t i, const char *text)
{
    *kept = (struct kept){.value = {.natural = 0}};
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

static void append_arguments(struct bytes *to, const struct outlier_probe *probe,
                             const struct live_side *side, bool is_json)
{
    unsigned texts = 0;
    const char *separator = "  ";
    for (size_t i = 0; probe->arguments && i < probe->arguments->count; i++) {
        unsigned keep = probe->kept >> 4 * i & 15;
        const char *text = side->text[texts < LIVE_SIDE_TEXTS ? texts : 0];
        if (keep == LIVE_KEEP_NOTHING)
            continue;
        struct kept kept;
        set_kept(&kept, probe, side, i, text);
        texts += keep > LIVE_KEEP_WORD;
        if (is_json) {
            json_key(to, kept.field.name);
            text_json_value(to, &kept.field, &kept.value);
            continue;
        }
        text_append(to, separator);
        separator = " ";
        text_escaped(to, slice_of(kept.field.name));
        text_char(to, '=');
        text_value(to, &kept.field, &kept.value);
        text_unit(to, &kept.field, &kept.value);
    }
}

static const struct outlier_probe unknown = {.kept = 0};

static const struct outlier_probe *probe_of(const struct outliers *outliers,
                                            const struct live_side *side)
{
    return side->label < outliers->probe_count ? &outliers->probes[side->label] : &unknown;
}

/* ---- For people. ---- */

static void append_side(struct bytes *to, const struct outliers *outliers,
                        const struct live_side *side)
{
    const struct outlier_probe *probe = probe_of(outliers, side);
    text_append(to, "    ");
    label_append(to, probe->provider ? probe->provider : "?", probe->name ? probe->name : "?");
    append_arguments(to, probe, side, false);
    text_char(to, '\n');
}

static int64_t time_of(const struct outliers *outliers, const struct live_outlier *one)
{
    return (int64_t)((uint64_t)outliers->realtime + one->time);
}

void outliers_text(struct bytes *to, const struct outliers *outliers)
{
    if (outliers->count)
        text_append(to, "slowest\n");
    for (size_t i = 0; i < outliers->count; i++) {
        const struct live_outlier *one = &outliers->list[i];
        text_append(to, "  ");
        histogram_value(to, (__int128)one->ns, true);
        text_append(to, "  until ");
        text_time(to, time_of(outliers, one));
        text_append(to, "  thread ");
        text_natural(to, one->side[0].tid);
        if (one->side[1].tid != one->side[0].tid) {
            text_append(to, " to ");
            text_natural(to, one->side[1].tid);
        }
        text_char(to, '\n');
        append_side(to, outliers, &one->side[0]);
        append_side(to, outliers, &one->side[1]);
    }
    if (outliers->count)
        text_char(to, '\n');
}

/* ---- For scripts. ---- */

static void append_json_side(struct bytes *to, const char *key, const struct outliers *outliers,
                             const struct live_side *side)
{
    const struct outlier_probe *probe = probe_of(outliers, side);
    json_open(to, key, '{');
    json_string(to, "provider", probe->provider ? probe->provider : "");
    json_string(to, "name", probe->name ? probe->name : "");
    json_natural(to, "tid", side->tid);
    json_open(to, "args", '{');
    append_arguments(to, probe, side, true);
    text_append(to, "}}");
}

void outliers_json(struct bytes *to, const struct outliers *outliers)
{
    for (size_t i = 0; i < outliers->count; i++) {
        const struct live_outlier *one = &outliers->list[i];
        json_open(to, NULL, '{');
        json_natural(to, "outlier", i + 1);
        json_natural(to, "latency", one->ns);
        json_integer(to, "time", time_of(outliers, one));
        append_json_side(to, "begin", outliers, &one->side[0]);
        append_json_side(to, "end", outliers, &one->side[1]);
        text_append(to, "}\n");
    }
}
