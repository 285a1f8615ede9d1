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

/* The ids of an event's context, as text: of the trace and of the span. */
enum { DECODE_TRACE = 32, DECODE_SPAN = 16 };

/* What an event has. */
struct decoded {
    struct value *values; /* of the first `count` fields of its class, and the callers */
    size_t count;
    size_t fields; /* that the event has: without those of a context that was not there */
    char ids[DECODE_TRACE + DECODE_SPAN];
};

/*
 * Decode PAYLOAD into DECODED, whose values have room for all fields of CLASS and its callers.
 * Fewer of them can be read than there are if the type of one is unknown. Returns what is wrong
 * with the bytes, else NULL.
 */
const char *decode_event(const struct event_class *class, const uint8_t *payload, size_t size,
                         struct decoded *decoded);

/* The enumerator of VALUE; NULL: it has none. */
const char *decode_label(const struct field *field, const struct value *value);

#endif
