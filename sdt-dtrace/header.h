/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * -h: the header. For each probe
 *
 *   PROVIDER_NAME(arg1, ...)     the probe, by <sys/sdt.h>
 *   PROVIDER_NAME_ENABLED()      not 0 while a tracer is attached
 *   provider_name_semaphore      where tracers count how many do
 *
 * Makefiles edit this header with sed, and rely on lines of macros as SystemTap's script writes
 * them: no line holds a macro's name twice, and there are no prototypes.
 */
#ifndef SDT_DTRACE_HEADER_H
#define SDT_DTRACE_HEADER_H

#include "base/output.h"
#include "options.h"
#include "provider.h"

void header_text(struct bytes *text, const struct providers *providers,
                 const struct options *options);
int header_write(const struct providers *providers, const struct options *options,
                 struct output *output);

#endif
