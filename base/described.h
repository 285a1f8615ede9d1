/* SPDX-License-Identifier: BSD-2-Clause */
/* A file of descriptions (sdt-describe(5)) read by a tool, which reports errors in it. */
#ifndef SDT_BASE_DESCRIBED_H
#define SDT_BASE_DESCRIBED_H

#include <shared/describe.h>

/* 0, or -1 after saying why. */
int described_read(const char *path, struct description **description);

/* The file itself, which the caller frees, with its *LENGTH; NULL after saying why. */
char *described_text(const char *path, size_t *length);

#endif
