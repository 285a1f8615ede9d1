/* SPDX-License-Identifier: BSD-2-Clause */
/* The attachable processes of a name. */
#ifndef SDT_SEARCH_H
#define SDT_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { SEARCH_MOST = 256 };

struct search {
    const char *name;
    pid_t found[SEARCH_MOST];
    size_t count;
    pid_t refused; /* one of that name that is not attachable; 0: there is none */
    int result;    /* of attach_open() */
};

/* Those called NAME (process_name.h): at least one. False after a message: there is none, or there
 * are several and TAKES_ALL is false. */
bool search_name(const char *name, bool takes_all, struct search *search);

#endif
