/* SPDX-License-Identifier: BSD-2-Clause */
/* What a site of a running process is, compared with others. */
#ifndef SDT_LIVE_SITE_H
#define SDT_LIVE_SITE_H

#include "target/live_sites.h"

#include <stdbool.h>

/* Whether it only asks whether its probe is on. */
bool live_site_is_question(const struct live_site *site);
bool live_site_is_same_probe(const struct live_site *a, const struct live_site *b);

#endif
