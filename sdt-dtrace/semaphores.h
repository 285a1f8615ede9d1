/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * -G: the object with the semaphores, 16 bits each, in section .probes.
 *
 * It is compiled, not written directly: those who build for another machine, or with control-flow
 * protection (which a single object without its mark turns off for the whole program), have set $CC
 * and $CFLAGS. But it is compiled from assembler lines, in C so that the compiler adds its marks:
 * link-time optimisation does not see them, so cannot drop them, sanitizers put no zones around
 * them, and the piece of .probes that begins a page can stand in its own COMDAT group, as in the
 * objects that <sys/sdt.h> is used in. Without that piece, see docs/compat.md, lld and mold may
 * place semaphores where the kernel's counting does not reach the program.
 */
#ifndef SDT_DTRACE_SEMAPHORES_H
#define SDT_DTRACE_SEMAPHORES_H

#include "base/output.h"
#include "options.h"
#include "provider.h"

void semaphores_text(struct bytes *text, const struct providers *providers);
/* Has the object compiled into OUTPUT's temporary file. */
int semaphores_compile(const struct providers *providers, const struct options *options,
                       struct output *output);

#endif
