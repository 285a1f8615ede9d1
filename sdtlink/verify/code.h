/* SPDX-License-Identifier: BSD-2-Clause */
/* What the instructions of sites, stubs, loaders and entries must be. */
#ifndef SDT_VERIFY_CODE_H
#define SDT_VERIFY_CODE_H

#include "records.h"

/* Bytes of a site of this kind, 0 if there is no such kind. */
unsigned code_length(const struct image *image, unsigned kind);
/* Bytes of its first instruction. */
unsigned code_first_length(const struct image *image, unsigned kind);
/* Bytes of the site of RECORD as it is in the file: a companion's is as compiled, unless moved. */
unsigned code_site_length(const struct image *image, const struct record *record);
/* Whether a site of this kind owes its way to the stub to a loader of its own. */
bool code_has_loader(const struct image *image, unsigned kind);
/* Whether the bytes of the site lead to its entry, which names the record. */
bool code_leads_to_entry(const struct image *image, const struct record *record);
/* The loader of a sound record that has one: where its branch leads; after its site, if moved. */
bool code_loader(struct image *image, const struct record *record, struct place *loader);
/* The fields that may name a stub or a site: a call that is off or a companion's branch, those of a
 * loader. Returns how many there are. */
enum { CODE_FIELDS = 4 };
unsigned code_fields(struct image *image, const struct record *record,
                     struct place fields[CODE_FIELDS]);

/* The field of added code that leads to the site of a sound record: of its loader or entry. False:
 * there is none. */
bool code_way_back(struct image *image, const struct record *record, struct place *field);

/* The bytes at the site, and where they lead. */
void code_check_site(struct image *image, const struct record *record);
void code_check_loader(struct image *image, const struct record *record);
void code_check_entry(struct image *image, const struct record *record);
void code_check_stub(struct image *image, const struct probe_record *probe);

#endif
