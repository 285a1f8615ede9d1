/* SPDX-License-Identifier: BSD-2-Clause */
/* Does a processed object have notes of <sys/sdt.h> that were not processed? */
#ifndef SDTLINK_LAUNCH_UNPROCESSED_NOTES_H
#define SDTLINK_LAUNCH_UNPROCESSED_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Whether the object of SIZE bytes at IMAGE holds more notes than records that have one. That is so
 * after `ld -r` of processed objects with others; it is also so where a note could not become a
 * site, which a second scan of the object finds out.
 */
bool unprocessed_notes(const uint8_t *image, size_t size);

#endif
