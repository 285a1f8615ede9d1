/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The strings of a list, each copied once.
 *
 * Thousands of records may name one string of any length, so it must not be copied for each of
 * them. Strings are identified by where they are read from, so nothing has to be compared; this
 * holds while their file is open.
 */
#ifndef SDTLINK_LIST_STRINGS_H
#define SDTLINK_LIST_STRINGS_H

#include "base/slice.h"

#include <stddef.h>
#include <stdint.h>

struct list_strings {
    char **copies;
    size_t count, capacity;
    struct list_string *slots; /* by where they came from; open addressing */
    size_t slot_count, used;
    uint64_t named; /* bytes of all strings that were asked for, repetitions included */
};

/* The copy of STRING, cut after MAX_NAME_BYTES bytes. */
const char *list_strings_add(struct list_strings *strings, struct slice string);
/* TEXT, which is theirs from now on. */
const char *list_strings_keep(struct list_strings *strings, char *text);
/* Before the file is closed: another one may be read from the same places. */
void list_strings_forget(struct list_strings *strings);
void list_strings_free(struct list_strings *strings);

#endif
