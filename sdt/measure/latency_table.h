/* SPDX-License-Identifier: BSD-2-Clause */
/* Latencies by key: a table with a row for each. */
#ifndef SDT_LATENCY_TABLE_H
#define SDT_LATENCY_TABLE_H

#include "aggregate.h"

/* Print the first N rows of AGGREGATE, whose keys have that LOOK. */
void latency_table_print(const struct aggregate *aggregate, size_t n, const struct key_look *look);

#endif
