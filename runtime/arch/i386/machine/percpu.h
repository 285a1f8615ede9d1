/* SPDX-License-Identifier: BSD-2-Clause */
/* Adding to words of a CPU (<arch/percpu.h>): no single instruction adds to 64 bits, so that it
 * could end a restartable sequence. */
#ifndef SDT_MACHINE_PERCPU_H
#define SDT_MACHINE_PERCPU_H

/* There are no pieces: see MACHINE_HAS_PERCPU. */

#endif
