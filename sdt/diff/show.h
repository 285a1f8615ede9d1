/* SPDX-License-Identifier: BSD-2-Clause */
/* The three forms of what sdt diff has found: text, JSON, a page; and the words that they share. */
#ifndef SDT_DIFF_SHOW_H
#define SDT_DIFF_SHOW_H

#include "compare.h"

/* What is shown: the first COUNT rows, and the tree. */
struct show {
    struct comparison *comparison;
    const struct nest *tree;
    size_t count;
};

void show_text(const struct show *show);
void show_json(const struct show *show);
/* Write the page to PATH. 0, or -1 after a message. */
int show_html(const struct show *show, const char *path);

/* `web:request with path="/logo.png"`; the key alone, `path="/logo.png"`, or nothing. */
void words_row(struct bytes *to, const struct row *row);
void words_key(struct bytes *to, const struct row *row);
/* What is found: "slower", "slower in the slowest 1 %", "more often", with commas; or nothing. */
void words_findings(struct bytes *to, const struct row *row);
/* A share as "+5.2 %"; what was not there before is "new". */
void words_change(struct bytes *to, double change);
/* "+5.2 % [+4.8, +5.6]" */
void words_interval(struct bytes *to, const struct change *change);
/* A difference, with its sign: "+2.5 ms". */
void words_part(struct bytes *to, double ns);
/* All that a line has room for: what it is, what is found, and by how much. */
void words_sentence(struct bytes *to, const struct row *row);
/* "12000 events, 11764.7 a second, 6000 pairs, 1.02 s" */
void words_side(struct bytes *to, const struct side *side);

#endif
