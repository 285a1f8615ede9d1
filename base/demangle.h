/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of C++ functions as their source has them (std_names.h). A name that is not a mangled one,
 * is too long, or would become too long, stays as it is.
 */
#ifndef SDT_BASE_DEMANGLE_H
#define SDT_BASE_DEMANGLE_H

#include <stdbool.h>

/* Whether there is a demangler in this build: else all names stay as they are. */
extern const bool demangle_is_there;

/* NAME as the source has it, to be freed; NULL: it stays as it is. */
char *demangle(const char *name);

#endif
