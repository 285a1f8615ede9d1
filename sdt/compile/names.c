/* SPDX-License-Identifier: BSD-2-Clause */
/* See value.h: names of expressions, and calls. */
#include "value.h"

#include <math.h>
#include <shared/suggest.h>
#include <shared/words.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names. ---- */

static enum live_type type_of(const char *type)
{
    return !strcmp(type, "double") || !strcmp(type, "float") ? LIVE_REAL
           : !strncmp(type, "int", 3) || !strncmp(type, "duration", 8) || !strcmp(type, "length")
               ? LIVE_SIGNED
               : LIVE_UNSIGNED;
}

/* How many nanoseconds a duration's 1 is. */
static uint32_t unit_of_type(const char *type)
{
    uint32_t unit = 0;
    if (!strncmp(type, "duration_", 9))
        word_unit(type + 9, &unit);
    return unit;
}

static uint32_t unit_of_argument(const struct compile_argument *argument)
{
    uint32_t unit = 0;
    if (!argument->unit)
        return unit_of_type(argument->type);
    return argument->unit[word_unit(argument->unit, &unit)] ? 0 : unit;
}

/*
 * A program of the simplest form would run as a function that takes a site's arguments unseen
 * (runtime/bytecode/quick.c). In steps, one that a site lacks is missing. So there is a step that
 * such functions do not have.
 */
static void run_in_steps(struct compiler *compiler)
{
    struct value cpu = value_in_register(compiler, LIVE_UNSIGNED);
    assemble_step(&compiler->assembly, LIVE_FACT, cpu.number, LIVE_CPU, 0);
    value_let_go(compiler, &cpu);
}

/* A register with argument INDEX. */
static struct value load_word(struct compiler *compiler, size_t index, enum live_type type)
{
    if (compiler->request->may_lack && index + 1 == compiler->request->argument_count)
        run_in_steps(compiler);
    struct value value = value_in_register(compiler, type);
    assemble_step(&compiler->assembly, LIVE_ARGUMENT, value.number, (uint8_t)index, (uint8_t)type);
    return value;
}

/* Whether argument INDEX is followed by how long it is. */
static bool has_length(const struct compile_request *request, size_t index)
{
    return index + 1 < request->argument_count &&
           !strcmp(request->arguments[index + 1].type, "length");
}

/* Bytes, or text that ends where its length says, or at a NUL. */
static struct value load_text(struct compiler *compiler, size_t index)
{
    bool is_bytes = !strcmp(compiler->request->arguments[index].type, "bytes");
    bool has_end = has_length(compiler->request, index);
    if (is_bytes && !has_end)
        return compile_fail(compiler, "it is not known how many bytes this has");
    struct value value = load_word(compiler, index, LIVE_UNSIGNED), length = {.type = LIVE_NONE};
    if (has_end)
        length = load_word(compiler, index + 1, LIVE_SIGNED);
    assemble_load(&compiler->assembly, has_end ? LIVE_LOAD_N : LIVE_LOAD, value.number,
                  value.number, has_end ? length.number : 0);
    if (has_end)
        assemble_more(&compiler->assembly, 0, !is_bytes);
    value_let_go(compiler, &length);
    return (struct value){.type = LIVE_STRING, .number = value.number};
}

/* The bytes of "int32", "hex8" and so on; 8 of all others. */
static unsigned size_of(const char *type)
{
    size_t digits = strcspn(type, "0123456789");
    unsigned bits = (unsigned)strtoul(type + digits, NULL, 10);
    return bits == 8 || bits == 16 || bits == 32 ? bits / 8 : 8;
}

/* The low bytes of an argument, as many as its described type has, and their sign. */
static struct value load_converted(struct compiler *compiler, size_t index)
{
    const char *type = compiler->request->arguments[index].type;
    bool is_bool = strcmp(type, "bool") == 0;
    struct value value = load_word(compiler, index, LIVE_UNSIGNED);
    value = value_extend(compiler, &value, is_bool ? 8 : 8 * size_of(type),
                         type_of(type) == LIVE_SIGNED);
    return is_bool ? value_step(compiler, LIVE_TRUTH, LIVE_UNSIGNED, &value, NULL) : value;
}

static struct value load_argument(struct compiler *compiler, size_t index)
{
    const struct compile_argument *argument = &compiler->request->arguments[index];
    const char *type = argument->type;
    if (strchr(type, '[')) {
        /* An array, as the number of its elements. */
        if (!has_length(compiler->request, index))
            return compile_fail(compiler, "it is not known how many elements this has");
        struct value value = load_word(compiler, index + 1, LIVE_SIGNED);
        value.is_array = true;
        value.argument = index;
        return value;
    }
    if (!strcmp(type, "string_view")) {
        struct value value = load_word(compiler, index, LIVE_UNSIGNED);
        assemble_load(&compiler->assembly, LIVE_LOAD_VIEW, value.number, value.number, 0);
        return (struct value){.type = LIVE_STRING, .number = value.number};
    }
    if (!strcmp(type, "string") || !strcmp(type, "bytes"))
        return load_text(compiler, index);
    struct value value = argument->is_converted ? load_converted(compiler, index)
                                                : load_word(compiler, index, type_of(type));
    value.unit = unit_of_argument(argument);
    bool is_address = !strcmp(type, "pointer") || !strcmp(type, "uint64") || !strcmp(type, "hex64");
    value.pointer = is_address ? argument->name : NULL;
    value.look = (struct key_look){.is_hex = !strncmp(type, "hex", 3) || !strcmp(type, "pointer"),
                                   .is_bool = !strcmp(type, "bool"),
                                   .size = size_of(type),
                                   .labels = argument->labels,
                                   .label_count = argument->label_count};
    return value;
}

/* What an element of an array of TYPE is in memory. */
static uint8_t kind_of(const char *type)
{
    return !strncmp(type, "float", 5)    ? LIVE_KIND_FLOAT | 4
           : !strncmp(type, "double", 6) ? LIVE_KIND_FLOAT | 8
           : !strncmp(type, "int", 3)    ? (uint8_t)(LIVE_KIND_SIGNED | size_of(type))
                                         : (uint8_t)size_of(type);
}

struct value compile_element(struct compiler *compiler, struct value *a, struct value *b)
{
    if (member_has_elements(a))
        return member_element(compiler, a, b);
    if (is_known(a) || !a->is_array)
        return compile_fail(compiler, "only an array has elements");
    if (is_known(b) ? !is_known_integer(b) || !value_fits(b->known.integer, LIVE_UNSIGNED)
                    : !is_integer(b))
        return compile_fail(compiler, "an array index is an integer, from 0 on");
    const char *type = compiler->request->arguments[a->argument].type;
    uint8_t kind = kind_of(type);
    struct value from = load_word(compiler, a->argument, LIVE_UNSIGNED);
    uint8_t index =
        is_known(b) ? assemble_number(&compiler->assembly, (uint64_t)b->known.integer) : b->number;
    value_let_go(compiler, a);
    value_let_go(compiler, b);
    value_let_go(compiler, &from);
    struct value made = value_in_register(compiler, kind & LIVE_KIND_FLOAT    ? LIVE_REAL
                                                    : kind & LIVE_KIND_SIGNED ? LIVE_SIGNED
                                                                              : LIVE_UNSIGNED);
    assemble_step(&compiler->assembly, LIVE_ELEMENT, made.number, from.number, index);
    assemble_more(&compiler->assembly, a->number, kind);
    made.look.is_hex = !strncmp(type, "pointer", 7);
    return made;
}

/* The number of the argument of this name, or SIZE_MAX. */
static size_t find_argument(const struct compile_request *request, const char *name)
{
    for (size_t i = 0; i < request->argument_count; i++)
        if (request->arguments[i].name && !strcmp(request->arguments[i].name, name))
            return i;
    char *end;
    bool is_number = !strncmp(name, "arg", 3) && name[3] >= '0' && name[3] <= '9';
    unsigned long number = is_number ? strtoul(name + 3, &end, 10) : 0;
    return is_number && !*end && number < request->argument_count ? number : SIZE_MAX;
}

static const char *const facts[LIVE_FACTS] = {
    [LIVE_TID] = "tid",           [LIVE_PID] = "pid",           [LIVE_CPU] = "cpu",
    [LIVE_TIME] = "time",         [LIVE_COMM] = "comm",         [LIVE_PROVIDER] = "provider",
    [LIVE_NAME] = "name",         [LIVE_FUNCTION] = "function", [LIVE_MODULE] = "module",
    [LIVE_TRACE_ID] = "trace_id", [LIVE_SPAN_ID] = "span_id",
};

/* LIVE_FACTS: it is none. Ids that a probe passes itself are those that count. */
static unsigned find_fact(const struct compile_request *request, const struct expression_name *name)
{
    unsigned i = 0;
    while (i < LIVE_FACTS && !(facts[i] && !name->is_argument && !strcmp(facts[i], name->name)))
        i++;
    return i >= LIVE_TRACE_ID && find_argument(request, name->name) != SIZE_MAX ? LIVE_FACTS : i;
}

/* The argument that has a value of this NAME; NULL: none has. */
static const struct compile_argument *find_label(const struct compile_request *request,
                                                 const char *name)
{
    for (size_t i = 0; i < request->argument_count; i++)
        for (size_t k = 0; k < request->arguments[i].label_count; k++)
            if (!strcmp(request->arguments[i].labels[k].text, name))
                return &request->arguments[i];
    return NULL;
}

/* An argument or a fact that is called nearly so. */
static struct suggestion suggest(const struct compile_request *request, const char *name)
{
    struct suggestion suggestion;
    suggest_begin(&suggestion, name, strlen(name));
    for (size_t i = 0; i < request->argument_count; i++)
        if (request->arguments[i].name && compile_is_shown(&request->arguments[i]))
            suggest_offer_word(&suggestion, request->arguments[i].name);
    for (unsigned i = 0; i < LIVE_FACTS; i++)
        suggest_offer_word(&suggestion, facts[i] ? facts[i] : "");
    return suggestion;
}

static struct value unknown_name(struct compiler *compiler, const char *name)
{
    const struct compile_request *request = compiler->request;
    const struct compile_argument *labelled = find_label(request, name);
    struct suggestion suggestion = suggest(request, name);
    char names[100] = "";
    size_t length = 0;
    if (labelled)
        return compile_fail(compiler, "'%s' is the name of a value of '%s': write it in quotes",
                            name, labelled->name);
    if (*suggestion.best)
        return compile_fail(compiler, "the probe has no argument '%s'; did you mean '%s'?", name,
                            suggestion.best);
    for (size_t i = 0; i < request->argument_count && length < sizeof names; i++) {
        const char *known_name = request->arguments[i].name;
        char number[32];
        snprintf(number, sizeof number, "arg%zu", i);
        if (compile_is_shown(&request->arguments[i]))
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       *names ? ", " : "", known_name ? known_name : number);
    }
    if (!*names)
        return compile_fail(compiler, "the probe has no arguments, and nothing else is named '%s'",
                            name);
    return compile_fail(compiler, "the probe has no argument '%s', but %s", name, names);
}

struct value compile_name(struct compiler *compiler, const struct expression_name *name)
{
    unsigned fact = find_fact(compiler->request, name);
    if (fact < LIVE_FACTS) {
        bool is_text = fact >= LIVE_COMM;
        struct value value = value_in_register(compiler, is_text ? LIVE_STRING : LIVE_UNSIGNED);
        (is_text ? assemble_load : assemble_step)(&compiler->assembly, LIVE_FACT, value.number,
                                                  (uint8_t)fact, 0);
        value.is_name = fact == LIVE_PROVIDER || fact == LIVE_NAME;
        value.look.is_name = value.is_name;
        value.look.is_function = fact == LIVE_FUNCTION;
        return value;
    }
    size_t index = find_argument(compiler->request, name->name);
    return index == SIZE_MAX ? unknown_name(compiler, name->name) : load_argument(compiler, index);
}

struct value compile_place(struct compiler *compiler, bool is_thread)
{
    struct value value = value_in_register(compiler, LIVE_UNSIGNED);
    assemble_step(&compiler->assembly, LIVE_FACT, value.number,
                  is_thread ? LIVE_THREAD : LIVE_PROCESS, 0);
    value.look.is_thread = is_thread;
    value.look.is_process = !is_thread;
    return value;
}

/* ---- Calls. ---- */

static struct value compile_int(struct compiler *compiler, struct value *a)
{
    if (is_known(a) && a->known.kind == TERM_REAL) {
        if (!(fabs(a->known.real) < 0x1p63))
            return compile_fail(compiler, "this does not fit 64 bits");
        return value_known(code_call(FUNCTION_INT, &a->known, NULL));
    }
    if (is_known_integer(a))
        return *a;
    if (is_integer(a)) /* without its name, if it has one */
        return (struct value){.type = a->type, .number = a->number, .unit = a->unit};
    if (a->type != LIVE_REAL)
        return compile_fail(compiler, "int() takes a number");
    return value_cut(compiler, a);
}

static struct value compile_length(struct compiler *compiler, struct value *a)
{
    if (a->is_array)
        return (struct value){.type = a->type, .number = a->number};
    if (is_known(a) && a->known.kind == TERM_TEXT)
        return value_known(code_call(FUNCTION_LEN, &a->known, NULL));
    return a->type == LIVE_STRING ? value_step(compiler, LIVE_LENGTH, LIVE_SIGNED, a, NULL)
                                  : compile_fail(compiler, "len() takes a text or an array");
}

/* The text at address A, up to a NUL. */
static struct value load_at(struct compiler *compiler, struct value *a)
{
    value_let_go(compiler, a);
    struct value made = value_in_register(compiler, LIVE_STRING);
    assemble_load(&compiler->assembly, LIVE_LOAD, made.number, a->number, 0);
    return made;
}

/* The same of B bytes at most; or the first B bytes of text A. */
static struct value load_most(struct compiler *compiler, struct value *a, struct value *b)
{
    bool is_text = a->type == LIVE_STRING;
    if (!is_integer(b) && !is_known_integer(b))
        return compile_fail(compiler, "the length of str() is an integer");
    if (is_known(b) && b->known.integer > LIVE_TEXT)
        b->known.integer = LIVE_TEXT;
    *b = value_materialise(compiler, b);
    value_let_go(compiler, a);
    value_let_go(compiler, b);
    struct value made = value_in_register(compiler, LIVE_STRING);
    assemble_load(&compiler->assembly, is_text ? LIVE_CUT : LIVE_LOAD_N, made.number, a->number,
                  b->number);
    assemble_more(&compiler->assembly, 0, !is_text);
    made.is_name = a->is_name;
    return made;
}

static struct value compile_str(struct compiler *compiler, struct value *a, struct value *b)
{
    if (is_known(a) && a->known.kind == TERM_TEXT && (!b || is_known_integer(b)))
        return value_known(code_call(FUNCTION_STR, &a->known, b ? &b->known : NULL));
    if (is_known_integer(a))
        *a = value_materialise(compiler, a);
    if (a->type != LIVE_STRING && (!is_integer(a) || a->is_array))
        return compile_fail(compiler, "str() takes an address");
    return b ? load_most(compiler, a, b) : a->type == LIVE_STRING ? *a : load_at(compiler, a);
}

static struct value unknown_function(struct compiler *compiler, const char *name)
{
    struct suggestion suggestion;
    suggest_begin(&suggestion, name, strlen(name));
    for (size_t i = 0; i < FUNCTIONS; i++)
        suggest_offer_word(&suggestion, code_names[i].name);
    return *suggestion.best
               ? compile_fail(compiler, "there is no function '%s'; did you mean %s()?", name,
                              suggestion.best)
               : compile_fail(compiler,
                              "there is no function '%s'; there are str(), len() and int()", name);
}

struct value compile_call(struct compiler *compiler, const char *name, struct value *a,
                          struct value *b)
{
    if (!strcmp(name, "int"))
        return compile_int(compiler, a);
    if (!strcmp(name, "len"))
        return compile_length(compiler, a);
    if (!strcmp(name, "str"))
        return compile_str(compiler, a, b);
    return unknown_function(compiler, name);
}
