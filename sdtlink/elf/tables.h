/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables of a mapped object, read into memory instead of being mapped.
 *
 * Headers, symbols, names, relocations and groups, a third of a big object, are read from end to
 * end, some several times, and changed here and there. Through a mapping of the file that is a page
 * fault for every few pages that are read, and one for each page that is changed. So, where tables
 * are, the mapping is replaced by huge pages, which the file is read into: every pointer into the
 * image stays what it is.
 */
#ifndef SDTLINK_ELF_TABLES_H
#define SDTLINK_ELF_TABLES_H

#include "object.h"

/* Of a mapped object whose section headers lie in the file. Returns 0, or -1 after a message. */
int tables_read(const struct object *object);

#endif
