/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All messages of the tool go through here: one format, one place for colour.
 *
 *   sdtlink: error: x.o: .text+0x15 (in work): RELOCATION against __dtrace_sdt_p___n: …
 *     found:    the bytes around it, [those of the field], addend 0
 *     expected: what the compiler emits for a probe
 *     remedy:   compile without -mcmodel=large (-mcmodel=medium works)
 */
#ifndef SDT_BASE_DIAG_H
#define SDT_BASE_DIAG_H

#include <stdbool.h>
#include <stdint.h>

/* The name before each message, for programs other than sdtlink. */
void diag_set_program(const char *name);
const char *diag_program(void);
/* The verbosity; set once by options.c. */
enum diag_level { DIAG_QUIET, DIAG_NORMAL, DIAG_VERBOSE };
void diag_set_level(enum diag_level wanted);
bool diag_is_verbose(void);
/* Is standard error a terminal, and colour wanted? */
bool diag_has_colour(void);
/* Messages of this thread begin with TEXT and ": ", the place in a file that they are about; NULL:
 * with nothing more. If MUTED, they are not printed: they were, a moment ago. */
void diag_set_context(const char *text, bool muted);
bool diag_is_muted(void);

/* Where in the input something was found. Members that are unknown are NULL or 0. */
struct diag_place {
    const char *file;
    const char *section;
    uint64_t offset;
    const char *function;
    const char *symbol;
    const char *relocation;
};

/* All return -1, so that a refusal reads `return diag_error(...)`. */
int diag_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* As diag_error, with ": " and strerror(errno) after it. */
int diag_errno(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A refusal at PLACE; FOUND, EXPECTED and REMEDY are left out where NULL. */
int diag_refuse(const struct diag_place *place, const char *problem, const char *found,
                const char *expected, const char *remedy);
/* A warning at PLACE, with one line of advice. */
void diag_warn(const struct diag_place *place, const char *problem, const char *advice);
/* The one-line summary: stdout unless quiet. */
void diag_summary(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Detail for -v: stderr. */
void diag_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
