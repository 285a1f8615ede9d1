/* SPDX-License-Identifier: BSD-2-Clause */
/* A running process is asked to record. */
#ifndef SDT_RECORD_ASK_H
#define SDT_RECORD_ASK_H

#include "command.h"

/* Ask PROCESS; a status. *ID is to be ended later. */
int record_ask(struct record *record, struct attached *process, uint64_t *id);

#endif
