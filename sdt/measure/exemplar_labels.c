/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See exemplars.h: labels of OpenMetrics. Names and values together have at most 128 characters,
 * or the whole exposition is refused; so what does not fit is left out, and what comes after it may
 * still fit.
 */
#include "base/text.h"
#include "exemplars.h"
#include "openmetrics.h"
#include "side_values.h"
#include "trace/value_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 128 };

static size_t characters_of(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

static void append(struct exemplar *exemplar, const char *name, struct slice value)
{
    struct bytes quoted = {0}, *labels = &exemplar->labels;
    openmetrics_quote(&quoted, value);
    /* With its quotes, and an escape as two: rather too much. */
    size_t more =
        characters_of(name, strlen(name)) + characters_of((const char *)quoted.data, quoted.size);
    if (exemplar->characters + more <= MOST) {
        exemplar->characters += more;
        text_append(labels, labels->size ? "," : "");
        text_append(labels, name);
        text_char(labels, '=');
        bytes_append(labels, quoted.data, quoted.size);
    }
    bytes_free(&quoted);
}

/* The process says what an argument is called, and may say anything. */
static char *label_name(const char *name)
{
    char *copy = memory_format("%s%s", isdigit((unsigned char)*name) ? "_" : "", name);
    for (char *c = copy; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
    return copy;
}

static bool has_label(const struct bytes *labels, const char *name)
{
    char *wanted = memory_format("%s=\"", name);
    size_t length = strlen(wanted);
    bool found = false;
    for (size_t i = 0; i + length <= labels->size && !found; i++)
        found =
            memcmp(labels->data + i, wanted, length) == 0 && (i == 0 || labels->data[i - 1] == ',');
    free(wanted);
    return found;
}

void exemplar_append_id(struct exemplar *exemplar, const char *name, const uint8_t *id, size_t size)
{
    struct bytes text = {0};
    for (size_t i = 0; i < size; i++)
        text_hex_digits(&text, id[i], 2);
    append(exemplar, name, (struct slice){(const char *)text.data, text.size});
    bytes_free(&text);
}

void exemplar_append_value(struct exemplar *exemplar, const struct side_value *value)
{
    struct bytes text = {0};
    struct slice shown = value->value.text;
    if (value->field.kind != FIELD_STRING) {
        text_value(&text, &value->field, &value->value);
        shown = (struct slice){(const char *)text.data, text.size};
    }
    char *name = label_name(value->field.name);
    if (!has_label(&exemplar->labels, name))
        append(exemplar, name, shown);
    free(name);
    bytes_free(&text);
}
