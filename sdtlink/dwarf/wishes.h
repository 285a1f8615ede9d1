/* SPDX-License-Identifier: BSD-2-Clause */
/* What is asked about a name (enums.h, meanings.h). */
#ifndef SDTLINK_DWARF_WISHES_H
#define SDTLINK_DWARF_WISHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DWARF_MAX_LABELS = 256 }; /* of an enumeration: as in descriptions */

struct dwarf_label {
    int64_t value;
    const char *name; /* in the file, until dwarf_close() */
};

struct dwarf_wish {
    const char *function; /* its symbol */
    const char *name;
    void *of; /* the caller's */
    bool is_doubtful;
    struct dwarf_label *labels; /* the answer, to be freed; NULL: none */
    size_t label_count;
};

void dwarf_free_wishes(struct dwarf_wish *wishes, size_t count);

#endif
