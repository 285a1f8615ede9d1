/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that are not to have probes (`--functions`): chosen.h. */
#ifndef SDTLINK_PROBES_SILENCE_H
#define SDTLINK_PROBES_SILENCE_H

#include "chosen.h"
#include "functions.h"
#include "sites.h"

/* Append to PLACES those in functions that are marked by SDT_FUNCTION, of which silence() asks. */
void silence_collect_places(const struct object *object, struct bytes *places);
/*
 * Take the calls in functions that are not ASKED for out of the list of sites. One that needs
 * code of its own (a conditional tail call) stays a site: it could not be disabled otherwise.
 */
void silence(struct sites *sites, const struct object *object, struct functions *functions,
             const struct functions_asked *asked);

#endif
