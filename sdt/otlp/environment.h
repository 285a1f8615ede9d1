/* SPDX-License-Identifier: BSD-2-Clause */
/* The variables that OpenTelemetry's specification gives to programs that send OTLP. */
#ifndef SDT_OTLP_ENVIRONMENT_H
#define SDT_OTLP_ENVIRONMENT_H

#include "base/memory.h"

#include <stdint.h>

/* OTEL_EXPORTER_OTLP_TIMEOUT: how long a request may take, with all attempts, in ns. -1: after a
 * message. */
int64_t otlp_patience(void);
/*
 * OTEL_EXPORTER_OTLP_HEADERS, as NAME=VALUE,NAME=VALUE with %XX in values: call ADD for each, with
 * the line of the header. -1: after a message.
 */
int otlp_headers(void (*add)(void *data, const char *line), void *data);

#endif
