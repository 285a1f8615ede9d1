/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See compile.h. The steps of an expression work on a stack; here the stack has values that are
 * constants (which the probed process need not calculate) or will be in a register. Each operand of
 * `&&` in a predicate can end the program, so a text is only loaded if the operands before it hold.
 */
#include "compile.h"

#include "command/mark.h"
#include "value.h"

#include <stdlib.h>
#include <string.h>

/* The values of what CODE takes; of an element's first operand the place is needed. */
static void load_operands(struct compiler *compiler, enum code code, struct value *a)
{
    for (size_t i = code == CODE_ELEMENT; i < code_operands(code) && !compiler->has_failed; i++)
        a[i] = member_load(compiler, &a[i]);
}

/* Steps from FIRST up to LAST, which make one value. */
static struct value compile_range(struct compiler *compiler, size_t first, size_t last)
{
    const struct expression *expression = compiler->expression;
    struct value stack[STACK_SIZE];
    size_t top = 0;
    stack[0] = value_known((struct term){.kind = TERM_MISSING});
    for (size_t i = first; i <= last && !compiler->has_failed; i++) {
        const struct step *at = &expression->steps[i];
        compiler->offset = at->offset;
        top -= code_operands(at->code);
        struct value *a = &stack[top];
        if (at->code != CODE_MEMBER)
            load_operands(compiler, at->code, a);
        *a = at->code == CODE_CONSTANT ? value_known(at->constant)
             : at->code == CODE_NAME   ? compile_name(compiler, &expression->names[at->index])
             : at->code == CODE_MEMBER
                 ? compile_member(compiler, expression->names[at->index].name, a)
             : at->code == CODE_CALL || at->code == CODE_CALL_TWO
                 ? compile_call(compiler, expression->names[at->index].name, a,
                                at->code == CODE_CALL_TWO ? a + 1 : NULL)
             : code_operands(at->code) == 1 ? compile_one(compiler, at->code, a)
                                            : compile_two(compiler, at->code, a, a + 1);
        top++;
        if (compiler->assembly.problem)
            compile_fail(compiler, "%s", compiler->assembly.problem);
    }
    if (!compiler->has_failed)
        stack[0] = member_load(compiler, &stack[0]);
    return compiler->has_failed ? value_known((struct term){.kind = TERM_MISSING}) : stack[0];
}

/* ---- Expressions. ---- */

static struct expression *parse(struct compiler *compiler, const char *text)
{
    struct grammar_error wrong = {0};
    struct expression *expression = expression_parse(text, &wrong);
    compiler->text = text;
    compiler->expression = expression;
    if (expression)
        return expression;
    compiler->offset = wrong.offset;
    compile_fail(compiler, "%s", wrong.problem);
    return NULL;
}

static struct value compile_expression(struct compiler *compiler, const char *text)
{
    struct expression *expression = parse(compiler, text);
    struct value value = {.type = LIVE_NONE};
    if (expression)
        value = compile_range(compiler, 0, expression->count - 1);
    expression_free(expression);
    return value;
}

static void end_unless(struct compiler *compiler, struct value *value)
{
    if (compiler->has_failed)
        return;
    *value = compile_condition(compiler, value);
    if (is_known(value)) {
        if (!code_is_true(&value->known))
            compile_fail(compiler, "this is never true");
        return;
    }
    assemble_step(&compiler->assembly, LIVE_UNLESS, 0, value->number, 0);
    value_let_go(compiler, value);
}

/* Where what each step makes begins. */
static size_t *find_firsts(const struct expression *expression)
{
    size_t *first = memory_zeroed(expression->count, sizeof *first);
    size_t stack[STACK_SIZE], top = 0;
    for (size_t i = 0; i < expression->count; i++) {
        size_t operands = code_operands(expression->steps[i].code);
        first[i] = operands ? stack[top - operands] : i;
        top -= operands;
        stack[top++] = first[i];
    }
    return first;
}

/* Of `a && b && c`, which is (a && b) && c, the last of each. */
static void compile_predicate(struct compiler *compiler, const char *text)
{
    struct expression *expression = parse(compiler, text);
    if (!expression)
        return;
    size_t *first = find_firsts(expression), *last = memory_zeroed(expression->count, sizeof *last);
    size_t n = 0, at = expression->count - 1;
    for (; expression->steps[at].code == CODE_AND; at = first[at - 1] - 1)
        last[n++] = at - 1;
    struct value value = compile_range(compiler, first[at], at);
    end_unless(compiler, &value);
    while (n > 0 && !compiler->has_failed) {
        at = last[--n];
        value = compile_range(compiler, first[at], at);
        end_unless(compiler, &value);
    }
    free(first);
    free(last);
    expression_free(expression);
}

/* ---- Programs. ---- */

static uint8_t compile_value(struct compiler *compiler, const char *text)
{
    struct value value = compile_expression(compiler, text);
    value = compiler->has_failed ? value : value_materialise(compiler, &value);
    if (!compiler->has_failed && value.type == LIVE_REAL) /* buckets are of whole numbers */
        value = value_cut(compiler, &value);
    if (!compiler->has_failed && !is_integer(&value)) {
        compiler->offset = 0;
        compile_fail(compiler,
                     "a histogram needs numbers; 'sdt count PATTERN by EXPRESSION' counts texts");
    }
    return value.number;
}

/* Also of what matches, which is not shown, with NULL for LOOK. */
static uint8_t compile_key(struct compiler *compiler, const char *text, struct key_look *look)
{
    /* Processes of several PID namespaces may have one number: shown, it says which is meant. */
    bool is_thread = !strcmp(text, "tid");
    struct value value = look && (is_thread || !strcmp(text, "pid"))
                             ? compile_place(compiler, is_thread)
                             : compile_expression(compiler, text);
    value = compiler->has_failed ? value : value_materialise(compiler, &value);
    if (!compiler->has_failed && !is_integer(&value) && value.type != LIVE_STRING) {
        compiler->offset = 0;
        compile_fail(compiler, "a key is an integer or a text: int(x) makes an integer");
    }
    if (look)
        *look = value.look;
    return value.number;
}

static void compile_all(struct compiler *compiler, struct compiled *compiled)
{
    const struct compile_request *request = compiler->request;
    bool is_matched = request->action >= LIVE_START;
    uint8_t value = LIVE_NO_REGISTER, key[2] = {LIVE_NO_REGISTER, LIVE_NO_REGISTER};
    if (request->predicate)
        compile_predicate(compiler, request->predicate);
    if (is_matched && !compiler->has_failed)
        value = compile_key(compiler, request->value ? request->value : "tid", NULL);
    else if (request->value && !compiler->has_failed)
        value = compile_value(compiler, request->value);
    for (unsigned i = 0; i < 2 && !compiler->has_failed; i++)
        if (request->key[i])
            key[i] = compile_key(compiler, request->key[i], &compiled->look[i]);
    if (compiler->has_failed)
        return;
    const char *problem = assemble_end(&compiler->assembly, request->action, value, key,
                                       (struct live_program *)compiled->words);
    if (!problem && request->keeps)
        ((struct live_program *)compiled->words)->kept =
            compile_kept(request->arguments, request->argument_count) | (uint64_t)request->label
                                                                            << LIVE_LABEL_SHIFT;
    if (!problem)
        problem =
            live_program_check(compiled->words, compiled_program(compiled)->size, &compiled->types);
    if (problem)
        compile_fail(compiler, "%s", problem);
}

int compile_program(const struct compile_request *request, struct compiled *compiled,
                    struct compile_error *error)
{
    struct compiler compiler = {.request = request, .error = error, .text = ""};
    memset(compiled, 0, sizeof *compiled);
    error->is_of_member = false;
    compile_all(&compiler, compiled);
    compiled->has_members = compiler.has_members;
    bytes_free(&compiler.assembly.texts);
    arena_free(&compiler.arena);
    return compiler.has_failed ? -1 : 0;
}

int compile_or_report(const struct compile_request *request, struct compiled *compiled)
{
    struct compile_error error;
    return compile_program(request, compiled, &error) == 0
               ? 0
               : mark_error(error.text, error.offset, error.problem);
}

struct live_table_spec compile_table_spec(const struct compiled *program)
{
    const struct live_types *types = &program->types;
    bool is_latency = compiled_program(program)->action == LIVE_START ||
                      compiled_program(program)->action == LIVE_STOP;
    struct live_table_spec spec = {.value =
                                       (uint8_t)live_value_type(compiled_program(program), types)};
    memcpy(spec.key, types->key, sizeof spec.key);
    spec.flights = is_latency ? COMPILE_FLIGHTS : 0;
    if (spec.key[0])
        spec.keys = spec.value ? COMPILE_HIST_KEYS : COMPILE_COUNT_KEYS;
    if (spec.key[0] == LIVE_STRING || spec.key[1] == LIVE_STRING)
        spec.key_text = COMPILE_KEY_TEXT;
    return spec;
}
