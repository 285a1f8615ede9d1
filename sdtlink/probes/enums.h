/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entries of SDT_ENUM_NAMES (<sdt/enum.h>): names for the values of an argument. They become part
 * of the descriptors of the probe's sites.
 */
#ifndef SDTLINK_PROBES_ENUMS_H
#define SDTLINK_PROBES_ENUMS_H

#include "base/slice.h"
#include "elf/object.h"

/* As it is in the section. */
struct enum_entry {
    int64_t value;
    char text[56];
};

/* The names that one argument of a probe has for its values. */
struct enum_names {
    struct slice provider, name, argument;
    const struct enum_entry *entries; /* in the section */
    uint32_t count;
    bool is_used;   /* some site of the probe has that argument */
    bool is_beside; /* it is in another object (elf/beside.h), which reports it */
};

/* All of them, by provider, name and argument. */
struct enums {
    struct enum_names *items;
    uint32_t count;
};

/* Those of OBJECT, and those in others of its link that are about one of its probes: KNOWS tells.
 * 0, or -1 after saying why. */
int enums_read(struct enums *enums, const struct object *object,
               bool (*knows)(const void *data, struct slice provider, struct slice name),
               const void *data);
void enums_free(struct enums *enums);
/* The first of a probe's, and in *COUNT how many; NULL: it has none. */
struct enum_names *enums_find(const struct enums *enums, struct slice provider, struct slice name,
                              uint32_t *count);
/* Append `;VALUE=NAME` for each value, of an argument of that TYPE (enum sdt_arg_type). */
void enums_append(struct bytes *text, const struct enum_names *names, uint8_t type);
/* Warn of those that no site of their probe, which is there, can use. */
void enums_report(const struct enum_names *names, uint32_t count, const struct object *object);

#endif
