/* SPDX-License-Identifier: BSD-2-Clause */
/* Types, for the files here that use libdw themselves. */
#ifndef SDTLINK_DWARF_TYPES_H
#define SDTLINK_DWARF_TYPES_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

enum type_answer { TYPE_VOID, TYPE_FOUND, TYPE_DAMAGED };

/* The type that ENTRY has, without typedefs, const and the like: *TYPE. */
enum type_answer type_of(Dwarf_Die *entry, Dwarf_Die *type);
/* The same of TYPE itself, which is changed. */
enum type_answer type_strip(Dwarf_Die *type);

/* Attribute NAME of ENTRY, or of what it refers to, as a number; false: there is no such. */
bool type_number(Dwarf_Die *entry, unsigned name, uint64_t *number);
/* The enumerators of TYPE, at most DWARF_MAX_LABELS; false: too many, or not understood. */
struct dwarf_label;
bool type_labels(Dwarf_Die *type, struct dwarf_label *labels, size_t *count);
/* DW_AT_encoding; 0: none. */
unsigned type_encoding(Dwarf_Die *type);
/* Bytes; 0: unknown. */
uint64_t type_size(Dwarf_Die *type);
/* Whether an enumeration, or a base type of integers, has a sign. */
bool type_is_signed(Dwarf_Die *type);
/* Whether TYPE, stripped, is C's char, in which text is. */
bool type_is_char(Dwarf_Die *type);
/* Where MEMBER of a structure begins, in bytes; false: it is calculated at run time. */
bool type_member_offset(Dwarf_Die *member, uint64_t *offset);
/* How many elements an array has in its dimensions from FIRST on; 0: unknown. */
uint64_t type_elements(Dwarf_Die *array, unsigned first);
unsigned type_dimensions(Dwarf_Die *array);

#endif
