/* SPDX-License-Identifier: BSD-2-Clause */
/* What sdt hist, sdt lat, and sdt count of conditions and keys print: text, JSON or OpenMetrics. */
#ifndef SDT_MEASURED_PRINT_H
#define SDT_MEASURED_PRINT_H

#include "measured_command.h"

/* What was measured since the last time. */
void measured_print(struct measured *command);
/* The last time: also all of it, if there were intervals. */
void measured_print_last(struct measured *command);

#endif
