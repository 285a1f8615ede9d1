/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading the metadata of a trace; trace.h says which parts are read. */
#ifndef SDT_METADATA_H
#define SDT_METADATA_H

#include "trace.h"

/* Kind and sizes of a FIELD of TYPE, as the metadata spells it. False: there is no such
 * type. */
bool metadata_type(const char *type, struct field *field);
/* The next word of *REST, decoded, which goes on after it; NULL: no more. */
char *metadata_word(char **rest);
/* Read TEXT, the contents of file PATH; classes go to the trace. */
int metadata_read(struct recording *recording, struct trace *trace, const char *path,
                  struct bytes text);

#endif
