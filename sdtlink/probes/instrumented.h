/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions as probes: what compilers call, if asked to, at the entry and at the end of each
 * function.
 *
 *   __fentry__, __return__                gcc -pg -mfentry -minstrument-return=call: the first
 *                                         instruction, and one before each return or tail call.
 *                                         Nothing is set up for the call, which keeps all registers
 *   __cyg_profile_func_enter, …_exit      -finstrument-functions: ordinary calls
 *
 * Pure.
 */
#ifndef SDTLINK_PROBES_INSTRUMENTED_H
#define SDTLINK_PROBES_INSTRUMENTED_H

#include "names.h"

/* Whether compilers call SYMBOL by themselves; HAS_CALLS: also the first two are called. Then NAME
 * is its probe's. */
bool instrumented_parse(const char *symbol, bool has_calls, struct probe_name *name);

#endif
