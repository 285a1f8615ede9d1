/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading functions instruction by instruction, to know what is an instruction and what is not. */
#ifndef SDT_VERIFY_WALK_H
#define SDT_VERIFY_WALK_H

#include "records.h"

/* A place that the walk must judge: a site, or a field that leads to a stub. */
struct mark {
    struct place at;
    const struct record *record; /* NULL: a use of a stub or moved site, or a disabled one */
    struct record *moved;        /* the record of what the use leads to; NULL: none, a stub */
    const char *name;            /* what the use names; NULL: the bytes of a disabled site */
};

/*
 * Every site begins at an instruction of its function, and no use is a call or jump, but for the
 * conditional jump that leads to a moved site, which is noted in its record. MARKS are sorted by
 * place. *UNSURE counts the sites for whose function the file has no symbol.
 */
void walk_marks(struct image *image, const struct mark *marks, size_t count, size_t *unsure);

#endif
