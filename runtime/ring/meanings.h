/* SPDX-License-Identifier: BSD-2-Clause */
/* The program's own descriptions of its fields: units of durations, names of values. */
#ifndef SDT_RECORDER_MEANINGS_H
#define SDT_RECORDER_MEANINGS_H

#include "metadata.h"

struct meanings {
    struct describe_field fields[SDT_MAX_ARGS];
    struct describe_label *labels[SDT_MAX_ARGS]; /* allocated */
};

/* Apply the program's descriptions to CLASS, where no description of the user says otherwise. */
void meanings_apply(struct meanings *meanings, struct event_class *class);
/* To be called once the metadata is written. */
void meanings_free(struct meanings *meanings);

#endif
