/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a process sees the files that we see. */
#ifndef SDT_APART_H
#define SDT_APART_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether process PID has another root directory or mounts of its own, so that a name may lead to
 * another file there. False also if that is not known. */
bool apart_is(pid_t pid);

#endif
