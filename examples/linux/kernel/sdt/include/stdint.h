/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* For <sdt/…> among Linux's headers. */
#ifndef SDT_LINUX_STDINT_H
#define SDT_LINUX_STDINT_H

#include <linux/limits.h>
#include <linux/types.h>

#define UINT64_MAX 0xffffffffffffffffULL

#endif
