/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * OTLP's messages, in either of its two encodings: Protocol Buffers for receivers, JSON for files.
 * The same calls write both:
 *
 *     struct otlp otlp = {&text, .is_json = true};
 *     otlp_list(&otlp, OTLP_SCOPE_SPANS);
 *     size_t span = otlp_element(&otlp, OTLP_SCOPE_SPANS);
 *     otlp_text(&otlp, OTLP_SPAN_NAME, slice_of("request"));
 *     otlp_close(&otlp, span);
 *     otlp_end_list(&otlp);
 *
 * In Protocol Buffers a list is its elements, each with the number of the field. JSON differs from
 * the usual mapping of Protocol Buffers in that ids are hexadecimal and enumerators numbers.
 */
#ifndef SDT_OTLP_MESSAGE_H
#define SDT_OTLP_MESSAGE_H

#include "base/memory.h"
#include "base/slice.h"
#include "schema.h"

struct otlp {
    struct bytes *to;
    bool is_json;
};

void otlp_text(const struct otlp *otlp, enum otlp_field field, struct slice text);
void otlp_bytes(const struct otlp *otlp, enum otlp_field field, struct slice bytes);
void otlp_id(const struct otlp *otlp, enum otlp_field field, const uint8_t *id, size_t size);
void otlp_flag(const struct otlp *otlp, enum otlp_field field, bool is_set);
void otlp_integer(const struct otlp *otlp, enum otlp_field field, int64_t number);
void otlp_choice(const struct otlp *otlp, enum otlp_field field, unsigned number);
/* fixed64: a time, or a count. */
void otlp_time(const struct otlp *otlp, enum otlp_field field, uint64_t ns);
/* sint32 */
void otlp_signed(const struct otlp *otlp, enum otlp_field field, int32_t number);
/* A list of uint64. */
void otlp_counts(const struct otlp *otlp, enum otlp_field field, const uint64_t *counts,
                 size_t count);
void otlp_real(const struct otlp *otlp, enum otlp_field field, double number);

/* A whole request; in JSON an object. */
void otlp_begin(const struct otlp *otlp);
void otlp_end(const struct otlp *otlp);
/* A message inside, and its end, which needs what the beginning has returned. */
size_t otlp_open(const struct otlp *otlp, enum otlp_field field);
void otlp_close(const struct otlp *otlp, size_t start);
/* A list; its elements, which are messages, name the same field. */
void otlp_list(const struct otlp *otlp, enum otlp_field field);
size_t otlp_element(const struct otlp *otlp, enum otlp_field field);
void otlp_end_list(const struct otlp *otlp);
/* Elements that were written elsewhere, in the same encoding; perhaps none. */
void otlp_elements(const struct otlp *otlp, const struct bytes *elements);

/* An element of a list of attributes, whose value is to be written; and its end. */
struct otlp_attribute {
    size_t element, value;
};
struct otlp_attribute otlp_attribute_open(const struct otlp *otlp, enum otlp_field list,
                                          const char *key);
void otlp_attribute_close(const struct otlp *otlp, struct otlp_attribute attribute);
/* All of one. */
void otlp_attribute_text(const struct otlp *otlp, enum otlp_field list, const char *key,
                         struct slice text);
void otlp_attribute_integer(const struct otlp *otlp, enum otlp_field list, const char *key,
                            int64_t number);
/* What a process is, by the semantic conventions; $OTEL_SERVICE_NAME is its service's name, else
 * the program's is. */
struct otlp_process {
    const char *program, *host;
    uint32_t pid; /* 0: several */
};
void otlp_resource(const struct otlp *otlp, const struct otlp_process *process);

#endif
