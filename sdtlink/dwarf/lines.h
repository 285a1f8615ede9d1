/* SPDX-License-Identifier: BSD-2-Clause */
/* The line tables: which line of the source the code at an address comes from. */
#ifndef SDTLINK_DWARF_LINES_H
#define SDTLINK_DWARF_LINES_H

#include "dwarf.h"

#include <stdint.h>

/* The code from address BEGIN up to END. */
struct dwarf_row {
    uint64_t begin, end;
    const char *file; /* its path, relative to the directory of the compilation if it is below it */
    unsigned line;
};

/* Call TAKE for every row, table by table. */
void dwarf_read_lines(const struct dwarf *dwarf,
                      void (*take)(const struct dwarf_row *row, void *data), void *data);

#endif
