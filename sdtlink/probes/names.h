/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Symbol names and the probes they mean; pure.
 *
 *   __dtrace_sdt_<provider>___<name>                         a call site's undefined symbol
 *   __dtrace_sdtasm_<provider>___<name>                      an inline site's
 *   __dtrace_sdtenabled_<provider>___<name>                  an is-enabled site's
 *   __dtrace_sdt_<provider>___<module>___<function>___<name> the four-part form (FreeBSD's macros);
 *                                                            module and function may be empty
 *
 * After each prefix there may be "run_sdtlink___": <sdt/probe.h> writes it, so that what a linker
 * says of a forgotten object says also what to do.
 *
 * `objcopy --prefix-symbols` puts more before all of this. A name is known by these words then.
 *
 * Parts are split at the first "___", leftmost each time: so a provider does not end in "_"
 * ("p____n" is provider "p", name "_n"), and a two-part name holds no further "___".
 */
#ifndef SDTLINK_PROBES_NAMES_H
#define SDTLINK_PROBES_NAMES_H

#include "base/slice.h"

#include <arch/arch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct probe_name {
    enum sdt_use use;
    struct slice provider, module, function, name;
};

enum names_result {
    NAMES_OTHER, /* no probe symbol at all */
    NAMES_PROBE,
    NAMES_BAD /* a probe symbol by its prefix, but no probe can be meant */
};

/* NAME points into SYMBOL; *WHY (a sentence) is set for NAMES_BAD only. */
enum names_result names_parse(const char *symbol, struct probe_name *name, const char **why);

/* Does a probe's symbol among these names, SIZE bytes of a string table, begin with a prefix? */
bool names_have_prefix(const uint8_t *strings, size_t size);

/* SYMBOL from where the name begins that <sdt/probe.h> wrote; SYMBOL itself: that wrote none. */
const char *names_without_prefix(const char *symbol);

#endif
