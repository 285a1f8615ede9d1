/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of C++ functions as their source has them. A name that is not a mangled one, is too long,
 * or would become too long, stays as it is.
 */
#ifndef SDT_DEMANGLE_H
#define SDT_DEMANGLE_H

#include "base/memory.h"

/* Append NAME, demangled if it can be, to TO; nothing in it is obeyed by a terminal. */
void demangle_append(struct bytes *to, const char *name);

#endif
