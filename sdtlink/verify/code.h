/* SPDX-License-Identifier: BSD-2-Clause */
/* What the instructions of sites, stubs, loaders and entries must be. */
#ifndef SDT_VERIFY_CODE_H
#define SDT_VERIFY_CODE_H

#include "records.h"

/* Bytes of a site of this kind, 0 if there is no such kind. */
unsigned code_length(unsigned kind);
/* Bytes of its first instruction. */
unsigned code_first_length(unsigned kind);
/* Whether it answers a question, and calls nobody. */
bool code_is_question(unsigned kind);
/* Whether a site of this kind owes its way to the stub to a loader of its own. */
bool code_has_loader(unsigned kind);
/* Whether its record leads not to the probe's stub but to an entry of its own. */
bool code_has_entry(unsigned kind);
/* The loader of a sound record: where its branch leads, or (jcc) behind its patch byte. */
bool code_loader(struct image *image, const struct record *record, struct place *loader);

/* The bytes at the site, and the distance between its first and its patch byte. */
void code_check_site(struct image *image, const struct record *record);
void code_check_loader(struct image *image, const struct record *record);
void code_check_entry(struct image *image, const struct record *record);
void code_check_stub(struct image *image, const struct probe *probe);

#endif
