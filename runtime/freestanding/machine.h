/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What this runtime needs from its machine, beside <arch/machine.h>: by_name.c or by_word.c.
 */
#ifndef SDT_FREESTANDING_MACHINE_H
#define SDT_FREESTANDING_MACHINE_H

#include <stdint.h>

struct sdt_event;

/* The function that entries call; 0: they go by sdt_probe.way. */
uintptr_t freestanding_enter(void);
/* Called by the assembly of each machine. */
void enter_dispatch(struct sdt_event *event);

#endif
