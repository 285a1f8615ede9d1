/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which records are valid. A probe system must not stop the program that it observes, so a wrong
 * record disables only its own site.
 */
#ifndef SDT_SITE_RECORD_H
#define SDT_SITE_RECORD_H

#include "args.h"
#include "image.h"
#include "target.h"

#include <sdt/format.h>

/* `provider:name`. */
const char *record_name(const struct sdt_site *record);
/* Whether RECORD overrides the object's module, and by what; NULL: no. */
const char *record_module(const struct sdt_site *record);
/* The counter that RECORD names; 0: none, or one that cannot be written. */
uintptr_t record_semaphore(const struct sdt_site *record, const struct image *image);

/* The branch in the text that a companion's moved site stands for; 0: none. */
uintptr_t record_branch(const struct sdt_site *record);

/*
 * Three checks of RECORD against IMAGE and the bytes of text; they read, never write.
 *
 * record_has_name: it leads to a string that is a name.
 * record_has_probe: it leads to a probe, as its stub does, and its strings are strings.
 * record_check: after that, also the kind, the site's own bytes and the loader's are right, and the
 * descriptor is valid: 0 and *ARGS, or -EILSEQ; or -EBADMSG: an argument of a note cannot be read.
 */
bool record_has_name(const struct sdt_site *record, const struct image *image);
bool record_has_probe(const struct sdt_site *record, const struct image *image);
int record_check(const struct sdt_site *record, const struct image *image, struct args *args);

#endif
