/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts of the page of `sdt diff --html`. It is HTML and SVG with all numbers in it, and no script:
 * it can be read wherever a page is shown, also in a mail. Names from recordings pass page_text(),
 * which leaves no markup in them.
 */
#ifndef SDT_DIFF_PAGE_PARTS_H
#define SDT_DIFF_PAGE_PARTS_H

#include "show.h"

/* TEXT of a recording. */
void page_text(struct bytes *to, struct slice text);
/* What WORDS says of ROW. */
void page_words(struct bytes *to, void (*words)(struct bytes *to, const struct row *row),
                const struct row *row);
/* A number with three digits after the point, for coordinates. */
void page_number(struct bytes *to, const char *before, double number, const char *after);

/* The latencies of ROW on both sides, over each other. */
void page_curves(struct bytes *to, const struct comparison *comparison, const struct row *row);
/* The tree: a bar for each node, as wide as its time, coloured by how its own time has changed. */
void page_tree(struct bytes *to, const struct comparison *comparison, const struct nest *tree);

#endif
