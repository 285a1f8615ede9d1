/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the parameters of probes are called, and their types, as sdt-describe(5) has it:
 *
 *   probe query__begin(const char *sql, int n, struct plan *);
 *
 *   probe app:query__begin (sql: string, n: int32, _: pointer)
 *
 * A type that is not C's own, or of floating point, is left to what the compiler says of the value.
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
