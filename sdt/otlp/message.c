/* SPDX-License-Identifier: BSD-2-Clause */
/* See message.h. */
#include "message.h"

#include "base/base64.h"
#include "base/json.h"
#include "base/protobuf.h"
#include "print/text.h"

#include <math.h>
#include <stdlib.h>

static const struct {
    unsigned number;
    const char *name;
} fields[] = {
#define FIELD_ROW(name, number, json) [OTLP_##name] = {number, json},
    OTLP_FIELDS(FIELD_ROW)
#undef FIELD_ROW
};

void otlp_text(const struct otlp *otlp, enum otlp_field field, struct slice text)
{
    if (otlp->is_json)
        json_slice(otlp->to, fields[field].name, text);
    else
        protobuf_string(otlp->to, fields[field].number, text);
}

void otlp_bytes(const struct otlp *otlp, enum otlp_field field, struct slice bytes)
{
    if (!otlp->is_json) {
        protobuf_bytes(otlp->to, fields[field].number, bytes.text, bytes.length);
        return;
    }
    json_key(otlp->to, fields[field].name);
    text_char(otlp->to, '"');
    base64_append(otlp->to, (const uint8_t *)bytes.text, bytes.length);
    text_char(otlp->to, '"');
}

void otlp_id(const struct otlp *otlp, enum otlp_field field, const uint8_t *id, size_t size)
{
    if (!otlp->is_json) {
        protobuf_bytes(otlp->to, fields[field].number, id, size);
        return;
    }
    json_key(otlp->to, fields[field].name);
    text_char(otlp->to, '"');
    for (size_t i = 0; i < size; i++)
        text_hex_digits(otlp->to, id[i], 2);
    text_char(otlp->to, '"');
}

void otlp_flag(const struct otlp *otlp, enum otlp_field field, bool is_set)
{
    if (!otlp->is_json) {
        protobuf_natural(otlp->to, fields[field].number, is_set);
        return;
    }
    json_key(otlp->to, fields[field].name);
    text_append(otlp->to, is_set ? "true" : "false");
}

/* 64 bits are text in JSON, whose readers may have doubles only. */
void otlp_integer(const struct otlp *otlp, enum otlp_field field, int64_t number)
{
    if (!otlp->is_json) {
        protobuf_integer(otlp->to, fields[field].number, number);
        return;
    }
    json_key(otlp->to, fields[field].name);
    text_char(otlp->to, '"');
    text_integer(otlp->to, number);
    text_char(otlp->to, '"');
}

void otlp_choice(const struct otlp *otlp, enum otlp_field field, unsigned number)
{
    if (otlp->is_json)
        json_natural(otlp->to, fields[field].name, number);
    else
        protobuf_natural(otlp->to, fields[field].number, number);
}

void otlp_time(const struct otlp *otlp, enum otlp_field field, uint64_t ns)
{
    if (!otlp->is_json) {
        protobuf_fixed64(otlp->to, fields[field].number, ns);
        return;
    }
    json_key(otlp->to, fields[field].name);
    text_char(otlp->to, '"');
    text_natural(otlp->to, ns);
    text_char(otlp->to, '"');
}

void otlp_signed(const struct otlp *otlp, enum otlp_field field, int32_t number)
{
    if (otlp->is_json)
        json_integer(otlp->to, fields[field].name, number);
    else
        protobuf_zigzag(otlp->to, fields[field].number, number);
}

void otlp_counts(const struct otlp *otlp, enum otlp_field field, const uint64_t *counts,
                 size_t count)
{
    if (!otlp->is_json) {
        protobuf_packed(otlp->to, fields[field].number, counts, count);
        return;
    }
    json_open(otlp->to, fields[field].name, '[');
    for (size_t i = 0; i < count; i++) {
        json_key(otlp->to, NULL);
        text_char(otlp->to, '"');
        text_natural(otlp->to, counts[i]);
        text_char(otlp->to, '"');
    }
    json_close(otlp->to, ']');
}

void otlp_real(const struct otlp *otlp, enum otlp_field field, double number)
{
    if (!otlp->is_json) {
        protobuf_double(otlp->to, fields[field].number, number);
        return;
    }
    json_key(otlp->to, fields[field].name);
    if (isfinite(number))
        text_real(otlp->to, number);
    else
        text_append(otlp->to, isnan(number) ? "\"NaN\""
                              : number > 0  ? "\"Infinity\""
                                            : "\"-Infinity\"");
}

void otlp_begin(const struct otlp *otlp)
{
    if (otlp->is_json)
        json_open(otlp->to, NULL, '{');
}

void otlp_end(const struct otlp *otlp)
{
    if (otlp->is_json)
        json_close(otlp->to, '}');
}

size_t otlp_open(const struct otlp *otlp, enum otlp_field field)
{
    if (!otlp->is_json)
        return protobuf_open(otlp->to, fields[field].number);
    json_open(otlp->to, fields[field].name, '{');
    return 0;
}

void otlp_close(const struct otlp *otlp, size_t start)
{
    if (otlp->is_json)
        json_close(otlp->to, '}');
    else
        protobuf_close(otlp->to, start);
}

void otlp_list(const struct otlp *otlp, enum otlp_field field)
{
    if (otlp->is_json)
        json_open(otlp->to, fields[field].name, '[');
}

size_t otlp_element(const struct otlp *otlp, enum otlp_field field)
{
    if (!otlp->is_json)
        return protobuf_open(otlp->to, fields[field].number);
    json_open(otlp->to, NULL, '{');
    return 0;
}

void otlp_end_list(const struct otlp *otlp)
{
    if (otlp->is_json)
        json_close(otlp->to, ']');
}

void otlp_elements(const struct otlp *otlp, const struct bytes *elements)
{
    if (otlp->is_json && elements->size)
        json_key(otlp->to, NULL);
    bytes_append(otlp->to, elements->data, elements->size);
}

struct otlp_attribute otlp_attribute_open(const struct otlp *otlp, enum otlp_field list,
                                          const char *key)
{
    struct otlp_attribute attribute = {.element = otlp_element(otlp, list)};
    otlp_text(otlp, OTLP_KEY, slice_of(key));
    attribute.value = otlp_open(otlp, OTLP_VALUE);
    return attribute;
}

void otlp_attribute_close(const struct otlp *otlp, struct otlp_attribute attribute)
{
    otlp_close(otlp, attribute.value);
    otlp_close(otlp, attribute.element);
}

void otlp_attribute_text(const struct otlp *otlp, enum otlp_field list, const char *key,
                         struct slice text)
{
    struct otlp_attribute attribute = otlp_attribute_open(otlp, list, key);
    otlp_text(otlp, OTLP_VALUE_STRING, text);
    otlp_attribute_close(otlp, attribute);
}

void otlp_attribute_integer(const struct otlp *otlp, enum otlp_field list, const char *key,
                            int64_t number)
{
    struct otlp_attribute attribute = otlp_attribute_open(otlp, list, key);
    otlp_integer(otlp, OTLP_VALUE_INT, number);
    otlp_attribute_close(otlp, attribute);
}

void otlp_resource(const struct otlp *otlp, const struct otlp_process *process)
{
    const char *service = getenv("OTEL_SERVICE_NAME");
    size_t resource = otlp_open(otlp, OTLP_RESOURCE);
    otlp_list(otlp, OTLP_RESOURCE_ATTRIBUTES);
    otlp_attribute_text(otlp, OTLP_RESOURCE_ATTRIBUTES, "service.name",
                        slice_of(service && *service ? service : process->program));
    otlp_attribute_text(otlp, OTLP_RESOURCE_ATTRIBUTES, "host.name", slice_of(process->host));
    if (process->pid)
        otlp_attribute_integer(otlp, OTLP_RESOURCE_ATTRIBUTES, "process.pid", process->pid);
    otlp_attribute_text(otlp, OTLP_RESOURCE_ATTRIBUTES, "process.executable.name",
                        slice_of(process->program));
    otlp_end_list(otlp);
    otlp_close(otlp, resource);
}
