/* SPDX-License-Identifier: BSD-2-Clause */
/* What is to be compiled (compile.h), and what may be wrong with it. */
#ifndef SDT_COMPILE_REQUEST_H
#define SDT_COMPILE_REQUEST_H

#include <exchange/program.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* An argument of the probe, as `sdtlink list --json` has its name and type. */
struct compile_argument {
    const char *name; /* NULL: arg0, arg1 … only */
    const char *type; /* "int32", "uint8", "hex64", "bool", "pointer", "double", "string" … */
    const struct describe_label *labels; /* names of its values */
    size_t label_count;
    const char *unit;  /* NULL: none, or that of its type */
    bool is_converted; /* to an integer of its type, which the site does not pass: as in C */
};

/* A length belongs to what it is the length of, and so does an element. */
static inline bool compile_is_shown(const struct compile_argument *argument)
{
    return strcmp(argument->type, "length") != 0 && strcmp(argument->type, "element") != 0;
}

/* Texts of expressions; NULL: none. */
struct compile_request {
    enum live_action action;
    const char *predicate;
    /* Of LIVE_HIST; of LIVE_START and LIVE_STOP what matches, NULL: the thread. */
    const char *value;
    const char *key[2];
    const struct compile_argument *arguments;
    size_t argument_count;
    const struct site_types *types; /* of what they point to; NULL: unknown */
    bool may_lack;                  /* some sites have fewer arguments: what they lack is missing */
    /* Keep the arguments of what may be one of the slowest, or an exemplar, as those of program
     * LABEL. */
    bool keeps;
    uint16_t label;
};

/* What is wrong, and in which of the request's texts. */
struct compile_error {
    const char *text;
    size_t offset;
    char problem[160];
    bool is_of_member; /* nothing but the running process knows what is meant */
};

#endif
