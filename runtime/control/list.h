/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The list that a process gives to tools: a line for each site, of fields separated by tabs.
 *
 *     provider module function name pc kind mode error hits fd inode offset pages place arguments
 *
 * Arguments are `NAME:TYPE`, with spaces between them. The words that count hits of the site's
 * probe are in a file of this process, at `offset` and each 4096 bytes after, `pages` of them
 * (counters.h); if they are in no file, fd is -1, and only `hits`, as of now, is known. Control
 * characters and backslashes in names are \xNN.
 */
#ifndef SDT_CONTROL_LIST_H
#define SDT_CONTROL_LIST_H

#include <stddef.h>

/* All sites that match PATTERN, as text in memory that the caller frees. 0, or an error. */
int list_sites(const char *pattern, char **text, size_t *length);

#endif
