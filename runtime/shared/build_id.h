/* SPDX-License-Identifier: BSD-2-Clause */
/* The build ID, by which linkers identify files, among the notes of a section or segment: for
 * runtime and tools, in memory that need not be valid. Pure. */
#ifndef SDT_BUILD_ID_H
#define SDT_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

/* The length of the build ID, and where it is; 0: there is none in the SIZE bytes of NOTES. */
size_t build_id_find(const uint8_t *notes, size_t size, const uint8_t **id);
/* An ID as hexadecimal TEXT, which has ROOM; "": it is longer. */
void build_id_digits(const uint8_t *id, size_t length, char *text, size_t room);
/* The same of the build ID among the notes; "": there is none, or a longer one. */
void build_id_text(const uint8_t *notes, size_t size, char *text, size_t room);

#endif
