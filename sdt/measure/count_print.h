/* SPDX-License-Identifier: BSD-2-Clause */
/* What sdt count prints: a table, a line of JSON for each probe, or OpenMetrics. */
#ifndef SDT_COUNT_PRINT_H
#define SDT_COUNT_PRINT_H

#include "count_rows.h"
#include "metrics_file.h"
#include "target/schedule.h"

enum count_format { COUNT_TABLE, COUNT_JSON, COUNT_OPENMETRICS };

/* Print PART of ROWS, which took SECONDS, as a table or JSON. */
void count_print(struct count_rows *rows, enum count_format format, enum schedule_part part,
                 double seconds);
/* The totals of TARGET as OpenMetrics. */
void count_print_openmetrics(const struct count_rows *rows, const struct target *target,
                             struct metrics_file *file);

#endif
