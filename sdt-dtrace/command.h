/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Running other programs: $CPP and $CC. Their messages go where ours go.
 */
#ifndef SDT_DTRACE_COMMAND_H
#define SDT_DTRACE_COMMAND_H

#include "base/words.h"

/*
 * Add the words of environment variable VARIABLE, or of FALLBACK if it is not set or empty. A
 * backslash before the end of a line joins it with the next, as in a makefile.
 */
void command_add_variable(struct words *words, const char *variable, const char *fallback);
/*
 * Run WORDS and wait. INPUT, if not NULL, is its standard input; OUTPUT, if not NULL, gets its
 * standard output. Whatever is not exit status 0 is an error.
 */
int command_run(const struct words *words, const struct bytes *input, struct bytes *output);

#endif
