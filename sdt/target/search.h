/* SPDX-License-Identifier: BSD-2-Clause */
/* The processes of a name (process_name.h). */
#ifndef SDT_SEARCH_H
#define SDT_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct search {
    pid_t *found;
    size_t count;
};

/* Those called NAME, attachable or not; perhaps none. */
void search_all(const char *name, struct search *search);
/* Those of them that are attachable, as many as are WANTED: any number, at least one, or one. False
 * after a message: there are too few or too many. */
enum search_wanted { SEARCH_ANY, SEARCH_SOME, SEARCH_ONE };
bool search_attachable(const char *name, enum search_wanted wanted, struct search *search);
void search_free(struct search *search);

#endif
