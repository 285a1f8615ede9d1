/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where metrics go: to standard output; or into a file that is replaced as a whole, so that a
 * collector reads all of the old one or all of the new one; or to those who ask for them by HTTP.
 *
 * The textfile collector of Prometheus' node_exporter reads files that are called *.prom, in
 * Prometheus' own text format; other names get OpenMetrics.
 */
#ifndef SDT_METRICS_FILE_H
#define SDT_METRICS_FILE_H

#include "metrics_listen.h"
#include "openmetrics.h"

struct metrics_file {
    const char *path, *address; /* one of them at most, else standard output */
    struct metrics_listener *listener;
    bool has_failed; /* after a message */
};

/* NULL, or what is wrong with the command line. With an address there is an *INTERVAL, if none was
 * asked for. */
const char *metrics_file_check(const struct metrics_file *file, bool is_openmetrics,
                               double *interval);
/* Before a program is started. -1: after a message. */
int metrics_file_open(struct metrics_file *file);
void metrics_file_close(struct metrics_file *file);
enum openmetrics_form metrics_file_form(const struct metrics_file *file);
/* Write an exposition, and empty TEXT. After a failure the next one is tried: the disk may be full
 * for a while. */
void metrics_file_put(struct metrics_file *file, struct bytes *text);

#endif
