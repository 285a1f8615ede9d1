/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The metadata of a recording: what its packets and events consist of, in the language of CTF 1.8,
 * and once more in comments of one line each for the reports of `sdt` (docs/recording.md).
 */
#ifndef SDT_RECORDER_METADATA_H
#define SDT_RECORDER_METADATA_H

#include "ring.h"

#include <shared/describe.h>
#include <site/field.h>
#include <stdio.h>

struct recorded_process {
    int pid;
    const char *program, *host;
    uint64_t pid_space, time_space; /* namespaces of its numbers and clocks; 0: unknown */
};

/* The beginning; the clock's numbers are those of FILE. */
void metadata_begin(FILE *out, const struct ring_file *file,
                    const struct recorded_process *process);

/* For the names of callers; stack_refresh() calls it. */
struct stack_file;
void metadata_module(FILE *out, const struct stack_file *module);

/* One class of events. */
struct event_class {
    uint32_t number;                                 /* 1 … METADATA_MAX_CLASSES */
    const char *provider, *name, *function, *module; /* NULL or "": unknown */
    const char *source;                              /* where the site is; NULL: unknown */
    unsigned line;                                   /* in it */
    const char *file, *build_id;                     /* of the program or library */
    unsigned count;
    struct field fields[SDT_MAX_ARGS];
    const struct describe_field *described[SDT_MAX_ARGS]; /* units and enumerators; NULL: none */
    const char *callers; /* the name of the last field, of these addresses; NULL: there is none */
    bool has_context;    /* before the fields: process/context.h */
};
#define METADATA_MAX_CLASSES ((1u << 20) - 1)
void metadata_event(FILE *out, const struct event_class *class);

/*
 * Put FREQUENCY into TEXT, the first bytes of some metadata, in place of the one that is there, and
 * the offset that goes with it. False: there is no such place.
 */
bool metadata_set_clock(char *text, size_t length, const struct ring_file *file,
                        uint64_t frequency);

#endif
