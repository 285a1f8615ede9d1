/* SPDX-License-Identifier: BSD-2-Clause */
/* Words of a text, one at a time. The static library of this example. */
#ifndef TOKENS_H
#define TOKENS_H

#include <stdio.h>

enum { TOKEN_MAX = 64 };

#ifdef __cplusplus
extern "C" {
#endif
/* The next word, in small letters, and cut off if it is too long; NULL at the end. */
const char *tokens_next(FILE *text, char word[TOKEN_MAX]);
#ifdef __cplusplus
}
#endif

#endif
