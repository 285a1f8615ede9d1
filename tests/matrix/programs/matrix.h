/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the objects of the matrix's program share: the probes, and how a site proves itself twice.
 *
 * In the file: after every site that is written with <sdt/probe.h> stands a marker, a 7-byte NOP
 * that carries the probe's number. Whatever compilers and linkers copy, fold, move or drop, they do
 * it to site and marker alike; the markers in the final text are therefore the count of the truth,
 * and no reader of ours is needed to find them.
 *
 * In the run: each site first writes down what a handler must see, and counts itself.
 *
 * SDT_PROBE is an inline site in one.c and three.cc, and a call in two.c and four.cc: so inline
 * functions and templates that objects share have copies of both forms, of which one is left.
 *
 * Plain calls (forms.c) can have no marker, since nothing may stand after a tail call. Their truth
 * is a control: the same unprocessed objects linked with functions of the probes' names, which
 * objdump then finds the calls to.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include <sdt/probe.h>
#include <stdint.h>

/* A probe's number is its place in this list, which the test reads as well. */
/* clang-format off */
#define MATRIX_PROBES(X)                                                                           \
    X(none) X(one) X(pair) X(dozen) X(loop) X(cold) X(section) X(start) X(shared__inline) X(asked) \
    X(twin__a) X(twin__b) X(fold) X(thrown) X(virtual__) X(templated) X(in__class) X(lambda)       \
    X(destroyed) X(dead__c) X(dead__cxx) X(dead__template)                                         \
    X(form__call) X(form__tail) X(form__branch) X(form__arm) X(form__cold) X(form__asked)
/* clang-format on */

#define MATRIX_NUMBER(name) MATRIX_##name,
enum matrix_probe { MATRIX_PROBES(MATRIX_NUMBER) MATRIX_COUNT };

/* The workload's side of the story. */
struct matrix_state {
    unsigned probe; /* the last site that was reached, and what a handler must see there */
    unsigned nargs;
    uint64_t args[12];
    unsigned long ran[MATRIX_COUNT];
    unsigned long answered[MATRIX_COUNT]; /* is-enabled sites: how often the answer was yes */
    unsigned long asked[MATRIX_COUNT];
};

#if defined(__cplusplus)
extern "C" {
#endif
/* Hidden, so that the objects of a shared library reach it as those of a program do. */
extern volatile struct matrix_state matrix __attribute__((visibility("hidden")));
#if defined(__cplusplus)
}
#endif

/* nopl 0x5d7dNNNN(%rax), NNNN: the number of the probe, or 0x100 plus it after an is-enabled. */
#define MATRIX_MARK(number)                                                                        \
    __asm__ __volatile__ __inline__(".byte 0x0f, 0x1f, 0x80\n\t.long 0x5d7d0000 + %c0 # %c1"       \
                                    :                                                              \
                                    : "i"(number), "i"(__COUNTER__))
#define MATRIX_ASKED 0x100
/* The marker of functions that must not differ but in their probe. */
#define MATRIX_TWIN 0xff

#define MATRIX_EXPECT(name, n, a, b, c)                                                            \
    do {                                                                                           \
        matrix.probe = MATRIX_##name;                                                              \
        matrix.nargs = n;                                                                          \
        matrix.args[0] = (uint64_t)(a);                                                            \
        matrix.args[1] = (uint64_t)(b);                                                            \
        matrix.args[2] = (uint64_t)(c);                                                            \
        matrix.ran[MATRIX_##name] = matrix.ran[MATRIX_##name] + 1;                                 \
    } while (0)

#define SITE0(name)                                                                                \
    do {                                                                                           \
        MATRIX_EXPECT(name, 0, 0, 0, 0);                                                           \
        SDT_PROBE(matrix, name);                                                                   \
        MATRIX_MARK(MATRIX_##name);                                                                \
    } while (0)
#define SITE1(name, a)                                                                             \
    do {                                                                                           \
        MATRIX_EXPECT(name, 1, a, 0, 0);                                                           \
        SDT_PROBE(matrix, name, a);                                                                \
        MATRIX_MARK(MATRIX_##name);                                                                \
    } while (0)
#define SITE3(name, a, b, c)                                                                       \
    do {                                                                                           \
        MATRIX_EXPECT(name, 3, a, b, c);                                                           \
        SDT_PROBE(matrix, name, a, b, c);                                                          \
        MATRIX_MARK(MATRIX_##name);                                                                \
    } while (0)

/* An is-enabled site with its marker; the answer. */
#define ASK(name)                                                                                  \
    __extension__({                                                                                \
        int matrix_answer_ = SDT_PROBE_ENABLED(matrix, name);                                      \
        MATRIX_MARK(MATRIX_ASKED + MATRIX_##name);                                                 \
        matrix.asked[MATRIX_##name] = matrix.asked[MATRIX_##name] + 1;                             \
        matrix.answered[MATRIX_##name] =                                                           \
            matrix.answered[MATRIX_##name] + (unsigned long)matrix_answer_;                        \
        matrix_answer_;                                                                            \
    })

#define NOINLINE __attribute__((noinline))
#define HIDDEN __attribute__((visibility("hidden")))

#if defined(__cplusplus)
extern "C" {
#endif
/* The parts of the workload, one a file. */
HIDDEN void matrix_one(int n);
HIDDEN void matrix_two(int n);
HIDDEN void matrix_three(int n);
HIDDEN void matrix_four(int n);
HIDDEN void matrix_forms(long n);
#if defined(__cplusplus)
}
#endif

/* In one.c, for the driver: the state, and one round of everything. */
#define MATRIX_EXPORT __attribute__((visibility("default")))

/* An inline function that several objects have a copy of. */
static inline int shared_inline(int x)
{
    SITE1(shared__inline, x);
    return x ^ 5;
}

#endif
