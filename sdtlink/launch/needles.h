/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Searching the string tables of many objects, hardly any of which contain what is searched for: a
 * large part of the time that a big archive of C++ takes. Comparing 64 bytes at a time, this takes
 * a tenth of the time of memmem() for all the names.
 */
#ifndef SDTLINK_LAUNCH_NEEDLES_H
#define SDTLINK_LAUNCH_NEEDLES_H

#include <stdint.h>

/*
 * Which of two needles, parts of names, are in the SIZE bytes at STRINGS: bit 0, bit 1. A needle
 * should be the common part of the names to be found, begin with two bytes that are seldom side by
 * side, and have at most 16 bytes.
 */
unsigned needles_find(const uint8_t *strings, uint64_t size, const char *const needles[2]);

#endif
