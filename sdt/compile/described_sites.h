/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What users say of the arguments of probes (sdt-describe(5), --describe), for the probes of a
 * running process. There is one such file for a command; what is read of sites afterwards is as it
 * says.
 */
#ifndef SDT_DESCRIBED_SITES_H
#define SDT_DESCRIBED_SITES_H

#include "site_arguments.h"
#include "target/live_sites.h"

/* Read file PATH; NULL: there is none. 0, or -1 after a message. */
int described_sites_read(const char *path);
/* Warn if it was of no use: it describes none of the sites that matched. */
void described_sites_warn(void);
void described_sites_free(void);

/* The arguments of SITE, as it says and as they are described. */
struct site_arguments *described_sites_arguments(const struct live_site *site);

#endif
