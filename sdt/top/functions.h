/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt top --functions, and sdt top fn::NAME: rows for functions, with their time, instead of probes
 * (tree/calls.h). */
#ifndef SDT_TOP_FUNCTIONS_H
#define SDT_TOP_FUNCTIONS_H

#include "state.h"

/* PATTERNs that mean functions alone, as sdt lat writes them or as probes, fn::serve:entry: the
 * words for top_functions_take(). NULL: they do not. */
char **top_functions_of(char **patterns);
void top_functions_free(char **functions);
/* Take WORDS, the functions of the command line. A status, after a message. */
int top_functions_take(struct top *top, char **words);
/* Begin to count their calls. The same. */
int top_functions_begin(struct top *top);
/* Read the calls, and arrange the rows. -1: after a message. */
int top_functions_look(struct top *top);

#endif
