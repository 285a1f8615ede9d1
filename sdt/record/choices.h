/* SPDX-License-Identifier: BSD-2-Clause */
/* -e PATTERN /PREDICATE/ of sdt record, and what each process was asked for each of them. */
#ifndef SDT_RECORD_CHOICES_H
#define SDT_RECORD_CHOICES_H

#include "command.h"

/* Add an -e PATTERN /PREDICATE/. NULL, or what is wrong with TEXT. */
const char *record_choose(struct record *record, const char *text);
void record_free_choices(struct record *record);

#endif
