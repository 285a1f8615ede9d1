/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of sdt record. */
#ifndef SDT_RECORD_OPTIONS_H
#define SDT_RECORD_OPTIONS_H

#include "command.h"

/* Read it. STATUS_DONE, or another status, after a message. */
int record_parse(struct record *record, int argc, char **argv);
/* Add NAMEVALUE to SDT_RECORD_OPTIONS. */
void record_add_option(struct record *record, const char *name, const char *value);
/* Read the file of --describe, if there is one, and have programs read it. -1: after a message. */
int record_add_description(struct record *record);
/* Record callers, as many as TEXT says; NULL: the default. -1: TEXT is not such a number. */
int record_add_stack(struct record *record, const char *text);
/* What processes were asked for, and what -e and --when say. */
void record_free_choices(struct record *record);

#endif
