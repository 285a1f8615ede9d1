/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the fuzz targets share: files, and complaints. Each target is a program of its own, run in a
 * directory of its own (run.py), and removes its files after every round.
 */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's entry points. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* NAME with the number of the process, so that several can run side by side. */
const char *target_path(const char *name);
void target_write(const char *path, const uint8_t *data, size_t size);
/* The whole file, to be freed; NULL if there is none. */
uint8_t *target_read(const char *path, size_t *size);
/* Unless OK, say what does not hold and end: a finding. */
void target_require(bool ok, const char *what);

#endif
