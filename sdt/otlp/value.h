/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments of probes as attributes of OpenTelemetry, and as ids. */
#ifndef SDT_OTLP_VALUE_H
#define SDT_OTLP_VALUE_H

#include "message.h"
#include "trace/decode.h"

/* An element of a list of attributes. */
void otlp_attribute_value(const struct otlp *otlp, enum otlp_field list, const char *name,
                          const struct field *field, const struct value *value);
/*
 * VALUE as an id of SIZE bytes: so many of them, twice as many hexadecimal digits, or a 64-bit
 * number. False: it is no id, or zero, which stands for none.
 */
bool otlp_id_read(uint8_t *id, size_t size, const struct field *field, const struct value *value);

#endif
