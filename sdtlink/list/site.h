/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What `sdtlink list` knows about one site, from any reader.
 *
 * Four readers fill the same list: set.c (the site set of processed objects and linked files),
 * calls.c (the calls of an object that is not processed yet), notes.c (.note.stapsdt of any
 * program) and markers.c (.markers). A site that has a record and also a note or a marker is listed
 * once (list_merge). print.c shows the list.
 */
#ifndef SDTLINK_LIST_SITE_H
#define SDTLINK_LIST_SITE_H

#include "base/slice.h"
#include "strings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All strings but FILE, which is the caller's, belong to the list; NULL: unknown. */
struct list_site {
    const char *file, *provider, *name, *module, *function;
    const char *demangled; /* the function, if it is a C++ name and this was requested */
    const char *runtime;   /* where the file has it from: list_runtime.c */
    const char *section; /* NULL: in another object (companion objects), then `symbol` says where */
    const char *symbol;
    uint64_t offset; /* of byte 0, in the section; or from the symbol, then signed */
    uint64_t address;
    bool has_address; /* linked files only */
    uint32_t home;    /* the number of `section`; 0: unknown */
    const char *kind;
    const char *args;                       /* types and places */
    const char *fields;                     /* `KIND:NAME` for each, with blanks between them */
    const char *place;                      /* FILE:LINE */
    const struct describe_probe *described; /* what a user says of it: list_describe.c */
    unsigned described_types;               /* and which of those types it can have */
    unsigned flags;                         /* enum sdt_site_flag */
    bool is_unprocessed;                    /* a call still: sdtlink has not been here */
    bool is_record;                         /* of the site set: */
    uint32_t set;                           /* … in that section, */
    uint64_t record;                        /* … at that offset */
    bool has_note;               /* outside tracers find it by a note, which says note_args */
    const char *note_args;       /* as in the note */
    uint64_t semaphore;          /* its address in a linked file; 0: none */
    const char *semaphore_place; /* in an object: symbol, or section+offset */
    unsigned marker_length; /* section .markers lists it: how many bytes of NOPs; 0: it does not */
};

struct list {
    struct list_site *sites;
    size_t count, capacity;
    struct list_strings strings;
};

/* A new site of FILE at the end of LIST, all else unset. */
struct list_site *list_add(struct list *list, const char *file);
void list_free(struct list *list);
/* Whether it is an is-enabled site, which has no arguments, though its probe may have some. */
bool list_is_question(const struct list_site *site);
/* TEXT of the open file, which may be as long as that: cut as in names.h. */
const char *list_string(struct list *list, const char *text);

struct list_elf;
struct list_place;
/* SITE, of a linked file, is at ADDRESS; returns in which section that is. */
struct list_place list_at_address(const struct list_elf *elf, uint64_t address,
                                  struct list_site *site);
/* SITE is at PLACE, in the function that is there; nothing if the place is in no section. */
void list_at_place(struct list *list, const struct list_elf *elf, struct list_place place,
                   struct list_site *site);
/* Each returns 0, or -1 after saying why. */
int list_read_set(struct list_elf *elf, struct list *list);
void list_read_notes(struct list_elf *elf, struct list *list);
int list_read_markers(struct list_elf *elf, struct list *list);
int list_read_calls(const char *path, struct list *list);
/* Order the sites after the first FIRST, and make one of a record and a note of the same site. */
void list_merge(struct list *list, size_t first);

/*
 * Say for the sites from number FIRST on whether their file has a runtime. False: it is a program
 * with sites, and has none.
 */
bool list_read_runtime(const struct list_elf *elf, struct list *list, size_t first);

struct dwarf; /* dwarf/dwarf.h */
/* list/lines.c: the places in the source of sites that do not say them, from debug information. */
void list_read_lines(const struct dwarf *dwarf, struct list *list, size_t first);

/* list/enums.c: names for the values of arguments that say none, from debug information. */
void list_read_enums(struct dwarf *dwarf, struct list *list, size_t first);

void list_print_text(const struct list *list);
/* WITH_DEMANGLED: a member of that name. */
void list_print_json(const struct list *list, bool with_demangled);
void list_print_summary(const struct list *list, bool is_json);

/* list_fields.c: SITE has these NARGS arguments, whose names may follow TEXT (<sdt/format.h>). NEXT
 * says where the string after one is, and NULL if there is none. False: it is cut off. */
bool list_take_args(struct list *list, struct list_site *site, const char *text, unsigned nargs,
                    const char *(*next)(void *data), void *data);
/* It is in FILE, unless that is empty, at LINE. */
void list_take_place(struct list *list, struct list_site *site, struct slice file, uint32_t line);
/* The field of the argument whose `TYPE@OPERAND` is at TYPE, and *FIELDS moved to the next one's.
 */
struct list_field {
    struct slice name;                      /* length 0: none */
    const char *type;                       /* "int32"; NULL: TYPE is no type of ours */
    bool is_hidden;                         /* a part of the one before */
    char kind;                              /* the letter; 0: only the type is known */
    const char *labels;                     /* names of its values: describe_read_labels(); NULL */
    const struct describe_field *described; /* its unit and enumerators; NULL: none */
};
struct list_field list_next_field(const char **fields, const char *type);

/* list_describe.c: have all sites as DESCRIPTION, of file PATH, says. The field of argument INDEX
 * is then what list_field_of() says; the unit and the enumerators of one are appended. */
struct description;
void list_describe(struct list *list, const struct description *description, const char *path);
struct list_field list_field_of(const struct list_site *site, unsigned index, const char **fields,
                                const char *type);
struct bytes;
/* To be freed. */
char *list_label_value(const struct describe_field *field, unsigned index);
/* Unit and enumerators of FIELD, by its description or the program; free *MEMORY after them. */
struct describe_field list_details(const struct list_field *field, void **memory);
void list_append_details(struct bytes *text, const struct list_field *field);

/* For columns; to be freed. The text, or "-" for NULL, escaped, cut where it is too long to read,
 * and with every "__" as "-" if it is a NAME. The types of a site's arguments, and their names, if
 * wanted. */
char *list_for_people(const char *text, bool is_name);
char *list_arguments_text(const struct list_site *site, bool with_names);

#endif
