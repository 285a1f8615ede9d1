/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The arguments in a note of <sys/sdt.h>, taken apart. Everybody who reads such a text does it
 * here: the tool in objects (probes/stapsdt_args.c), `sdtlink list` in any file, the runtime in
 * stock binaries (stock/operands.c).
 *
 *     "" or ":"                        no arguments
 *     -4@%edi 8@%rsi 8f@%xmm0          each has a size: N@OPERAND, -N@OPERAND, Nf@OPERAND
 *     %rax, -20(%rbp)                  in assembly written by hand it may be missing
 *     4@4(%rsi, %rdi, 4) 8@[sp, 16]    blanks in an operand
 *
 * Commas, blanks, or both separate arguments: not in brackets, nor where an operator is beside the
 * blank, as in `8@-16 + 4(%rbp)`, since an operand may be an expression of the assembler's. What
 * can be read in two ways is not read at all.
 */
#ifndef SDT_NOTE_ARGS_H
#define SDT_NOTE_ARGS_H

#include <stdbool.h>
#include <stddef.h>

/* The text that is left. */
struct note_args {
    const char *at, *end;
    const char *problem; /* why the argument at AT cannot be told from the next; NULL: it can */
};

/* One argument: TYPE characters before an '@', 0 if it has no type, and an operand. */
struct note_arg {
    const char *text, *operand;
    size_t length, operand_length; /* of all of it, and of the operand; the operand's may be 0 */
    size_t type;
};

void note_args_begin(struct note_args *args, const char *text, size_t length);
/* The next one; false: there is none, or there is a PROBLEM. */
bool note_args_next(struct note_args *args, struct note_arg *arg);
/* How many there are; -1: there is a problem. */
int note_args_count(const char *text, size_t length);

/* Whether ARG has a size that a record can describe, or none, and an operand without an '@'. */
bool note_arg_is_sound(const struct note_arg *arg);
/* How many bytes it is; SIZE, a digit, if its type does not say. */
unsigned note_arg_size(const struct note_arg *arg, char size);
/*
 * Write ARG, which is sound, to TO as a record has it (<sdt/format.h>): without blanks, with SIZE
 * if it has no type of its own, with a '*' before its operand if IS_INDIRECT. Returns the length,
 * at most that of ARG and NOTE_ARG_ROOM.
 */
enum { NOTE_ARG_ROOM = 3 };
size_t note_arg_describe(const struct note_arg *arg, char size, bool is_indirect, char *to);

#endif
