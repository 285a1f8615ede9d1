/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program in the form that hits execute, with the table that they add to: everything that can be
 * computed before a hit, in the process's private memory. It never changes. specialize.c and
 * quick.c make it; hit.c, interpret.c, texts.c, tally.h, in_flight.c and outlier.c execute it.
 */
#ifndef SDT_BYTECODE_COMPILED_H
#define SDT_BYTECODE_COMPILED_H

#include "exchange/layout.h"
#include "exchange/table.h"

#include <machine/percpu.h>
#include <sdt/runtime.h>

/* What a step does, types included. */
enum op_code {
    OP_ARGUMENT, /* number */
    OP_NUMBER,
    OP_TID, /* with number, a namespace */
    OP_PID, /* as number */
    OP_CPU,
    OP_TIME,
    OP_FACT,    /* a STRING; number: which */
    OP_CONTEXT, /* likewise; or missing */
    OP_LOAD,
    OP_LOAD_N,
    OP_LOAD_VIEW,
    OP_ELEMENT,
    OP_LENGTH,
    OP_CUT,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_REMAINDER,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_LEFT,
    OP_RIGHT,
    OP_NEGATE,
    OP_COMPLEMENT,
    /* Of doubles. */
    OP_NEGATE_REAL,
    OP_SCALE,
    OP_TO_REAL,
    OP_ADD_REAL,
    OP_SUBTRACT_REAL,
    OP_MULTIPLY_REAL,
    OP_DIVIDE_REAL,
    /* Conditions, which are never missing: from here to the end. */
    OP_COMPARE_REAL,
    OP_COMPARE_MIXED, /* a REAL and an integer */
    OP_TRUTH_REAL,
    OP_COMPARE,      /* both S, or both U: unsigned, with the bias */
    OP_COMPARE_WIDE, /* S and U */
    OP_COMPARE_TEXT,
    OP_BEGINS,
    OP_TRUTH,
    OP_TRUTH_TEXT,
    OP_NOT,
    OP_BOTH,
    OP_EITHER,
    OP_FIRST_REAL = OP_NEGATE_REAL,
    OP_LAST_REAL = OP_TRUTH_REAL,
    OP_FIRST_CONDITION = OP_COMPARE_REAL
};

/* Results of a comparison, as bits in `accepts`. */
enum { ORDER_LESS = 1, ORDER_EQUAL = 2, ORDER_MORE = 4, ORDER_NONE = 8 };

/* Numbers from `low` on, modulo 2^64, up to `span` more; if FAILS, all others. */
struct range {
    uint64_t low, span;
    bool fails;
};
static inline bool range_has(const struct range *range, uint64_t number)
{
    return (number - range->low <= range->span) != range->fails;
}

struct run;
struct op;
/*
 * OP, at a hit, and all that come after it: each ends in a call of the next one, which compilers
 * make a jump. False: the program ended before its action.
 */
typedef bool op_step(struct run *run, const struct op *op);

struct op {
    op_step *step;
    uint8_t code;      /* enum op_code */
    uint8_t to, a, b;  /* registers; to may be LIVE_REGISTERS, which is never read */
    uint8_t slot;      /* of a text that is loaded */
    uint8_t c, kind;   /* of the step */
    uint8_t accepts;   /* orders */
    uint8_t is_signed; /* bit 0: a; bit 1: b; bit 2: the result */
    bool has_number;   /* operand b is `number` */
    bool ends;         /* the program ends if the result is 0 */
    bool has_space;    /* OP_TID, OP_PID: with the namespace */
    uint32_t operands; /* bits of the registers that it needs */
    uint32_t touched;  /* and of the one that it writes */
    uint64_t number;
    uint64_t bias;
    struct range range; /* what a comparison with a number accepts; of doubles, their order */
};

/* A text of a register, or of the pool. The bytes after its end in the last word are undefined. */
struct text {
    const uint64_t *word;
    size_t length;
};

/* A table. */
struct table_view {
    struct percpu percpu;
    struct live_table *table;
    uint8_t *rows, *shared; /* of CPU 0; of everybody */
    uint8_t *directory;     /* NULL: there is one row */
    uint64_t mask;          /* of rows */
    uint32_t entry, row;    /* bytes */
    uint32_t key_text;
    struct live_flight *flights;
    struct live_side *sides; /* NULL: nothing is kept of where latencies begin */
    struct live_outlier *outliers;
    uint32_t outlier_count;
    struct live_exemplar *exemplars; /* NULL: none are wanted */
    uint64_t exemplar_mask, period;  /* ns */
    bool takes_bare;
    uint64_t groups; /* mask */
    int64_t low;
    uint64_t step; /* 0: not linear */
};

/*
 * Most programs are of this form: arguments are tested, as long as all tests hold, and then an
 * argument is the value, and an argument, its text or the thread the key; or of a latency, an
 * argument or the thread matches. These run without registers or steps, in a function specialised
 * for their form. quick.c finds them.
 */
enum { QUICK_TESTS = 2, QUICK_TID = 0xfe, QUICK_NONE = 0xff };
/* An argument, for a product as a double. */
struct quick_real {
    uint8_t argument;
    uint8_t type; /* enum live_type */
};
enum quick_kind {
    QUICK_INTEGER, /* an argument that is in a range */
    QUICK_REAL,    /* one whose order is */
    QUICK_SQUARE,  /* as the next one, and both are the same */
    QUICK_PRODUCT  /* the order of the product of two is */
};
struct quick_test;
typedef bool quick_holds(const struct sdt_event *event, const struct quick_test *test);
struct quick_test {
    quick_holds *holds;
    uint8_t kind; /* enum quick_kind */
    struct quick_real real[2];
    struct range range;
};
struct quick {
    uint8_t tests;
    uint8_t value, key; /* numbers of arguments, QUICK_TID, QUICK_NONE */
    bool is_text;       /* the key is the text at its argument */
    uint64_t space;     /* of QUICK_TID: its namespace, or 0 */
    struct quick_test test[QUICK_TESTS];
};

struct live_aggregation {
    sdt_handler *run;    /* what live_hit() calls */
    bool is_quick;       /* `quick` says all of it */
    uint64_t limit;      /* of LIVE_STOP as a condition: more nanoseconds than that */
    struct calls *calls; /* of LIVE_ENTER and LIVE_LEAVE: which are open; NULL: do nothing */
    unsigned depth, root_count;
    const uint64_t *roots;
    struct quick quick;
    struct table_view view;
    uint8_t action, value;
    uint8_t key[2]; /* registers */
    uint8_t key_type[2], value_type;
    bool is_guarded; /* copy_text() may be used */
    bool is_tsc;     /* of times in flights, and OP_TIME */
    uint8_t loads;   /* texts */
    uint32_t steps;
    uint32_t needed;            /* bits of the registers of value and keys */
    uint64_t bias;              /* of values: 2^63 if they are signed */
    uint64_t kept;              /* of the program */
    uint64_t process;           /* a hash of its number: in_flight.h */
    uint64_t frequency;         /* ns a cycle << 32 */
    uint64_t cycles, monotonic; /* the same moment, in cycles and ns */
    struct text *literals;
    uint64_t *texts; /* what they are */
    struct op op[];  /* and one more, which ends them */
};

#endif
