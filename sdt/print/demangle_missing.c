/* SPDX-License-Identifier: BSD-2-Clause */
/* See demangle.h; sdt was built without gcc's C++ library, and shows names as they are. */
#include "demangle.h"

#include "text.h"

void demangle_append(struct bytes *to, const char *name)
{
    text_escaped(to, slice_of(name));
}
