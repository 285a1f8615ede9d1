/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Patterns of the probes of a recording, as users write those of a process (target/patterns.h):
 * PROVIDER:MODULE:FUNCTION:NAME, fn:MODULE:FUNCTION, PROVIDER:NAME, PROVIDER or NAME, each a glob,
 * in any spelling; several with commas between them.
 */
#ifndef SDT_PROBE_PATTERN_H
#define SDT_PROBE_PATTERN_H

#include "base/probe_words.h"
#include "trace/trace.h"

struct probe_pattern {
    struct probe_words *parts;
    size_t count;
};

/* TEXT for the probes of RECORDING. -1: after a message. */
int probe_pattern_make(struct probe_pattern *pattern, const char *text,
                       const struct recording *recording);
bool probe_pattern_matches(const struct probe_pattern *pattern, const struct event_class *class);
void probe_pattern_free(struct probe_pattern *pattern);

#endif
