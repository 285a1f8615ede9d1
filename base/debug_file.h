/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDT_BASE_DEBUG_FILE_H
#define SDT_BASE_DEBUG_FILE_H

/* Where distributions install what was stripped from the file with BUILD_ID, which is hexadecimal:
 * to be freed. NULL: the ID is too short to be one. */
char *debug_file_path(const char *build_id);

#endif
