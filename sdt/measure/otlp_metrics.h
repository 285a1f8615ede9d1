/* SPDX-License-Identifier: BSD-2-Clause */
/* What sdt count, hist and lat measure, as metrics of OpenTelemetry (otlp_points.h). */
#ifndef SDT_OTLP_METRICS_H
#define SDT_OTLP_METRICS_H

#include "measured_command.h"

/* Send what there is now. */
void otlp_metrics_send(struct measured *command);

#endif
