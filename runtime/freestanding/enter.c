/* SPDX-License-Identifier: BSD-2-Clause */
/* From the assembly of the machine, after it has saved the general registers of an inline site. */
#include "freestanding/machine.h"

#include "hit/event.h"
#include "registry/dispatch.h"

void enter_dispatch(struct sdt_event *event)
{
    struct registers *registers = (struct registers *)event->registers;
    registers->vectors = NULL; /* a kernel has the program's there, and changes none */
    dispatch_event(event);
}
