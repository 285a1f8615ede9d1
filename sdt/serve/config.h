/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The file of `sdt serve --config`: a command of sdt on each line, so that what was tried in a
 * terminal is what is written there.
 *
 *     # requests of the shop, by path
 *     lat web:request-begin web:request-end by path -p server --keys=100
 *     count 'web:request-begin /size > 4096/' -p server --label=size=large
 *
 * Words are quoted as in a shell: ' " and \. A line that ends with \ goes on in the next one, and
 * # begins a comment where a word may begin.
 */
#ifndef SDT_SERVE_CONFIG_H
#define SDT_SERVE_CONFIG_H

#include "rule.h"

struct config {
    struct rule **rules;
    size_t count;
};

/* Read FILE. -1: after messages about all that is wrong; CONFIG is empty then. */
int config_read(struct config *config, const char *file);
/* Rules that both have, by their text, become NOW's, with what they have counted. BEFORE keeps
 * those that are gone. */
void config_take_over(struct config *now, struct config *before);
void config_free(struct config *config);

#endif
