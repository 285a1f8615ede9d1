/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How defects are reported: one line each on standard output, file, section+offset, probe, and what
 * was expected and found. Trouble with the file itself goes to standard error.
 */
#ifndef SDT_VERIFY_REPORT_H
#define SDT_VERIFY_REPORT_H

#include "image.h"

#include <stdio.h>

/* A file's name: UTF-8 as it is, but for what terminals obey. */
void report_path(FILE *out, const char *path);

/* PROBE ("provider:name") may be NULL. */
void report_defect(struct image *image, struct place place, const char *probe, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));
/* The same, with "found" and up to COUNT bytes at PLACE appended. */
void report_bytes(struct image *image, struct place place, uint64_t count, const char *probe,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Trouble that ends the work on a file; returns -1. */
int report_failure(const struct image *image, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* PLACE as text, in one of a few static buffers: ".text+0x12". */
const char *report_place(const struct image *image, struct place place);

#endif
