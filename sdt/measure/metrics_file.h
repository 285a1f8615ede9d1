/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where metrics go: to standard output, or into a file that is replaced as a whole, so that a
 * collector reads all of the old one or all of the new one.
 *
 * The textfile collector of Prometheus' node_exporter reads files that are called *.prom, in
 * Prometheus' own text format; other names get OpenMetrics.
 */
#ifndef SDT_METRICS_FILE_H
#define SDT_METRICS_FILE_H

#include "openmetrics.h"

struct metrics_file {
    const char *path; /* NULL: standard output */
    bool has_failed;  /* after a message */
};

enum openmetrics_form metrics_file_form(const struct metrics_file *file);
/* Write an exposition, and empty TEXT. After a failure the next one is tried: the disk may be full
 * for a while. */
void metrics_file_put(struct metrics_file *file, struct bytes *text);

#endif
