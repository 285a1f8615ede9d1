/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Following a 32-bit field means "read its relocation" in an object and "add the distance" in a
 * linked file. This hides the difference, so that the checks are written once.
 */
#ifndef SDT_VERIFY_FOLLOW_H
#define SDT_VERIFY_FOLLOW_H

#include "image.h"

/* What a field leads to. */
enum follow {
    FOLLOW_NOTHING,   /* no relocation and the word is 0 */
    FOLLOW_PLACE,     /* a place in this file */
    FOLLOW_UNDEFINED, /* a symbol that another object defines: .symbol */
    FOLLOW_BAD        /* a relocation that no such field may have, or out of the file */
};
struct target {
    struct place place;
    const struct symbol *symbol; /* ET_REL only */
    uint32_t type;               /* ET_REL: type of the relocation */
    int64_t beyond;              /* FOLLOW_UNDEFINED: distance from the symbol */
};

/* Follow the 32-bit distance at FIELD, counted from the field's own address (records), … */
enum follow image_follow(struct image *image, struct place field, struct target *target);
/* … from BIAS bytes after that, … */
enum follow image_follow_word(struct image *image, struct place field, int64_t bias,
                              struct target *target);
/* … or, of an instruction, from where the machine counts. */
enum follow image_follow_code(struct image *image, struct place field, struct target *target);

#endif
