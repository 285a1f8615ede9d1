/* SPDX-License-Identifier: BSD-2-Clause */
/* From the bytes of an event to the values of its arguments; pure. */
#ifndef SDT_DECODE_H
#define SDT_DECODE_H

#include "base/slice.h"
#include "trace.h"

/* The field's kind says which member counts. */
struct value {
    union {
        int64_t number;    /* FIELD_SIGNED */
        uint64_t natural;  /* FIELD_UNSIGNED, FIELD_HEX, FIELD_BOOL, FIELD_POINTER */
        double real;       /* FIELD_FLOAT, FIELD_DOUBLE */
        struct slice text; /* FIELD_STRING, FIELD_BYTES: in the event, without a NUL; FIELD_ARRAY:
                              all elements */
    };
};

/* Element INDEX of an array: VALUE of FIELD. ELEMENT becomes its type. */
struct value decode_element(const struct field *field, const struct value *value, size_t index,
                            struct field *element);

/*
 * Decode PAYLOAD into VALUES, one for each field of CLASS, and its callers; *COUNT of them can be
 * read: fewer than there are if the type of one is unknown. Returns what is wrong with the bytes,
 * else NULL.
 */
const char *decode_event(const struct event_class *class, const uint8_t *payload, size_t size,
                         struct value *values, size_t *count);

/* The enumerator of VALUE; NULL: it has none. */
const char *decode_label(const struct field *field, const struct value *value);

#endif
