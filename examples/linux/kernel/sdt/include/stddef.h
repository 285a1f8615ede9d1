/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* For <sdt/…> among Linux's headers. */
#include <linux/types.h>
