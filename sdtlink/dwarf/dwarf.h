/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The entries of debug information (section .debug_info; DWARF 2 to 5, chapters 2 and 7 of the
 * standard), as far as names and types go. Only little-endian 64-bit files, of the machines that
 * the tool knows, and only what is in the file itself, uncompressed.
 *
 * Nothing is trusted: damaged entries count as missing.
 */
#ifndef SDTLINK_DWARF_DWARF_H
#define SDTLINK_DWARF_DWARF_H

#include "base/elf_view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dwarf_section {
    const uint8_t *data;
    size_t size;
};

struct dwarf_unit {
    uint64_t begin, first, end; /* its header, its first entry, and what is after it */
    uint64_t abbreviations;     /* where they are */
    uint64_t strings;           /* where its part of .debug_str_offsets is */
    struct dwarf_shape *shapes; /* by code; made when they are needed */
    size_t shape_count;
    uint8_t version, offset_size, address_size;
    bool is_strange; /* its types are elsewhere, or it is of an unknown sort */
};

struct dwarf {
    struct elf_view file;
    struct dwarf_section info, abbrev, str, line_str, str_offsets;
    char build_id[41];        /* in hexadecimal; "": it has none */
    struct dwarf_unit *units; /* by place */
    size_t shapes;            /* that were ever made */
    size_t unit_count;
};

enum dwarf_tag {
    TAG_ARRAY_TYPE = 0x01,
    TAG_ENUMERATION_TYPE = 0x04,
    TAG_FORMAL_PARAMETER = 0x05,
    TAG_IMPORTED_UNIT = 0x3d,
    TAG_MEMBER = 0x0d,
    TAG_POINTER_TYPE = 0x0f,
    TAG_REFERENCE_TYPE = 0x10,
    TAG_TYPEDEF = 0x16,
    TAG_BASE_TYPE = 0x24,
    TAG_CONST_TYPE = 0x26,
    TAG_ENUMERATOR = 0x28,
    TAG_SUBPROGRAM = 0x2e,
    TAG_VARIABLE = 0x34,
    TAG_VOLATILE_TYPE = 0x35,
    TAG_RESTRICT_TYPE = 0x37,
    TAG_RVALUE_REFERENCE_TYPE = 0x42,
    TAG_ATOMIC_TYPE = 0x47
};

/* An entry. References are places in .debug_info; 0: none, UINT64_MAX: somewhere else. */
struct dwarf_entry {
    uint64_t at;
    unsigned tag; /* 0: the end of a list of children */
    bool has_children, is_bit_field, is_declaration;
    const char *name, *linkage_name; /* NULL: none */
    uint64_t type, origin;           /* DW_AT_abstract_origin, or DW_AT_specification */
    int64_t value;                   /* of an enumerator */
    uint64_t size, encoding;         /* of a type; 0: not said */
};

/* What the program or library PATH has; nothing, if it cannot be read or understood. */
void dwarf_open(struct dwarf *dwarf, const char *path);
void dwarf_close(struct dwarf *dwarf);

/* The entry at *AT of UNIT, and *AT after it. False: there is none, or it is not understood. */
bool dwarf_next(struct dwarf *dwarf, struct dwarf_unit *unit, uint64_t *at,
                struct dwarf_entry *entry);
/* UNIT is not needed any more, at least for some time. */
void dwarf_leave(struct dwarf_unit *unit);
/* The entry that a reference leads to, and its unit. */
bool dwarf_entry_at(struct dwarf *dwarf, uint64_t reference, struct dwarf_unit **unit,
                    struct dwarf_entry *entry);

#endif
