/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a function finds its arguments, and its caller the result: the System V psABI of x86-64.
 *
 * At a function's entry the first six values of class INTEGER are in general registers, the first
 * eight of class SSE in vector registers, and the rest on the stack, after the return address. What
 * is not one value in one place (a structure by value, __int128) is not shown, but takes its
 * registers from those that follow. Of a type that is not understood here, nothing that follows is
 * known.
 */
#ifndef SDTLINK_DWARF_PASSING_H
#define SDTLINK_DWARF_PASSING_H

#include "types.h"

enum { PASSED_GENERAL = 'g', PASSED_VECTOR = 'v', PASSED_STACK = 's', PASSED_RESULT = 'r' };

/* One value. */
struct passed {
    uint8_t type;  /* enum sdt_arg_type */
    char place[4]; /* a letter, and which: tool_arch.put_function_place() */
    int number;    /* DWARF's, of the register; -1: the stack */
};

enum passing { PASSED_VALUE, PASSED_OTHERWISE, PASSED_UNKNOWN };

/* C++ in DWARF 4 or 5: only the latter tells a function that is written from a default one. */
enum passing_language { PASSING_C, PASSING_CPLUSPLUS_4, PASSING_CPLUSPLUS_5 };

/* What is taken already. */
struct passing_state {
    unsigned integers, vectors, words; /* general and vector registers, words of the stack */
    enum passing_language language;
    bool has_lost_stack; /* how far it is to what follows depends on alignment */
};

/* First of all: the result of ENTRY, a function, which may need a register for its address.
 * PASSED_OTHERWISE: there is none to show. */
enum passing passing_result(struct passing_state *state, Dwarf_Die *entry, struct passed *passed);
/* The next parameter, ENTRY. */
enum passing passing_next(struct passing_state *state, Dwarf_Die *entry, struct passed *passed);

#endif
