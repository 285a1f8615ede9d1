/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading probes and counters without changing anything: sdt_foreach and sdt_hits. */
#ifndef SDT_INSPECT_H
#define SDT_INSPECT_H

#include <sdt/runtime.h>

int inspect_foreach(const char *pattern,
                    int (*visit)(const struct sdt_probe_info *site, void *data), void *data);
/* The same, with the library's own struct site. Registered sites only. */
struct site;
typedef int inspect_visitor(const struct site *site, const struct sdt_probe_info *info, void *data);
int inspect_sites(const char *pattern, inspect_visitor *visit, void *data);
/* *HITS is 0 on errors. */
int inspect_hits(const char *pattern, uint64_t *hits);

#endif
