/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parameters and results of the functions of an object, and in which registers they are
 * (passing.h).
 *
 * A compiler may have changed how a function is called that nothing outside calls. gcc gives such a
 * function another name (.constprop, .isra, .part), which has no signature here. clang keeps the
 * name; so of such a function it must have said where each parameter is at the first instruction.
 * Where it has said so, of any function, that must be the place that the ABI has for it.
 */
#ifndef SDTLINK_DWARF_SIGNATURES_H
#define SDTLINK_DWARF_SIGNATURES_H

#include "dwarf.h"

#include <sdt/format.h>
#include <stdbool.h>
#include <stdint.h>

/* One argument that is shown. */
struct dwarf_argument {
    const char *name; /* NULL: none */
    uint8_t type;     /* enum sdt_arg_type */
    char place[4];    /* as struct passed has it */
};

enum { DWARF_MAX_ARGUMENTS = SDT_MAX_ARGS - 1 }; /* one is the call's */

struct dwarf_signature {
    const char *symbol;
    unsigned count;
    struct dwarf_argument arguments[DWARF_MAX_ARGUMENTS];
    bool has_result;
    struct dwarf_argument result;
};

/* Call TAKE for each function, whose symbol may be that of several. */
void dwarf_read_signatures(const struct dwarf *dwarf,
                           void (*take)(const struct dwarf_signature *signature, void *data),
                           void *data);

#endif
