/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From expressions (expression.h) to programs of live aggregations (runtime/live/program.h).
 *
 * A name is an argument of the probe, by its own name, as arg0, arg1 … or as arg.NAME; or a fact of
 * the hit: tid, pid, cpu, time (ns), comm, provider, name, function, module, which take precedence
 * over arguments of the same name. str(x) is the text at address x; len(x) the number of bytes of a
 * text, or of elements of an array, which are a[0], a[1] …; int(x) is a floating-point number
 * truncated, as in a histogram. An enumerator is compared with text by its name.
 */
#ifndef SDT_COMPILE_H
#define SDT_COMPILE_H

#include "expression.h"
#include "key_look.h"

#include <live/program.h>

/* An argument of the probe, as `sdtlink list --json` has its name and type. */
struct compile_argument {
    const char *name; /* NULL: arg0, arg1 … only */
    const char *type; /* "int32", "uint8", "hex64", "bool", "pointer", "double", "string" … */
    const struct describe_label *labels; /* names of its values */
    size_t label_count;
};

/* Texts of expressions; NULL: none. */
struct compile_request {
    enum live_action action;
    const char *predicate;
    const char *value; /* of LIVE_HIST */
    /* Of LIVE_START and LIVE_STOP, the first is what matches, NULL: the thread. */
    const char *key[2];
    const struct compile_argument *arguments;
    size_t argument_count;
    /* Of these two: keep the arguments of what may be one of the slowest, as those of program
     * LABEL. */
    bool keeps;
    uint16_t label;
};

struct compiled {
    uint64_t words[LIVE_MAX_PROGRAM / 8]; /* see compiled_program() */
    struct live_types types;
    struct key_look look[2]; /* of keys; the labels are those of the request */
};

static inline const struct live_program *compiled_program(const struct compiled *compiled)
{
    return (const struct live_program *)compiled->words;
}

/* What is wrong, and in which of the request's texts. */
struct compile_error {
    const char *text;
    size_t offset;
    char problem[160];
};

/* What is kept of these arguments (enum live_keep); the first texts and arrays only. */
uint64_t compile_luggage(const struct compile_argument *arguments, size_t count);

/* 0, or -1 and *ERROR. */
int compile_program(const struct compile_request *request, struct compiled *compiled,
                    struct compile_error *error);
/* The same, and the error is reported. */
int compile_or_report(const struct compile_request *request, struct compiled *compiled);

#endif
