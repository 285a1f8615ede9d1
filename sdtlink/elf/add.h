/* SPDX-License-Identifier: BSD-2-Clause */
/* Adding to an object. */
#ifndef SDTLINK_ELF_ADD_H
#define SDTLINK_ELF_ADD_H

#include "object.h"

/* An object without sections of its own, to be filled. */
void object_create(struct object *object, const char *path, const struct tool_arch *arch);
/* Add a section; a member of GROUP unless 0. NAME is kept, and must live as long as the object.
 * Invalidates struct section pointers. */
uint32_t object_add_section(struct object *object, const char *name, uint32_t type, uint64_t flags,
                            uint64_t align, uint32_t group);
/* Say that the stack need not be executable. Only of an object that was created: of one that was
 * compiled it is not ours to say. */
void object_add_stack_note(struct object *object);
/* Add a COMDAT group whose signature is symbol id SIGNATURE. */
uint32_t object_add_group(struct object *object, uint32_t signature);
/*
 * Add a group that is no COMDAT group: its members live or die together, that is all. *GROUP is its
 * index; returned is its first member, an empty section, after whose symbol it is named.
 */
uint32_t object_add_bundle(struct object *object, const char *name, uint64_t flags,
                           uint32_t *group);
/* Make an input's section, whose group is an input's too, a member of none. */
void object_leave_group(struct object *object, uint32_t section);
size_t object_append(struct object *object, uint32_t section, const void *data, size_t size);
/* SIZE bytes more in an added SHT_NOBITS section; returns where. */
uint64_t object_reserve(struct object *object, uint32_t section, uint64_t size);
/* Append TEXT and a NUL to a string table; returns its offset there. */
uint32_t object_add_string(struct object *object, uint32_t section, const char *text);
/* Add a symbol; returns its id. */
uint32_t object_add_symbol(struct object *object, const char *name, unsigned bind, unsigned type,
                           unsigned visibility, uint32_t section, uint64_t value, uint64_t size);
/* Let symbol id SYMBOL, which was added without a section, be defined by SECTION, at its start. */
void object_define_added(struct object *object, uint32_t symbol, uint32_t section);
/* The id of SECTION's STT_SECTION symbol, added if there is none. */
uint32_t object_symbol_for(struct object *object, uint32_t section);
/* Make the symbol SYMBOL take the place: field = symbol + addend [- field's address]. */
void object_relocate(struct object *object, uint32_t section, uint64_t offset, uint32_t type,
                     uint32_t symbol, int64_t addend);
/* Make room for COUNT pieces of SIZE bytes with as many relocations each, which will follow. */
void object_expect(struct object *object, uint32_t section, size_t count, size_t size,
                   size_t relocations);
/* Let undefined input symbol INDEX be defined by SECTION, at its start. */
void object_define_symbol(struct object *object, uint32_t index, unsigned bind, unsigned type,
                          unsigned visibility, uint32_t section, uint64_t size);
/* Take input symbol INDEX out of the table. */
void object_drop_symbol(struct object *object, uint32_t index);

#endif
