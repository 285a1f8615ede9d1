/* SPDX-License-Identifier: BSD-2-Clause */
/* The proofs, one function each; every defect is reported through report.h. */
#ifndef SDT_VERIFY_CHECKS_H
#define SDT_VERIFY_CHECKS_H

#include "records.h"

/* set.c: the sections of the set, and what linkers must know about them. IS_DIRECT: the object is
 * known to be the tool's own output. *RELINKED: records whose section `ld -r` has untied. */
void check_set(struct image *image, const struct records *records, bool is_direct,
               size_t *relinked);
/* probes.c: probe records, their symbols, groups and stubs; the registration of the set. */
void check_probes(struct image *image, const struct records *records);
/* sites.c: the code of sites and loaders, duplicates, overlaps, and unrecorded uses. -1: memory.
 * *UNSURE: sites without a function symbol around them. */
int check_sites(struct image *image, struct records *records, size_t *unsure);
/* uses.c: every branch to a stub and every disabled site that no record accounts for, and every
 * branch to a moved site, as marks for walk_marks(). RECORDS are sorted by site. */
struct mark;
int uses_find(struct image *image, struct records *records, struct mark **marks, size_t *count);
/* labels.c: objects whose code linkers shorten: what leads to sites leads to labels there. */
void check_labels(struct image *image, const struct records *records);
/* … the relocation of FIELD, which leads to the site of RECORD. */
void check_label(struct image *image, const struct record *record, struct place field);
/* notes.c: the notes for tracers. RECORDS are sorted by site. -1: memory. */
int check_notes(struct image *image, const struct records *records, bool is_direct);
/* against.c: IMAGE was made from ORIGINAL, and nothing else was changed. -1: memory. */
int check_against(struct image *image, const struct image *original, const struct records *records);
/* arguments.c, for against.c: inline sites have the arguments that .sdt_args of ORIGINAL tells.
 * MAP: sections of the original → sections of IMAGE. RECORDS are sorted by site. */
void check_arguments(struct image *image, const struct image *original, const uint32_t *map,
                     const struct records *records);
/* promise.c: the handlers of SDT_GENERAL_REGS_HANDLER, and all that they call, leave vector
 * registers alone. *HANDLERS: how many there are. -1: memory. */
int check_promises(struct image *image, size_t *handlers);

#endif
