/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names and types of the parameters of probes, in the language of sdt-describe(5):
 *
 *   probe query__begin(const char *sql, int n, struct plan *);
 *
 *   probe app:query__begin (sql: string, n: int32, _: pointer)
 *
 * Types that are not built into C, and floating point, are left to the compiler's knowledge of the
 * value.
 */
#ifndef SDT_DTRACE_DESCRIBE_H
#define SDT_DTRACE_DESCRIBE_H

#include "base/output.h"
#include "provider.h"

/* A line without its newline; nothing, if nothing is known. */
void describe_probe(struct bytes *text, const struct source *source,
                    const struct provider_probe *probe);

/* --describe: a file of them. */
int describe_write(const struct providers *providers, struct output *output);

#endif
