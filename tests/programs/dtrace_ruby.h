/* SPDX-License-Identifier: BSD-2-Clause */
/* Included by a provider file. */
#define WITH_CACHE                                                                                 \
    probe method__cache__clear(const char *class_name, const char *filename, int lineno);
