/* SPDX-License-Identifier: BSD-2-Clause */
/* See module.h. A module is the base name of the program's or library's file. */
#define _GNU_SOURCE
#include "module.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* PATH as others find it; that of the program's own file if it is empty. */
static char *whole_path(const char *path)
{
    char program[4096];
    if (*path == '\0') {
        ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
        program[n > 0 ? n : 0] = '\0';
        path = n > 0 ? program : program_invocation_name;
    }
    char *whole = *path == '/' ? NULL : realpath(path, NULL);
    return whole ? whole : strdup(path);
}

/* What the kernel adds to the name of a file that is gone, as after an upgrade. */
#define DELETED " (deleted)"

/* Whether the program's PATH says that its file has been replaced. The path stays as it is: what
 * has the name now may be another program. */
static bool was_replaced(const char *path)
{
    size_t length = strlen(path), n = strlen(DELETED);
    return length > n && strcmp(path + length - n, DELETED) == 0 && access(path, F_OK) != 0;
}

int module_name(struct object *object, const struct image *image)
{
    object->path = whole_path(image->path);
    if (!object->path)
        return -ENOMEM;
    const char *slash = strrchr(object->path, '/');
    object->module = slash ? slash + 1 : object->path;
    if (*image->path == '\0' && was_replaced(object->path)) {
        object->name = strndup(object->module, strlen(object->module) - strlen(DELETED));
        object->module = object->name ? object->name : object->module;
    }
    memcpy(object->build_id, image->build_id, sizeof object->build_id);
    return 0;
}
