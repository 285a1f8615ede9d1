/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef NAMEI_H
#define NAMEI_H

/* A node of a directory tree in memory. */
struct node {
    char *name;
    struct node *parent, *children, *sibling;
};

/* Walk PATH from ROOT. Returns 0 and sets *FOUND, or an errno value. */
int namei_lookup(struct node *root, const char *path, struct node **found);
/* The same, adding what is missing on the way. */
int namei_create(struct node *root, const char *path);

#endif
