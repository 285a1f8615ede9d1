/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of C++ functions as their source has them. A name that is not a mangled one, is too long,
 * or would become too long, stays as it is.
 */
#ifndef SDT_DEMANGLE_H
#define SDT_DEMANGLE_H

#include "base/memory.h"

/* Append NAME to TO, demangled if it can be, without control characters. */
void demangle_append(struct bytes *to, const char *name);

#endif
