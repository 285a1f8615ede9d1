/* SPDX-License-Identifier: BSD-2-Clause */
/* Which options of linkers take a value. */
#ifndef SDTLINK_LAUNCH_LINE_OPTIONS_H
#define SDTLINK_LAUNCH_LINE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum line_flavour { FLAVOUR_UNKNOWN, FLAVOUR_BFD, FLAVOUR_GOLD, FLAVOUR_LLD, FLAVOUR_MOLD };

/* Whether NAME is among the COUNT words of LIST. */
bool line_option_is_listed(const char *name, const char *const *list, size_t count);
#define COUNT(list) (sizeof(list) / sizeof *(list))
#define IS_ONE_OF(name, list) line_option_is_listed(name, list, COUNT(list))

/* The whole name of the option that WORD begins with, of which NAME was typed. */
const char *line_option_name(enum line_flavour flavour, const char *word, const char *name);
/* Whether the long option NAME takes the next word. */
bool line_option_is_long(const char *name);
/* Whether WORD begins with a letter that takes the rest of it, or the next one. */
bool line_option_is_short(const char *word);

#endif
