/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fields of OpenTelemetry's messages that we write: a row each, with its number in Protocol
 * Buffers and its name in JSON, as in the files opentelemetry/proto/.../v1/ that define OTLP.
 * tests/opentelemetry.proto has the same messages for protoc.
 */
#ifndef SDT_OTLP_SCHEMA_H
#define SDT_OTLP_SCHEMA_H

/* clang-format off */
#define OTLP_FIELDS(FIELD)                            \
    FIELD(REQUEST_SPANS, 1, "resourceSpans")          \
    FIELD(REQUEST_LOGS, 1, "resourceLogs")            \
    /* ResourceSpans, ResourceLogs */                 \
    FIELD(RESOURCE, 1, "resource")                    \
    FIELD(RESOURCE_SPANS, 2, "scopeSpans")            \
    FIELD(RESOURCE_LOGS, 2, "scopeLogs")              \
    FIELD(RESOURCE_ATTRIBUTES, 1, "attributes")       \
    /* ScopeSpans, ScopeLogs */                       \
    FIELD(SCOPE, 1, "scope")                          \
    FIELD(SCOPE_NAME, 1, "name")                      \
    FIELD(SCOPE_SPANS, 2, "spans")                    \
    FIELD(SCOPE_LOGS, 2, "logRecords")                \
    /* KeyValue, AnyValue, ArrayValue */              \
    FIELD(KEY, 1, "key")                              \
    FIELD(VALUE, 2, "value")                          \
    FIELD(VALUE_STRING, 1, "stringValue")             \
    FIELD(VALUE_BOOL, 2, "boolValue")                 \
    FIELD(VALUE_INT, 3, "intValue")                   \
    FIELD(VALUE_DOUBLE, 4, "doubleValue")             \
    FIELD(VALUE_ARRAY, 5, "arrayValue")               \
    FIELD(VALUE_BYTES, 7, "bytesValue")               \
    FIELD(ARRAY_VALUES, 1, "values")                  \
    /* Span, Span.Event, Status */                    \
    FIELD(SPAN_TRACE, 1, "traceId")                   \
    FIELD(SPAN_ID, 2, "spanId")                       \
    FIELD(SPAN_PARENT, 4, "parentSpanId")             \
    FIELD(SPAN_NAME, 5, "name")                       \
    FIELD(SPAN_KIND, 6, "kind")                       \
    FIELD(SPAN_START, 7, "startTimeUnixNano")         \
    FIELD(SPAN_END, 8, "endTimeUnixNano")             \
    FIELD(SPAN_ATTRIBUTES, 9, "attributes")           \
    FIELD(SPAN_EVENTS, 11, "events")                  \
    FIELD(SPAN_STATUS, 15, "status")                  \
    FIELD(EVENT_TIME, 1, "timeUnixNano")              \
    FIELD(EVENT_NAME, 2, "name")                      \
    FIELD(EVENT_ATTRIBUTES, 3, "attributes")          \
    /* LogRecord */                                   \
    FIELD(LOG_TIME, 1, "timeUnixNano")                \
    FIELD(LOG_BODY, 5, "body")                        \
    FIELD(LOG_ATTRIBUTES, 6, "attributes")            \
    FIELD(LOG_TRACE, 9, "traceId")                    \
    FIELD(LOG_SPAN, 10, "spanId")                     \
    FIELD(LOG_OBSERVED, 11, "observedTimeUnixNano")   \
    FIELD(LOG_EVENT, 12, "eventName")
/* clang-format on */

#define OTLP_FIELD_NAME(name, number, json) OTLP_##name,
enum otlp_field { OTLP_FIELDS(OTLP_FIELD_NAME) };
#undef OTLP_FIELD_NAME

enum { OTLP_KIND_INTERNAL = 1 };
enum { OTLP_TRACE_SIZE = 16, OTLP_SPAN_SIZE = 8 }; /* of ids, in bytes */

#endif
