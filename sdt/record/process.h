/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt record of a process that runs, or of a program that is started like one. */
#ifndef SDT_RECORD_PROCESS_H
#define SDT_RECORD_PROCESS_H

#include "command.h"

/* Ask PROCESS to record; a status. *ID is to be ended later. */
int record_ask(const struct record *record, struct attached *process, uint64_t *id);
/* The whole recording; a status. */
int record_process(struct record *record);

#endif
