/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Users' descriptions of probes: the files of sdt-describe(5), for probes in programs that were not
 * compiled with sdtlink. Shared by the recorder, which must know before a hit which arguments are
 * text, and the tools. Pure functions.
 *
 *   file:   { probe }
 *   probe:  `probe` NAME : NAME ( [ field { , field } ] ) [ ; ]
 *   field:  NAME [ : type ] [ "UNIT" ]                            the name _ stays as it is
 *   type:   int8 … int64 | uint8 … uint64 | hex8 … hex64 | bool | pointer | float | double
 *           | string | bytes | length | enum [ int8 … hex64 ] { label { , label } [ , ] }
 *   label:  NUMBER ( NAME | "TEXT" )
 *
 * Blanks and newlines separate words; # begins a comment, which ends with its line.
 */
#ifndef SDT_DESCRIBE_H
#define SDT_DESCRIBE_H

#include <sdt/format.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DESCRIBE_MAX_BYTES = 1 << 20, /* of a file */
    DESCRIBE_MAX_PROBES = 10000,
    DESCRIBE_MAX_LABELS = 256, /* of a field */
    DESCRIBE_MAX_NAME = 64,
    DESCRIBE_MAX_UNIT = 16
};

struct describe_label {
    uint64_t value; /* the bits of a signed one */
    const char *text;
};

/* NULL and 0: as the site says. */
struct describe_field {
    const char *name, *unit;
    uint8_t kind; /* a letter of enum field_kind (field.h) */
    uint8_t size; /* in bytes */
    uint16_t label_count;
    const struct describe_label *labels;
    size_t first_label; /* while the file is read */
};

struct describe_probe {
    const char *provider, *name; /* as sites have them: `__`, not `-` */
    size_t offset;               /* in the file */
    unsigned count;
    struct describe_field fields[SDT_MAX_ARGS];
};

struct description {
    struct describe_probe *probes; /* by provider and name */
    size_t count;
    struct describe_label *labels;
    size_t label_count;
    char *strings;
};

struct describe_error {
    size_t offset;       /* in the text */
    const char *problem; /* static */
};

/* NULL and *ERROR, or what TEXT, of LENGTH bytes, describes; free with describe_free(). */
struct description *describe_parse(const char *text, size_t length, struct describe_error *error);
/* DESCRIPTION may be NULL. */
void describe_free(struct description *description);

/* The description of a probe; NULL: none, or there is no DESCRIPTION. */
const struct describe_probe *describe_find(const struct description *description,
                                           const char *provider, const char *name);

/*
 * Which of the types in PROBE fit a site of COUNT arguments whose own types have these KINDS and
 * SIZES: bit I is argument I's. Text, for example, does not fit what is not an address.
 */
unsigned describe_fitting(const struct describe_probe *probe, const uint8_t *kinds,
                          const uint8_t *sizes, unsigned count);

/* The label of VALUE, of a field of SIZE bytes; NULL: it has none. */
const char *describe_label(const struct describe_field *field, uint64_t value, unsigned size);

/*
 * The labels that a descriptor has for an argument: `;VALUE=NAME` for each, and then a colon
 * (<sdt/format.h>). Allocated, in one piece with what they point to; *COUNT of them. NULL: there is
 * none, or no memory.
 */
struct describe_label *describe_read_labels(const char *text, unsigned *count);
/* The name of VALUE, an argument of SIZE bytes, among the labels at TEXT, which may be NULL.
 * *LENGTH bytes, in TO, which has ROOM for them and a NUL; false: there is none, or no room. */
bool describe_find_label(const char *text, uint64_t value, unsigned size, char *to, size_t room,
                         size_t *length);

/* "int32" for 'i' and 4; "enum" is not among them. Static. */
const char *describe_type(uint8_t kind, uint8_t size);
/* The other way round: kind and size of FIELD become those of the type NAME, of LENGTH bytes.
 * False: there is no such type. */
bool describe_set_type(struct describe_field *field, const char *name, size_t length);
/* The order in which probes are sorted. */
int describe_compare(const struct describe_probe *probe, const char *provider, const char *name);

#endif
