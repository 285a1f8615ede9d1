/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Values of expressions while they are compiled (compile.c), and the steps that make them. The
 * parts of the compiler share this: names and calls (names.c), operators (operators.c).
 */
#ifndef SDT_COMPILE_VALUE_H
#define SDT_COMPILE_VALUE_H

#include "assemble.h"
#include "dwarf/members.h"
#include "expression/expression.h"
#include "key_look.h"
#include "request.h"

/* What is not loaded yet: so many bytes after an address, of a type (members.c). */
struct place {
    bool is_there;
    struct dwarf_member at;
};

struct value {
    struct term known;
    struct place place;   /* in memory; then the register has an address */
    struct key_look look; /* of an argument, as it is */
    size_t argument;      /* of an array */
    uint32_t unit;        /* of a time in a register: as of an operand, whose own is `known.unit` */
    enum live_type type;
    const char *pointer; /* the name of the argument that it is, an address as it is; or NULL */
    uint8_t number;      /* of the register */
    bool is_array;       /* the number of its elements */
    bool is_name;        /* of a probe, in which "__" is what users write as "-" */
};

struct compiler {
    const struct compile_request *request;
    struct compile_error *error;
    struct assembly assembly;
    const char *text; /* of the expression */
    const struct expression *expression;
    size_t offset; /* of the step */
    size_t *first; /* for each step: where what it makes begins */
    struct arena arena;
    bool has_failed, has_members;
};

/* Remember what is wrong, if nothing was before, and where. Returns a value that is missing. */
struct value compile_fail(struct compiler *compiler, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline struct value value_known(struct term operand)
{
    return (struct value){.known = operand};
}

static inline bool is_known(const struct value *value)
{
    return value->type == LIVE_NONE;
}

static inline bool is_integer(const struct value *value)
{
    return value->type == LIVE_SIGNED || value->type == LIVE_UNSIGNED;
}

static inline bool is_real(const struct value *value)
{
    return value->type == LIVE_REAL || (is_known(value) && value->known.kind == TERM_REAL);
}

static inline uint32_t unit_of(const struct value *value)
{
    return is_known(value) ? value->known.unit : value->unit;
}

static inline bool is_known_integer(const struct value *value)
{
    return is_known(value) && value->known.kind == TERM_INTEGER;
}

/* A and what it is as a REAL: itself, or a conversion. It must be a number. */
struct value value_real(struct compiler *compiler, struct value *a);
/* REAL A as an integer, cut off. */
struct value value_cut(struct compiler *compiler, struct value *a);
void value_swap(struct value *a, struct value *b);
/* Whether NUMBER is one of TYPE. */
bool value_fits(__int128 number, enum live_type type);
/* A new register, and the end of one. */
struct value value_in_register(struct compiler *compiler, enum live_type type);
void value_let_go(struct compiler *compiler, const struct value *value);
/* The low BITS of VALUE, of which the highest may be a sign. */
struct value value_extend(struct compiler *compiler, struct value *value, unsigned bits,
                          bool is_signed);
/* Put VALUE into a register, if it is a known constant. */
struct value value_materialise(struct compiler *compiler, const struct value *value);
/* A step with operands A and B, which are given up; B may be NULL. */
struct value value_step(struct compiler *compiler, enum live_code code, enum live_type type,
                        struct value *a, struct value *b);

/* In names.c: what a name means; element B of array A; what NAME(A) is, or
 * NAME(A, B) if B is not NULL. */
struct value compile_name(struct compiler *compiler, const struct expression_name *name);
/* The number of the thread, or of its process, and in which namespace it is that. */
struct value compile_place(struct compiler *compiler, bool is_thread);
struct value compile_element(struct compiler *compiler, struct value *a, struct value *b);
struct value compile_call(struct compiler *compiler, const char *name, struct value *a,
                          struct value *b);

/* In members.c: member NAME of A; whether A is something in memory, so that its element is not of
 * an array that the probe passes; element B of that; its value; and what is loaded of the type of
 * argument NAME. */
struct value compile_member(struct compiler *compiler, const char *name, struct value *a);
bool member_has_elements(const struct value *a);
struct value member_element(struct compiler *compiler, struct value *a, struct value *b);
struct value member_load(struct compiler *compiler, struct value *a);

/* In labels.c: A, whose values have names, compared with B, a text that is known. */
struct value compile_labels(struct compiler *compiler, enum code code, struct value *a,
                            const struct value *b);

/* In operators.c: an operator of one operand, and of two. */
struct value compile_one(struct compiler *compiler, enum code code, struct value *a);
struct value compile_two(struct compiler *compiler, enum code code, struct value *a,
                         struct value *b);
/* A register that is 0 or 1, or at least an integer, as conditions take them. */
struct value compile_condition(struct compiler *compiler, struct value *a);

#endif
