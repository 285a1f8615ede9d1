/* SPDX-License-Identifier: BSD-2-Clause */
/* What the objects of a link say of probes, in one file for all: see beside.h. */
#ifndef SDTLINK_ELF_COLLECT_H
#define SDTLINK_ELF_COLLECT_H

#include <stddef.h>

/* 0, or -1 after saying why. What is wrong with an object is said when that is processed. */
int collect_names(const char *output, const char *const *objects, size_t count);

#endif
