/* SPDX-License-Identifier: BSD-2-Clause */
/* Writing an object. */
#ifndef SDTLINK_ELF_WRITER_H
#define SDTLINK_ELF_WRITER_H

#include "base/output.h"
#include "object.h"

/*
 * Begin OUTPUT as a copy of the input, in the background. To be called after object_map(), which
 * is enough, and before the object is changed.
 */
void writer_begin(struct object *object, struct output *output);
/* Make OUTPUT what the input is: all that writer_begin() has left out. */
int writer_write_unchanged(const struct object *object, struct output *output);
/* Write the object to OUTPUT: over the copy, if that was begun. */
int writer_write(struct object *object, struct output *output);
/* The end of an object that object_create() has begun: mark that it needs no executable stack,
 * write it to PATH, and close it. */
int writer_write_created(struct object *object, const char *path);

#endif
