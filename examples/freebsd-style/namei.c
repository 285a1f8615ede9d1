/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Path names to nodes, with the probes that FreeBSD's name lookup has, in FreeBSD's own spelling:
 * they are defined once, with their argument types, and used by provider, module, function and
 * name. In patterns all four parts count: "vfs:namei:lookup:entry".
 */
#include "namei.h"

#include <errno.h>
#include <sdt/freebsd.h>
#include <stdlib.h>
#include <string.h>

SDT_PROVIDER_DEFINE(vfs);
SDT_PROBE_DEFINE2(vfs, namei, lookup, entry, "const char *", "struct node *");
SDT_PROBE_DEFINE2(vfs, namei, lookup, return, "int", "struct node *");
SDT_PROBE_DEFINE2(vfs, namei, create, node, "struct node *", "const char *");

/* The child of DIRECTORY whose name is the LENGTH bytes at NAME. */
static struct node *find_child(const struct node *directory, const char *name, size_t length)
{
    struct node *child = directory->children;
    while (child && (strncmp(child->name, name, length) != 0 || child->name[length]))
        child = child->sibling;
    return child;
}

static struct node *add_child(struct node *directory, const char *name, size_t length)
{
    struct node *child = calloc(1, sizeof *child);
    if (!child)
        return NULL;
    child->name = strndup(name, length);
    if (!child->name) {
        free(child);
        return NULL;
    }
    child->parent = directory;
    child->sibling = directory->children;
    directory->children = child;
    SDT_PROBE2(vfs, namei, create, node, child, child->name);
    return child;
}

/* One component; NODE is replaced. */
static int step(struct node **node, const char *name, size_t length, int create)
{
    struct node *next;
    if (length == 2 && memcmp(name, "..", 2) == 0)
        next = (*node)->parent ? (*node)->parent : *node;
    else
        next = find_child(*node, name, length);
    if (!next && create && !(next = add_child(*node, name, length)))
        return ENOMEM;
    if (!next)
        return ENOENT;
    *node = next;
    return 0;
}

static int walk(struct node *root, const char *path, int create, struct node **found)
{
    int error = 0;
    *found = root;
    while (error == 0 && *path) {
        size_t length = strcspn(path, "/");
        if (length > 0 && !(length == 1 && *path == '.'))
            error = step(found, path, length, create);
        path += length;
        path += strspn(path, "/");
    }
    return error;
}

int namei_lookup(struct node *root, const char *path, struct node **found)
{
    SDT_PROBE2(vfs, namei, lookup, entry, path, root);
    int error = walk(root, path, 0, found);
    SDT_PROBE2(vfs, namei, lookup, return, error, *found);
    return error;
}

int namei_create(struct node *root, const char *path)
{
    struct node *made;
    return walk(root, path, 1, &made);
}
