/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Patterns whose function is a C++ name as people write it (base/function_name.h). The process
 * knows symbols only, and keeps no demangler; so its functions are listed, compared here, and it is
 * asked for those symbols that match.
 */
#ifndef SDT_FUNCTION_PATTERNS_H
#define SDT_FUNCTION_PATTERNS_H

#include "attach.h"
#include "base/probe_words.h"

/* WORDS as a pattern of the process's, with FUNCTION in the place of theirs. The caller's. */
char *function_pattern(const struct probe_words *words, const char *function);
/* Whether the function in WORDS may be a C++ name: it is not missing, nor `*`, nor a symbol. */
bool function_patterns_are_names(const struct probe_words *words);
/* A pattern of the process's for all sites among which those that WORDS mean can be found. */
char *function_patterns_wide(const struct probe_words *words);
/*
 * The pattern for those of SITES that WORDS mean, and for symbols of that spelling that come later.
 * What was chosen for TO before stays as it is, so that nothing is enabled twice. NULL: after a
 * message.
 */
struct live_sites;
char *function_patterns_choose(struct attached *to, const struct probe_words *words,
                               const struct live_sites *sites);
/* Forget what was chosen. */
void function_patterns_forget(struct attached *to);

#endif
