/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Types of a program, and what is in them: what an argument is a pointer to, and where a member of
 * that is.
 */
#ifndef SDTLINK_DWARF_MEMBERS_H
#define SDTLINK_DWARF_MEMBERS_H

#include "dwarf.h"
#include "wishes.h"

/* One of them, until dwarf_close(). */
struct dwarf_type {
    void *die[4];     /* libdw's */
    unsigned indexed; /* of an array: so many dimensions have an index */
};

enum dwarf_shape {
    DWARF_INTEGER, /* an enumeration as well */
    DWARF_REAL,
    DWARF_POINTER, /* a reference as well */
    DWARF_STRUCTURE,
    DWARF_ARRAY,
    DWARF_OTHER
};

/* What a type is, without typedefs and the like. */
struct dwarf_view {
    enum dwarf_shape shape;
    bool is_signed, is_bool, is_char, is_enumeration; /* of integers */
    uint64_t size;                                    /* bytes; 0: unknown */
    uint64_t count;                                   /* of an array: elements; 0: unknown */
    const char *name;                                 /* NULL: it has none */
};
void dwarf_look(const struct dwarf_type *type, struct dwarf_view *view);
/* What a pointer points to, and an array has; false: void, or damaged. */
bool dwarf_target(const struct dwarf_type *type, struct dwarf_type *target);
/* The names of an enumeration's values, at most DWARF_MAX_LABELS; 0: none. */
size_t dwarf_labels(const struct dwarf_type *type, struct dwarf_label *labels);

/*
 * The type of what an argument's NAME means in FUNCTION (enums.h): a parameter of it, only that if
 * IS_PARAMETER; or else a variable in it; or else anything of that name, if all have one type.
 */
enum dwarf_answer { DWARF_FOUND, DWARF_NONE, DWARF_DOUBTFUL };
enum dwarf_answer dwarf_find_variable(const struct dwarf *dwarf, const char *function,
                                      const char *name, bool is_parameter, struct dwarf_type *type);

struct dwarf_member {
    struct dwarf_type type;
    uint64_t offset;    /* bytes */
    unsigned bit, bits; /* of a bit-field: from the lowest bit of the byte there; 0: it is none */
};
/* Member NAME of structure TYPE, of its anonymous members and of its bases. DWARF_NONE; or
 * DWARF_DOUBTFUL: where it is depends on the object, or it is not in the object. */
enum dwarf_answer dwarf_find_member(const struct dwarf *dwarf, const struct dwarf_type *type,
                                    const char *name, struct dwarf_member *member);
/* Call TAKE for each name that dwarf_find_member() knows. */
void dwarf_each_member(const struct dwarf *dwarf, const struct dwarf_type *type,
                       void (*take)(const char *name, void *data), void *data);
/* Whether no unit has the members of structure TYPE. */
bool dwarf_is_incomplete(const struct dwarf *dwarf, const struct dwarf_type *type);

#endif
