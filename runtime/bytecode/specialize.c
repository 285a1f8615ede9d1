/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From a program and a table to what hits execute: in normal context, once.
 */
#include "specialize.h"

#include "compiled.h"
#include "exchange/validate.h"
#include "hit.h"
#include "hit/counters.h"
#include "interpret.h"
#include "process/context.h"
#include "process/fault.h"
#include "process/space.h"
#include "quick.h"
#include "ring/clock.h"
#include "tally.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint32_t live_cpus(void)
{
    return counters_start() && counters_cpus <= LIVE_MAX_CPUS ? (uint32_t)counters_cpus : 0;
}

/* ---- Steps. ---- */

static uint8_t accepts(enum live_code code)
{
    return code == LIVE_EQUAL        ? ORDER_EQUAL
           : code == LIVE_UNEQUAL    ? ORDER_LESS | ORDER_MORE | ORDER_NONE
           : code == LIVE_LESS       ? ORDER_LESS
           : code == LIVE_LESS_EQUAL ? ORDER_LESS | ORDER_EQUAL
           : code == LIVE_MORE       ? ORDER_MORE
                                     : ORDER_MORE | ORDER_EQUAL;
}

static enum op_code fact_code(uint8_t which)
{
    return which == LIVE_TID        ? OP_TID
           : which == LIVE_THREAD   ? OP_TID
           : which == LIVE_PID      ? OP_PID
           : which == LIVE_PROCESS  ? OP_PID
           : which == LIVE_CPU      ? OP_CPU
           : which == LIVE_TIME     ? OP_TIME
           : which >= LIVE_TRACE_ID ? OP_CONTEXT
                                    : OP_FACT;
}

static enum op_code comparison(enum live_code code, enum live_type a, enum live_type b)
{
    return code == LIVE_BEGINS ? OP_BEGINS
           : a == LIVE_STRING  ? OP_COMPARE_TEXT
           : a == LIVE_REAL    ? (b == LIVE_REAL ? OP_COMPARE_REAL : OP_COMPARE_MIXED)
           : a == b            ? OP_COMPARE
                               : OP_COMPARE_WIDE;
}

static enum op_code code_of(const struct live_step *step, enum live_type a, enum live_type b)
{
    switch ((enum live_code)step->code) {
    case LIVE_ARGUMENT:
        return OP_ARGUMENT;
    case LIVE_FACT:
        return fact_code(step->a);
    case LIVE_NUMBER:
        return OP_NUMBER;
    case LIVE_LOAD:
        return OP_LOAD;
    case LIVE_LOAD_N:
        return OP_LOAD_N;
    case LIVE_LOAD_VIEW:
        return OP_LOAD_VIEW;
    case LIVE_ELEMENT:
        return OP_ELEMENT;
    case LIVE_LENGTH:
        return OP_LENGTH;
    case LIVE_CUT:
        return OP_CUT;
    case LIVE_NEGATE:
        return a == LIVE_REAL ? OP_NEGATE_REAL : OP_NEGATE;
    case LIVE_COMPLEMENT:
        return OP_COMPLEMENT;
    case LIVE_SCALE:
        return OP_SCALE;
    case LIVE_TO_REAL:
        return OP_TO_REAL;
    case LIVE_TRUTH:
    case LIVE_UNLESS:
        return a == LIVE_REAL ? OP_TRUTH_REAL : a == LIVE_STRING ? OP_TRUTH_TEXT : OP_TRUTH;
    case LIVE_NOT:
        return OP_NOT;
    case LIVE_BOTH:
        return OP_BOTH;
    case LIVE_EITHER:
        return OP_EITHER;
    default:
        return step->code >= LIVE_EQUAL ? comparison((enum live_code)step->code, a, b)
                                        : (enum op_code)((a == LIVE_REAL ? OP_ADD_REAL : OP_ADD) +
                                                         (step->code - LIVE_ADD));
    }
}
_Static_assert(OP_RIGHT - OP_ADD == LIVE_RIGHT - LIVE_ADD &&
                   OP_AND - OP_ADD == LIVE_AND - LIVE_ADD &&
                   OP_DIVIDE_REAL - OP_ADD_REAL == LIVE_DIVIDE - LIVE_ADD,
               "the same order");

struct maker {
    const struct live_program *program;
    const struct live_types *types;
    struct live_aggregation *made;
    uint8_t type[LIVE_REGISTERS];
};

static uint64_t number_of(const struct maker *maker, uint8_t b)
{
    return live_numbers(maker->program)[b - LIVE_REGISTERS];
}

/* The registers of a step with one operand, or two. */
static void take_operands(const struct maker *maker, const struct live_step *step, struct op *op)
{
    bool has_two = step->code == LIVE_LOAD_N || step->code == LIVE_ELEMENT ||
                   step->code == LIVE_CUT || (step->code >= LIVE_ADD && step->code <= LIVE_RIGHT) ||
                   (step->code >= LIVE_SCALE && step->code <= LIVE_BEGINS) ||
                   step->code == LIVE_BOTH || step->code == LIVE_EITHER;
    op->a = step->a;
    op->operands = UINT32_C(1) << op->a;
    if (step->code == LIVE_ELEMENT)
        op->operands |= UINT32_C(1) << step->c;
    if (!has_two)
        return;
    op->has_number = step->b >= LIVE_REGISTERS;
    if (op->has_number) {
        op->number = maker->type[op->a] == LIVE_STRING
                         ? (uintptr_t)&maker->made->literals[step->b - LIVE_REGISTERS]
                         : number_of(maker, step->b);
        return;
    }
    op->b = step->b;
    op->operands |= UINT32_C(1) << op->b;
}

static void take_load(const struct maker *maker, const struct live_step *step, struct op *op)
{
    op->number = step->code == LIVE_NUMBER ? number_of(maker, step->b) : step->a;
    op->has_space = step->code == LIVE_FACT && (step->a == LIVE_PROCESS || step->a == LIVE_THREAD);
}

static void take_step(struct maker *maker, unsigned i)
{
    const struct live_step *step = &maker->program->step[i];
    struct live_aggregation *made = maker->made;
    struct op *op = &made->op[made->steps];
    enum live_type type = (enum live_type)maker->types->at[i], a, b;
    /* What made the condition ends the program itself. */
    if (step->code == LIVE_UNLESS && made->steps && op[-1].to == step->a &&
        op[-1].code >= OP_FIRST_CONDITION) {
        op[-1].ends = true;
        return;
    }
    *op = (struct op){.to = step->to, .c = step->c, .kind = step->kind};
    made->steps++;
    if (step->code <= LIVE_NUMBER) {
        take_load(maker, step, op);
        op->code = (uint8_t)code_of(step, LIVE_NONE, LIVE_NONE);
    } else {
        take_operands(maker, step, op);
        a = (enum live_type)maker->type[op->a];
        b = op->has_number ? a : (enum live_type)maker->type[op->b];
        op->code = (uint8_t)code_of(step, a, b);
        op->is_signed =
            (uint8_t)((a == LIVE_SIGNED) | (b == LIVE_SIGNED) << 1 | (type == LIVE_SIGNED) << 2);
        op->bias = (uint64_t)(a == LIVE_SIGNED) << 63;
        op->accepts = accepts((enum live_code)step->code);
    }
    if (op->has_number && (op->code == OP_COMPARE || op->code == OP_COMPARE_REAL))
        quick_take_range(op);
    if (live_makes_text(step, type))
        op->slot = made->loads++;
    if (step->code == LIVE_UNLESS) {
        op->to = LIVE_REGISTERS;
        op->ends = true;
    } else
        maker->type[step->to] = (uint8_t)type;
    op->touched = op->operands | UINT32_C(1) << op->to;
    op->step = interpret_function(op);
}

/* Texts of the pool; numbers that are no such texts are ignored. */
static void take_literals(struct maker *maker)
{
    const struct live_program *program = maker->program;
    struct live_aggregation *made = maker->made;
    memcpy(made->texts, live_texts(program), program->texts);
    for (unsigned i = 0; i < program->numbers; i++) {
        uint64_t offset = live_numbers(program)[i] >> 32;
        if (offset % 8 == 0 && offset <= program->texts)
            made->literals[i] =
                (struct text){made->texts + offset / 8, (uint32_t)live_numbers(program)[i]};
    }
}

/* ---- The table. ---- */

static void take_table(struct table_view *view, void *table, const struct live_layout *layout)
{
    uint8_t *memory = table;
    view->percpu = (struct percpu){layout->cpus, layout->stride, counters_area};
    view->table = table;
    view->rows = memory + layout->rows;
    view->shared = view->rows + layout->cpus * layout->stride;
    view->directory = layout->spec.keys ? memory + layout->directory : NULL;
    view->mask = live_rows(layout) - 1;
    view->entry = layout->entry;
    view->row = layout->row;
    view->key_text = layout->spec.key_text;
    view->flights = layout->spec.flights ? (void *)(memory + layout->flights) : NULL;
    view->groups = layout->spec.flights ? layout->spec.flights / LIVE_GROUP - 1 : 0;
    if (layout->spec.flights && layout->outliers > layout->sides)
        view->sides = (void *)(memory + layout->sides);
    if (layout->spec.outliers) {
        view->outliers = (void *)(memory + layout->outliers);
        view->outlier_count = layout->spec.outliers;
    }
    if (layout->spec.exemplars) {
        view->exemplars = (void *)(memory + layout->exemplars);
        view->exemplar_mask = layout->spec.exemplars - 1;
        view->period = layout->spec.period * UINT64_C(1000000000);
        view->takes_bare = layout->spec.takes_bare;
    }
    view->low = layout->spec.low;
    view->step = layout->spec.step;
}

/* Whether what the program does is what the table is for. */
static const char *check_table(const struct live_program *program, const struct live_types *types,
                               const struct live_layout *layout)
{
    if (!layout)
        return program->action == LIVE_COUNT && !types->key[0]
                   ? NULL
                   : "a condition has neither value nor key";
    const struct live_table_spec *spec = &layout->spec;
    if (live_is_of_calls(program) || spec->value == LIVE_CALLS)
        return live_is_of_calls(program) && spec->value == LIVE_CALLS
                   ? NULL
                   : "the table is for other values";
    bool is_latency = program->action == LIVE_START || program->action == LIVE_STOP;
    const uint8_t *key = types->key;
    if (is_latency ? !spec->flights : live_value_type(program, types) != spec->value)
        return "the table is for other values";
    if (is_latency && spec->value != LIVE_UNSIGNED)
        return "the table is for other values";
    /* Of a latency, only one of both may say what the key is. */
    bool is_other = key[0] != spec->key[0] || key[1] != spec->key[1];
    if (is_other && !(is_latency && !key[0]))
        return "the table is for other keys";
    return NULL;
}

/* ---- Both. ---- */

static bool needs_clock(const struct live_program *program)
{
    bool needs = program->action >= LIVE_START;
    for (unsigned i = 0; i < program->steps; i++)
        needs |= program->step[i].code == LIVE_FACT && program->step[i].a == LIVE_TIME;
    return needs;
}

static bool needs_context(const struct live_program *program)
{
    bool needs = false;
    for (unsigned i = 0; i < program->steps; i++)
        needs |= program->step[i].code == LIVE_FACT && program->step[i].a >= LIVE_TRACE_ID;
    return needs;
}

static bool loads_memory(const struct live_program *program)
{
    for (unsigned i = 0; i < program->steps; i++)
        if (program->step[i].code == LIVE_LOAD || program->step[i].code == LIVE_LOAD_N ||
            program->step[i].code == LIVE_LOAD_VIEW || program->step[i].code == LIVE_ELEMENT)
            return true;
    return false;
}

/* One clock for all, as one starts what another stops. */
static void take_clock(struct live_aggregation *made)
{
    static struct ring_file clock;
    if (!clock.frequency)
        clock_start(&clock);
    made->is_tsc = clock.is_tsc;
    made->cycles = clock.cycles;
    made->monotonic = clock.monotonic;
    made->frequency = clock_period(&clock);
}

static uint32_t bit_of(uint8_t number)
{
    return number == LIVE_NO_REGISTER ? 0 : UINT32_C(1) << number;
}

/* What is the same in all hits of this process. A quick program has one thread's number, if any. */
void live_aggregation_take_process(struct live_aggregation *aggregation)
{
    uint64_t space = space_of_process();
    aggregation->process = tally_hash(space >> 32, (uint64_t)getpid());
    for (uint32_t i = 0; i < aggregation->steps; i++) {
        struct op *op = &aggregation->op[i];
        if (op->code == OP_PID)
            op->number = (op->has_space ? space : 0) | (uint64_t)getpid();
        if (op->code == OP_TID)
            op->number = aggregation->quick.space = op->has_space ? space : 0;
    }
}

static struct live_aggregation *make(const struct live_program *program,
                                     const struct live_types *types)
{
    struct live_aggregation *made = calloc(
        1, sizeof *made + (program->steps + 1U) * sizeof(struct op) +
               program->numbers * (sizeof(struct text) + sizeof(uint64_t)) + program->texts + 8);
    if (!made)
        return NULL;
    struct maker maker = {.program = program, .types = types, .made = made};
    made->literals = (struct text *)(void *)&made->op[program->steps + 1];
    uint64_t *roots = (uint64_t *)(void *)&made->literals[program->numbers];
    made->texts = roots + program->numbers;
    take_literals(&maker);
    for (unsigned i = 0; i < program->steps; i++)
        take_step(&maker, i);
    made->op[made->steps].step = interpret_end;
    made->action = program->action;
    made->kept = program->kept;
    live_aggregation_take_process(made);
    made->value = program->value;
    memcpy(made->key, program->key, sizeof made->key);
    memcpy(made->key_type, types->key, sizeof made->key_type);
    made->value_type = types->value;
    made->bias = (uint64_t)(types->value == LIVE_SIGNED) << 63;
    made->needed = bit_of(program->value) | bit_of(program->key[0]) | bit_of(program->key[1]);
    made->is_quick = quick_take(program, types, made);
    if (program->action == LIVE_ENTER) {
        made->depth = live_depth(program);
        made->root_count = program->numbers;
        made->roots = memcpy(roots, live_numbers(program), program->numbers * sizeof *roots);
    }
    return made;
}

const char *live_aggregation_make(struct live_aggregation **made, const void *program, size_t n,
                                  void *table, const struct live_layout *layout)
{
    union {
        struct live_program program;
        uint64_t words[LIVE_MAX_PROGRAM / 8];
    } copy;
    struct live_types types;
    if (n > sizeof copy)
        return "it is too large";
    memcpy(&copy, program, n);
    const char *problem = live_program_check(&copy, n, &types);
    if (!problem)
        problem = check_table(&copy.program, &types, layout);
    if (problem)
        return problem;
    struct live_aggregation *new = make(&copy.program, &types);
    if (!new)
        return "out of memory";
    if (layout)
        take_table(&new->view, table, layout);
    new->run = hit_function(new);
    bool has_exemplars = new->view.exemplars != NULL;
    bool has_clock = needs_clock(&copy.program) || has_exemplars;
    bool has_context = needs_context(&copy.program) || has_exemplars;
    if (has_clock)
        take_clock(new);
    if (has_context)
        context_find();
    /* The thread's right to read the clock, and memory that is not there: see copy.S. */
    if (loads_memory(&copy.program) || has_clock || has_context)
        new->is_guarded = fault_guard();
    *made = new;
    return NULL;
}

void live_aggregation_share_calls(struct live_aggregation *aggregation, struct calls *calls)
{
    aggregation->calls = calls;
}

void live_aggregation_limit(struct live_aggregation *aggregation, uint64_t limit)
{
    aggregation->limit = limit;
}

void live_aggregation_free(struct live_aggregation *aggregation)
{
    free(aggregation);
}
