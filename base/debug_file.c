/* SPDX-License-Identifier: BSD-2-Clause */
#include "debug_file.h"

#include "memory.h"

#include <stddef.h>
#include <string.h>

char *debug_file_path(const char *build_id)
{
    if (strlen(build_id) < 4)
        return NULL;
    return memory_format("/usr/lib/debug/.build-id/%.2s/%s.debug", build_id, build_id + 2);
}
