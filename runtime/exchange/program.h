/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs of live aggregations: what a hit of a probe does for `sdt count`, `hist` and `lat`.
 *
 * A tool compiles an expression to such a program (sdt/compile/compile.h) and sends it to the
 * traced process, which checks it again (validate.h) before running any of it.
 * docs/live-programs.md shows the bytes. A program is a sequence of steps, executed once from the
 * first to the last: there are no jumps, and the only early exit is LIVE_UNLESS. So it ends, after
 * as many steps as it has; it writes to nothing but its own registers; and each register has one
 * type at each step, which the check knows. What it reads of the process are the arguments of the
 * probe, and text, which is copied in a way that survives bad addresses.
 *
 *     header | steps, 8 bytes each | numbers, 8 bytes each | texts, a multiple of 8 bytes
 *
 * Integers are exact. What does not fit 64 bits, a division by zero, and what is calculated from
 * such a value, is missing: a comparison with it is false, and as a condition it counts as false.
 * An action whose value or key is missing does nothing but count that (live_table: `missing`).
 */
#ifndef SDT_EXCHANGE_PROGRAM_H
#define SDT_EXCHANGE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIVE_PROGRAM_MAGIC 0x50544453u /* "SDTP" */
enum {
    LIVE_PROGRAM_ABI = 2,
    LIVE_MAX_PROGRAM = 4096, /* bytes */
    LIVE_MAX_STEPS = 128,
    LIVE_REGISTERS = 16,
    LIVE_MAX_NUMBERS = 256 - LIVE_REGISTERS,
    LIVE_MAX_TEXTS = 4,      /* that a program loads */
    LIVE_TEXT = 256,         /* bytes of a text that are read */
    LIVE_MAX_KEY_TEXT = 248, /* and that a table keeps, at most */
    LIVE_NO_REGISTER = 0xff
};

/* Of a register. */
enum live_type {
    LIVE_NONE, /* not written yet */
    LIVE_SIGNED,
    LIVE_UNSIGNED,
    LIVE_REAL, /* a double, as its bits */
    LIVE_STRING
};

/* What is done with the value and the keys at the end. */
enum live_action {
    LIVE_COUNT, /* one more, of the key */
    LIVE_HIST,  /* the value into the key's histogram */
    LIVE_START, /* the value is what matches: remember the time, and the keys, if there are some */
    LIVE_STOP,  /* the value matches: nanoseconds since then into the histogram of the keys, or of
                   START's keys, or the only one */
    /* The value is argument number a of the only step, a frame: see live_calls below. */
    LIVE_ENTER, /* a call begins */
    LIVE_LEAVE, /* the one with this frame ends: one more, and its nanoseconds, of its path */
    LIVE_ACTIONS
};

/*
 * Steps. `to` and `a` are registers; `b` is a register, or from LIVE_REGISTERS on a number of the
 * pool. A number has the type of `a` (as LIVE_STRING: offset in the texts << 32 | length). Where
 * types S and U (signed and unsigned) meet, comparisons are exact, and the result of a calculation
 * is S.
 */
enum live_code {
    /* Loads. */
    LIVE_ARGUMENT, /* argument number a, of type b (S, U or REAL) */
    LIVE_FACT,     /* enum live_fact number a; b is 0 */
    LIVE_NUMBER,   /* number b of the pool, of type a (S, U or REAL) */
    LIVE_LOAD,     /* the text at address a (S or U), up to a NUL; b is 0 */
    LIVE_LOAD_N,   /* the b bytes at address a; b is a register, S or U. `kind` is 1 of text, which
                      ends at a NUL; 0: bytes, of which there are none if they cannot be read */
    /* Of integers. U - U, and -U, are S; of & of S and U the result is U. The first four, and
       LIVE_NEGATE, of REALs as well. */
    LIVE_ADD,
    LIVE_SUBTRACT,
    LIVE_MULTIPLY,
    LIVE_DIVIDE,
    LIVE_REMAINDER,
    LIVE_AND,
    LIVE_OR,
    LIVE_XOR,
    LIVE_LEFT, /* b is 0 to 63, else missing, as is what does not fit */
    LIVE_RIGHT,
    LIVE_NEGATE,     /* b is 0 */
    LIVE_COMPLEMENT, /* b is 0; the result is S */
    /* int(a * b): a is REAL, b a number of the pool, U. Truncated; S. */
    LIVE_SCALE,
    /* Of two integers, two REALs, a REAL and a register with an integer, or two STRINGs: 1 or 0,
       U. */
    LIVE_EQUAL,
    LIVE_UNEQUAL,
    LIVE_LESS,
    LIVE_LESS_EQUAL,
    LIVE_MORE,
    LIVE_MORE_EQUAL,
    LIVE_BEGINS, /* of STRINGs: a begins with b */
    /* Of conditions; 1 or 0, U; never missing. */
    LIVE_TRUTH, /* a, of any type, is true: not 0, not NaN, not ""; b is 0 */
    LIVE_NOT,   /* a is an integer, here and below; b is 0 */
    LIVE_BOTH,
    LIVE_EITHER,
    /* End, and do nothing, unless a is true. `to` and b are 0. */
    LIVE_UNLESS,
    /* More loads. */
    LIVE_LOAD_VIEW, /* the text of the struct sdt_text at address a (S or U); b is 0 */
    LIVE_ELEMENT,   /* element b of the array at address a, which has c, a register; `kind` is their
                       type in memory. Missing: there is none, or it cannot be read */
    LIVE_LENGTH,    /* bytes of STRING a, as far as they were read; b is 0. S */
    LIVE_TO_REAL,   /* integer a as a REAL, rounded; b is 0 */
    LIVE_CUT,       /* the first b bytes of STRING a; b is a register, S or U */
    LIVE_CODES
};

enum live_fact {
    LIVE_TID, /* U, as the next three */
    LIVE_PID,
    LIVE_CPU,
    LIVE_TIME,     /* ns of CLOCK_MONOTONIC */
    LIVE_COMM,     /* STRING, as the next four. The name of the thread: a system call */
    LIVE_PROVIDER, /* of the probe */
    LIVE_NAME,
    LIVE_FUNCTION, /* of the site */
    LIVE_MODULE,
    LIVE_PROCESS,  /* U: pid, and its namespace << 32, or 0: process/space.h */
    LIVE_THREAD,   /* U: tid, likewise */
    LIVE_TRACE_ID, /* STRING, as the next one: the ids of the thread's context, in hexadecimal */
    LIVE_SPAN_ID,  /* (process/context.h); missing: it has none */
    LIVE_FACTS
};

struct live_step {
    uint8_t code; /* enum live_code */
    uint8_t to, a, b;
    uint8_t c, kind; /* of LIVE_ELEMENT, LIVE_LOAD_N; else 0 */
    uint16_t zero;
};

/* Of elements in memory: their size, 1, 2, 4 or 8, and what they are; as enum sdt_arg_type. */
enum { LIVE_KIND_SIZE = 15, LIVE_KIND_SIGNED = 16, LIVE_KIND_FLOAT = 32 };

struct live_program {
    uint32_t magic;
    uint16_t abi;
    uint16_t size; /* bytes of all */
    uint8_t steps, numbers;
    uint16_t texts; /* bytes, a multiple of 8 */
    uint8_t action; /* enum live_action */
    uint8_t value;  /* register: of LIVE_HIST, S or U; of LIVE_START and LIVE_STOP, as a key; else
                       LIVE_NO_REGISTER */
    uint8_t key[2]; /* registers: S, U or STRING; LIVE_NO_REGISTER: none. Key 1 only with key 0 */
    uint64_t kept;  /* see below */
    struct live_step step[]; /* then uint64_t numbers, then texts */
};
_Static_assert(sizeof(struct live_program) == 24 && sizeof(struct live_step) == 8, "the format");

/*
 * What is kept of the arguments of a hit that may be one of the slowest of a latency (outlier.h),
 * or an exemplar (exemplar.h): 4 bits each, of argument 0 the lowest, and then 16 bits that the
 * tool knows the program by.
 */
enum live_keep {
    LIVE_KEEP_NOTHING,
    LIVE_KEEP_WORD,
    LIVE_KEEP_TEXT,   /* at this address, up to a NUL */
    LIVE_KEEP_TEXT_N, /* … and the next argument is how long it is at most */
    LIVE_KEEP_BYTES,  /* the next argument is how many */
    LIVE_KEEP_VIEW,   /* of the struct sdt_text at this address */
    LIVE_KEEP_ARRAY,  /* of as many elements of 1 byte as the next argument says; 2, 4 and 8 bytes
                         are the next three */
    LIVE_KEEPS_END = LIVE_KEEP_ARRAY + 4
};
enum { LIVE_LABEL_SHIFT = 48, LIVE_SIDE_TEXTS = 4 /* that are no words, at most */ };
#define LIVE_KEEPS ((UINT64_C(1) << LIVE_LABEL_SHIFT) - 1)

/*
 * Calls (bytecode/calls.h). `kept` of LIVE_ENTER: how many calls of one thread, one below the
 * other, are seen; and from bit 8 on how many roots there are, which are the program's numbers. A
 * root is the address of the site at which the outermost call may begin; without roots, any may.
 */
enum { LIVE_MAX_DEPTH = 128, LIVE_ROOTS_SHIFT = 8, LIVE_MAX_ROOTS = LIVE_MAX_NUMBERS };
static inline unsigned live_depth(const struct live_program *program)
{
    return (unsigned)(program->kept & ((1U << LIVE_ROOTS_SHIFT) - 1));
}
static inline bool live_is_of_calls(const struct live_program *program)
{
    return program->action == LIVE_ENTER || program->action == LIVE_LEAVE;
}

/* Whether a step makes a text that takes room of its own. */
static inline bool live_makes_text(const struct live_step *step, enum live_type type)
{
    return type == LIVE_STRING &&
           (step->code <= LIVE_LOAD_N || step->code == LIVE_LOAD_VIEW || step->code == LIVE_CUT);
}

static inline const uint64_t *live_numbers(const struct live_program *program)
{
    return (const uint64_t *)(const void *)&program->step[program->steps];
}

static inline const char *live_texts(const struct live_program *program)
{
    return (const char *)&live_numbers(program)[program->numbers];
}

#endif
