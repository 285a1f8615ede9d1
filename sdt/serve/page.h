/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An exposition of all rules: families one after the other, each with the samples of all rules that
 * have it. No two series have the same labels, which would make a collector refuse all of them, and
 * there are not more than so many.
 */
#ifndef SDT_SERVE_PAGE_H
#define SDT_SERVE_PAGE_H

#include "config.h"
#include "numbers.h"

/* Append it, from NOW of the rules' series. MOST: series, each a line. NUMBERS gets those of the
 * exposition, and is its end. */
void page_append(struct bytes *to, const struct config *config, struct numbers *numbers,
                 size_t most, enum openmetrics_form form);

#endif
