/* SPDX-License-Identifier: BSD-2-Clause */
/* The recordings that a directory of the command line stands for: itself, or all in it. */
#ifndef SDT_DIFF_SETS_H
#define SDT_DIFF_SETS_H

#include <stddef.h>

struct set {
    const char *directory; /* as given */
    char **paths;          /* of the recordings, by name */
    size_t count;
};

/* 0, or -1 after a message: there is none. */
int set_find(struct set *set, const char *directory);
void set_free(struct set *set);

#endif
