/* SPDX-License-Identifier: BSD-2-Clause */
/* What the walk of a stack (unwind/stack.c) must know: there is none on this machine. */
#ifndef SDT_MACHINE_FRAME_H
#define SDT_MACHINE_FRAME_H

#define FRAME_IS_WALKED 0

#endif
