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
 * Parts are split at the first "___", leftmost each time: so a provider does not end in "_"
 * ("p____n" is provider "p", name "_n"), and a two-part name holds no further "___".
 */
#ifndef SDTLINK_NAMES_H
#define SDTLINK_NAMES_H

#include <arch/arch.h>
#include <stdbool.h>
#include <stddef.h>

/* A piece of somebody else's string. */
struct slice {
    const char *text;
    size_t length;
};

struct probe_name {
    enum sdt_use use;
    struct slice provider, module, function, name;
};

/*
 * Names are cut after that many bytes, those of probes refused. A name may be as long as the file,
 * and thousands of symbols may share it: what is copied for each must not be.
 */
enum { NAMES_MOST = 4095 };
struct slice slice_of(const char *text);

enum names_result {
    NAMES_OTHER, /* no probe symbol at all */
    NAMES_PROBE,
    NAMES_BAD /* a probe symbol by its prefix, but no probe can be meant */
};

/* NAME points into SYMBOL; *WHY (a sentence) is set for NAMES_BAD only. */
enum names_result names_parse(const char *symbol, struct probe_name *name, const char **why);

bool slice_is(struct slice slice, const char *text);
/* By bytes, shorter first among equals; for qsort. */
int slice_compare(struct slice a, struct slice b);

#endif
