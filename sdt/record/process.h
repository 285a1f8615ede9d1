/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt record of a process that runs, or of a program that is started like one. */
#ifndef SDT_RECORD_PROCESS_H
#define SDT_RECORD_PROCESS_H

#include "command.h"

/* The whole recording; a status. */
int record_process(struct record *record);

#endif
