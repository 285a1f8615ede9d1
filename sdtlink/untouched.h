/* SPDX-License-Identifier: BSD-2-Clause */
/* Nothing to process: the output is a copy of the input, bit by bit. Both return the exit status.
 */
#ifndef SDTLINK_UNTOUCHED_H
#define SDTLINK_UNTOUCHED_H

#include "base/output.h"
#include "elf/object.h"
#include "options.h"

/* OBJECT holds no probe, or none any more. OUTPUT was begun, if there is to be one. */
int untouched_object(const struct options *options, const struct object *object,
                     struct output *output);
/* The input is a foreign object without probes (elf/foreign.h). */
int untouched_foreign(const struct options *options);

#endif
