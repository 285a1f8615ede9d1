/* SPDX-License-Identifier: BSD-2-Clause */
/* See demangle.h; built without gcc's C++ library: names are shown as they are. */
#include "demangle.h"

#include <stddef.h>

const bool demangle_is_there = false;

char *demangle(const char *name)
{
    (void)name;
    return NULL;
}
