/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding programs: the real linker, and the parts of sdtlink. */
#ifndef SDTLINK_LAUNCH_FIND_H
#define SDTLINK_LAUNCH_FIND_H

#include "launcher_options.h"

/* Path of the real linker for NAME ("ld.lld", a path); NULL: none, and said so. To be freed. */
char *find_linker(const struct launcher_options *launch, const char *name);
/*
 * Where a part of sdtlink lies: the first of PLACES (NULL-terminated, relative to the directory of
 * the running executable) that exists. NULL: none. To be freed.
 */
char *find_part(const char *const *places);

#endif
