/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From expressions (expression.h) to programs of live aggregations (runtime/exchange/program.h).
 *
 * A name is an argument of the probe, by its own name, as arg0, arg1 … or as arg.NAME; or a fact of
 * the hit: tid, pid, cpu, time (ns), comm, provider, name, function, module, which take precedence
 * over arguments of the same name. str(x) is the text at address x; len(x) the number of bytes of a
 * text, or of elements of an array, which are a[0], a[1] …; int(x) is a floating-point number
 * truncated, as in a histogram. An enumerator is compared with text by its name.
 */
#ifndef SDT_COMPILE_H
#define SDT_COMPILE_H

#include "key_look.h"
#include "request.h"

#include <exchange/table.h>
#include <exchange/validate.h>

struct compiled {
    uint64_t words[LIVE_MAX_PROGRAM / 8]; /* see compiled_program() */
    struct live_types types;
    bool has_members;        /* other types may have them elsewhere */
    struct key_look look[2]; /* of keys; the labels are those of the request */
};

static inline const struct live_program *compiled_program(const struct compiled *compiled)
{
    return (const struct live_program *)compiled->words;
}

/* What is kept of these arguments (enum live_keep); the first texts and arrays only. */
uint64_t compile_kept(const struct compile_argument *arguments, size_t count);

/* 0, or -1 and *ERROR. */
int compile_program(const struct compile_request *request, struct compiled *compiled,
                    struct compile_error *error);
/* The same, and the error is reported. */
int compile_or_report(const struct compile_request *request, struct compiled *compiled);

enum {
    COMPILE_COUNT_KEYS = 4096, /* of a table that counts */
    COMPILE_HIST_KEYS = 256,   /* of one with histograms */
    COMPILE_FLIGHTS = 8192,
    COMPILE_KEY_TEXT = 128 /* bytes of a text that are kept */
};

/* The table for PROGRAM. For a latency, PROGRAM is the one with the keys, if one has them. The
 * caller may change how many keys there are, and make buckets linear. */
struct live_table_spec compile_table_spec(const struct compiled *program);

#endif
