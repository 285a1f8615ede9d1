/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The PID namespace of this process: numbers of processes and threads are those of one, and each
 * has a process 1.
 */
#ifndef SDT_SPACE_H
#define SDT_SPACE_H

#include <stdint.h>

/* Its number in the upper half, where no number of a process has a bit; 0: not known, as /proc is
 * not there. Async-signal-safe; errno is kept. */
uint64_t space_of_process(void);

#endif
