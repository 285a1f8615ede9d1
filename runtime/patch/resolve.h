/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a thread does that came to a breakpoint: by the sites of the registry, and their modes.
 */
#ifndef SDT_RESOLVE_H
#define SDT_RESOLVE_H

#include "trap.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The trap_resolver: ADDRESS had a breakpoint. Runs in a reader section of the signal handler.
 *
 * Or had none: a debugger that is told to pass SIGTRAP on also sends the program the traps of its
 * own breakpoints, with the program counter set back. From such a place the program counter must
 * not be set back again.
 */
struct trap_answer resolve_trap(uintptr_t address);

#define RESOLVE_PLACES 32
/*
 * Threads that come to a breakpoint at one of the N places AT, which are calls of LENGTH bytes
 * each, call FUNCTION instead; with LENGTH 0 they go on in FUNCTION as they are. Takes the place of
 * what was said before; N is at most RESOLVE_PLACES. Locked.
 */
void resolve_divert(const uintptr_t *at, size_t n, size_t length, uintptr_t function);

#endif
