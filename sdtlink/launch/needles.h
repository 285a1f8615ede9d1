/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Searching the string tables of many objects, of which hardly any holds what is looked for: a good
 * part of what a big archive of C++ costs. 64 bytes at a time, this takes a tenth of the time of
 * memmem() for all the names.
 */
#ifndef SDTLINK_LAUNCH_NEEDLES_H
#define SDTLINK_LAUNCH_NEEDLES_H

#include <stdint.h>

/*
 * Which of two needles, parts of names, are in the SIZE bytes at STRINGS: bit 0, bit 1. A needle
 * should be what all names have in common that are to be found with it, begin with two bytes that
 * are seldom side by side, and have at most 16 bytes.
 */
unsigned needles_find(const uint8_t *strings, uint64_t size, const char *const needles[2]);

#endif
