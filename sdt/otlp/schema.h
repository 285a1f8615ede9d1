/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fields of OpenTelemetry's messages that we write: a row each, with its number in Protocol
 * Buffers and its name in JSON, as in the files opentelemetry/proto/.../v1/ that define OTLP.
 * tests/opentelemetry.proto has the same messages for protoc.
 */
#ifndef SDT_OTLP_SCHEMA_H
#define SDT_OTLP_SCHEMA_H

/* clang-format off */
#define OTLP_FIELDS(FIELD)                                  \
    FIELD(REQUEST_SPANS, 1, "resourceSpans")                \
    FIELD(REQUEST_LOGS, 1, "resourceLogs")                  \
    FIELD(REQUEST_METRICS, 1, "resourceMetrics")            \
    /* ResourceSpans, ResourceLogs, ResourceMetrics */      \
    FIELD(RESOURCE, 1, "resource")                          \
    FIELD(RESOURCE_SPANS, 2, "scopeSpans")                  \
    FIELD(RESOURCE_LOGS, 2, "scopeLogs")                    \
    FIELD(RESOURCE_METRICS, 2, "scopeMetrics")              \
    FIELD(RESOURCE_ATTRIBUTES, 1, "attributes")             \
    /* ScopeSpans, ScopeLogs, ScopeMetrics */               \
    FIELD(SCOPE, 1, "scope")                                \
    FIELD(SCOPE_NAME, 1, "name")                            \
    FIELD(SCOPE_SPANS, 2, "spans")                          \
    FIELD(SCOPE_LOGS, 2, "logRecords")                      \
    FIELD(SCOPE_METRICS, 2, "metrics")                      \
    /* KeyValue, AnyValue, ArrayValue */                    \
    FIELD(KEY, 1, "key")                                    \
    FIELD(VALUE, 2, "value")                                \
    FIELD(VALUE_STRING, 1, "stringValue")                   \
    FIELD(VALUE_BOOL, 2, "boolValue")                       \
    FIELD(VALUE_INT, 3, "intValue")                         \
    FIELD(VALUE_DOUBLE, 4, "doubleValue")                   \
    FIELD(VALUE_ARRAY, 5, "arrayValue")                     \
    FIELD(VALUE_BYTES, 7, "bytesValue")                     \
    FIELD(ARRAY_VALUES, 1, "values")                        \
    /* Span, Span.Event, Status */                          \
    FIELD(SPAN_TRACE, 1, "traceId")                         \
    FIELD(SPAN_ID, 2, "spanId")                             \
    FIELD(SPAN_PARENT, 4, "parentSpanId")                   \
    FIELD(SPAN_NAME, 5, "name")                             \
    FIELD(SPAN_KIND, 6, "kind")                             \
    FIELD(SPAN_START, 7, "startTimeUnixNano")               \
    FIELD(SPAN_END, 8, "endTimeUnixNano")                   \
    FIELD(SPAN_ATTRIBUTES, 9, "attributes")                 \
    FIELD(SPAN_EVENTS, 11, "events")                        \
    FIELD(SPAN_STATUS, 15, "status")                        \
    FIELD(EVENT_TIME, 1, "timeUnixNano")                    \
    FIELD(EVENT_NAME, 2, "name")                            \
    FIELD(EVENT_ATTRIBUTES, 3, "attributes")                \
    /* LogRecord */                                         \
    FIELD(LOG_TIME, 1, "timeUnixNano")                      \
    FIELD(LOG_BODY, 5, "body")                              \
    FIELD(LOG_ATTRIBUTES, 6, "attributes")                  \
    FIELD(LOG_TRACE, 9, "traceId")                          \
    FIELD(LOG_SPAN, 10, "spanId")                           \
    FIELD(LOG_OBSERVED, 11, "observedTimeUnixNano")         \
    FIELD(LOG_EVENT, 12, "eventName")                       \
    /* Metric, Sum, ExponentialHistogram */                 \
    FIELD(METRIC_NAME, 1, "name")                           \
    FIELD(METRIC_DESCRIPTION, 2, "description")             \
    FIELD(METRIC_UNIT, 3, "unit")                           \
    FIELD(METRIC_SUM, 7, "sum")                             \
    FIELD(METRIC_EXPONENTIAL, 10, "exponentialHistogram")   \
    FIELD(DATA_POINTS, 1, "dataPoints")                     \
    FIELD(DATA_TEMPORALITY, 2, "aggregationTemporality")    \
    FIELD(SUM_MONOTONIC, 3, "isMonotonic")                  \
    /* NumberDataPoint */                                   \
    FIELD(NUMBER_START, 2, "startTimeUnixNano")             \
    FIELD(NUMBER_TIME, 3, "timeUnixNano")                   \
    FIELD(NUMBER_EXEMPLARS, 5, "exemplars")                 \
    FIELD(NUMBER_INT, 6, "asInt")                           \
    FIELD(NUMBER_ATTRIBUTES, 7, "attributes")               \
    /* ExponentialHistogramDataPoint, Buckets */            \
    FIELD(POINT_ATTRIBUTES, 1, "attributes")                \
    FIELD(POINT_START, 2, "startTimeUnixNano")              \
    FIELD(POINT_TIME, 3, "timeUnixNano")                    \
    FIELD(POINT_COUNT, 4, "count")                          \
    FIELD(POINT_SUM, 5, "sum")                              \
    FIELD(POINT_SCALE, 6, "scale")                          \
    FIELD(POINT_ZEROS, 7, "zeroCount")                      \
    FIELD(POINT_POSITIVE, 8, "positive")                    \
    FIELD(POINT_NEGATIVE, 9, "negative")                    \
    FIELD(POINT_EXEMPLARS, 11, "exemplars")                 \
    FIELD(POINT_MIN, 12, "min")                             \
    FIELD(POINT_MAX, 13, "max")                             \
    FIELD(BUCKETS_OFFSET, 1, "offset")                      \
    FIELD(BUCKETS_COUNTS, 2, "bucketCounts")                \
    /* Exemplar */                                          \
    FIELD(EXEMPLAR_TIME, 2, "timeUnixNano")                 \
    FIELD(EXEMPLAR_DOUBLE, 3, "asDouble")                   \
    FIELD(EXEMPLAR_SPAN, 4, "spanId")                       \
    FIELD(EXEMPLAR_TRACE, 5, "traceId")                     \
    FIELD(EXEMPLAR_INT, 6, "asInt")                         \
    FIELD(EXEMPLAR_ATTRIBUTES, 7, "filteredAttributes")
/* clang-format on */

#define OTLP_FIELD_NAME(name, number, json) OTLP_##name,
enum otlp_field { OTLP_FIELDS(OTLP_FIELD_NAME) };
#undef OTLP_FIELD_NAME

enum { OTLP_KIND_INTERNAL = 1, OTLP_CUMULATIVE = 2 };
enum { OTLP_TRACE_SIZE = 16, OTLP_SPAN_SIZE = 8 }; /* of ids, in bytes */

#endif
