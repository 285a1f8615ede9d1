/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What sdt count, hist and lat measure, as metrics of OpenTelemetry: sdt.hits is a sum, sdt.value
 * and sdt.latency are exponential histograms. All are totals since the beginning, so that the next
 * request makes up for one that was lost.
 */
#ifndef SDT_OTLP_METRICS_H
#define SDT_OTLP_METRICS_H

#include "measured_command.h"

/* Send what there is now. */
void otlp_metrics_send(struct measured *command);

#endif
