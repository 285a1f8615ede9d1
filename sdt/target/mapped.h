/* SPDX-License-Identifier: BSD-2-Clause */
/* Which control pages a process has in its memory, whether their descriptors are open or not. */
#ifndef SDT_MAPPED_H
#define SDT_MAPPED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Whether IS_WANTED is true of the inode of one that process PID has. */
bool mapped_page(pid_t pid, bool (*is_wanted)(uint64_t inode, void *data), void *data);

#endif
