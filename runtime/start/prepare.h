/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the first sdt_enable() of a process would wait for, done while it takes no time.
 */
#ifndef SDT_PREPARE_H
#define SDT_PREPARE_H

/* Register for membarrier(2), if the process has one thread. Naming this function has a program do
 * that at its start. */
void prepare_to_enable(void);

#endif
