/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_LIST_SIGNATURES_H
#define SDTLINK_LIST_SIGNATURES_H

/* `sdtlink-list --signatures OBJECT`, which `sdtlink --functions` runs (probes/signatures.h): print
 * the signatures that the object's debug information has. An exit status. */
int signatures_main(const char *path);

#endif
