/* SPDX-License-Identifier: BSD-2-Clause */
/* The metadata of rings that a process hands over (runtime/ring/handed.h) become a file here. */
#ifndef SDT_RECORD_HANDED_H
#define SDT_RECORD_HANDED_H

#include <ring/handed.h>

/* Make the file, with what is described so far: a reader of the recording finds all of it or
 * nothing. *WRITTEN: how much of the parts is in it. 0 or an error. */
int handed_begin(const struct storage *storage, size_t *written);
/* Write what was described since then; nothing, if STORAGE was not handed over. IS_OVER: nothing
 * more will be described. 0, or an error: then it is tried again. */
int handed_write(const struct storage *storage, bool is_over, size_t *written);

#endif
