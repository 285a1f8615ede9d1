/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The arguments of functions' sites: the call's `frame`; and, where the compiler has left debug
 * information, a function's parameters at its entry, and its result before it returns. Another
 * program reads that information (commands.h) and says, in lines:
 *
 *   f SYMBOL                 the function; what follows is about it
 *   a TYPE PLACE NAME        a parameter: enum sdt_arg_type, in decimal digits; a letter and a
 *                            number, as tool_arch.put_function_place() takes them; "-": none
 *   r TYPE PLACE NAME        the result
 *
 * Nothing of that is trusted: a line that is not so is ignored.
 */
#ifndef SDTLINK_PROBES_SIGNATURES_H
#define SDTLINK_PROBES_SIGNATURES_H

#include "sites.h"

/* Give each site of a function in SITES its arguments, by TEXT, which is changed; NULL: nothing is
 * known but the call. */
void signatures_attach(struct sites *sites, const struct object *object, char *text);

#endif
