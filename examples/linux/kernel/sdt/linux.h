/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * <sdt/kernel.h> among headers of Linux, which has no <stdint.h>.
 */
#ifndef SDT_LINUX_H
#define SDT_LINUX_H

#include <linux/types.h>

#include <sdt/format.h>
#include <sdt/kernel.h>

/* debugfs.c: enable PATTERN, and remember that. An id > 0, or a negative error. */
int sdt_watch(const char *pattern, sdt_handler *handler, int mode);

void sdt_free_initmem(void);

#endif
