/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which functions have probes (`--functions=ELEMENT,…`):
 *
 *   GLOB         those of that name, as their symbol is spelled, or as C++ has it: whole, without
 *                parameters and result, or without template arguments as well
 *   file:GLOB    those of a source file, by its name without directories
 *   -GLOB, -file:GLOB   not these
 *   size:N       none that is smaller than N bytes
 *
 * Without GLOB and file:GLOB, all are named. Commas between brackets are a name's. A function that
 * is marked (SDT_FUNCTION) is chosen whatever is named; never one that the runtime calls in a hit.
 */
#ifndef SDTLINK_PROBES_CHOSEN_H
#define SDTLINK_PROBES_CHOSEN_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is asked for. */
struct functions_asked {
    const char *elements;
    struct unmatched *unmatched; /* what to tell of them; NULL: nothing */
};

struct choice;

struct chosen {
    char *text;
    struct choice *choices;
    size_t count;
    bool has_names, has_globs, has_files;
    struct unmatched *unmatched;
};

/* What is wrong with ELEMENTS; NULL: nothing. */
const char *chosen_problem(const char *elements);
/* Read ELEMENTS, with which nothing is wrong. */
void chosen_read(struct chosen *chosen, const char *elements);
void chosen_free(struct chosen *chosen);
/* Whether one of ELEMENTS names a source file. */
bool chosen_names_files(const char *elements);

struct chosen_function {
    struct slice name; /* its symbol, without what compilers append */
    const char *file;  /* NULL: unknown */
    uint64_t size;     /* 0: unknown */
    bool is_marked;    /* by SDT_FUNCTION */
    bool is_global;    /* others may call it by its name */
};

bool chosen_has(const struct chosen *chosen, const struct chosen_function *function);

/* Begin to note which of ELEMENTS choose nothing (unmatched.h), and warn of these. */
struct unmatched *chosen_watch(const char *elements);
void chosen_warn(const struct unmatched *unmatched, const char *elements, const char *output);

#endif
