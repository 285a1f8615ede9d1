/* SPDX-License-Identifier: BSD-2-Clause */
/* Rings that a process hands over (runtime/ring/handed.h): their trace is made here. */
#ifndef SDT_RECORD_TAKE_H
#define SDT_RECORD_TAKE_H

#include "target/attach.h"
#include "watch.h"

/* Watch the rings in FD, which PROCESS has handed over. 0, or -1 after a message. */
int take_rings(struct watch *watch, int fd, const struct attached *process);

#endif
