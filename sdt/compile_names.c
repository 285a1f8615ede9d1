/* SPDX-License-Identifier: BSD-2-Clause */
/* See compile_value.h: names of expressions, and calls. */
#include "compile_value.h"

#include <math.h>
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

static struct value load_argument(struct compiler *compiler, size_t index)
{
    const struct compile_request *request = compiler->request;
    const char *type = request->arguments[index].type;
    bool is_bytes = !strcmp(type, "bytes"), is_text = is_bytes || !strcmp(type, "string");
    if (strchr(type, '['))
        return compile_fail(compiler, "an array has no value that could be calculated with");
    if (!strcmp(type, "string_view"))
        return compile_fail(compiler,
                            "a string_view cannot be read here; SDT_TEXT(data, size) can");
    bool has_length = is_text && index + 1 < request->argument_count &&
                      !strcmp(request->arguments[index + 1].type, "length");
    struct value value = value_in_register(compiler, is_text ? LIVE_UNSIGNED : type_of(type));
    assemble_step(&compiler->assembly, LIVE_ARGUMENT, value.number, (uint8_t)index,
                  (uint8_t)value.type);
    value.is_hex = !strncmp(type, "hex", 3) || !strcmp(type, "pointer");
    if (!is_text)
        return value;
    struct value length = {.type = LIVE_NONE};
    if (has_length) {
        length = value_in_register(compiler, LIVE_SIGNED);
        assemble_step(&compiler->assembly, LIVE_ARGUMENT, length.number, (uint8_t)(index + 1),
                      LIVE_SIGNED);
    } else if (is_bytes)
        return compile_fail(compiler, "it is not known how many bytes this has");
    assemble_load(&compiler->assembly, has_length ? LIVE_LOAD_N : LIVE_LOAD, value.number,
                  value.number, has_length ? length.number : 0);
    value_let_go(compiler, &length);
    return (struct value){.type = LIVE_STRING, .number = value.number};
}

static const char *const facts[LIVE_FACTS] = {
    [LIVE_TID] = "tid",   [LIVE_PID] = "pid",           [LIVE_CPU] = "cpu",
    [LIVE_TIME] = "time", [LIVE_COMM] = "comm",         [LIVE_PROVIDER] = "provider",
    [LIVE_NAME] = "name", [LIVE_FUNCTION] = "function", [LIVE_MODULE] = "module",
};

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

static struct value unknown_name(struct compiler *compiler, const char *name)
{
    const struct compile_request *request = compiler->request;
    char names[100] = "";
    size_t length = 0;
    for (size_t i = 0; i < request->argument_count && length < sizeof names; i++) {
        const char *known_name = request->arguments[i].name;
        char number[32];
        snprintf(number, sizeof number, "arg%zu", i);
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                                   known_name ? known_name : number);
    }
    if (!request->argument_count)
        return compile_fail(compiler, "the probe has no arguments, and nothing else is named '%s'",
                            name);
    return compile_fail(compiler, "the probe has no argument '%s', but %s", name, names);
}

struct value compile_name(struct compiler *compiler, const struct expression_name *name)
{
    for (unsigned i = 0; i < LIVE_FACTS && !name->is_argument; i++)
        if (!strcmp(facts[i], name->name)) {
            bool is_text = i >= LIVE_COMM;
            struct value value = value_in_register(compiler, is_text ? LIVE_STRING : LIVE_UNSIGNED);
            (is_text ? assemble_load : assemble_step)(&compiler->assembly, LIVE_FACT, value.number,
                                                      (uint8_t)i, 0);
            return value;
        }
    size_t index = find_argument(compiler->request, name->name);
    return index == SIZE_MAX ? unknown_name(compiler, name->name) : load_argument(compiler, index);
}

/* ---- Calls. ---- */

static struct value compile_int(struct compiler *compiler, struct value *a)
{
    if (is_known(a) && a->known.kind == OPERAND_REAL) {
        if (!(fabs(a->known.real) < 0x1p63))
            return compile_fail(compiler, "this does not fit 64 bits");
        return value_known(
            (struct operand){.kind = OPERAND_INTEGER, .integer = (__int128)a->known.real});
    }
    if (is_known_integer(a) || is_integer(a))
        return *a;
    if (a->type != LIVE_REAL)
        return compile_fail(compiler, "int() is of a number");
    uint64_t factor = a->is_scaled ? a->factor : 1;
    uint8_t second = assemble_number(&compiler->assembly, factor);
    value_let_go(compiler, a);
    struct value made = value_in_register(compiler, LIVE_SIGNED);
    assemble_step(&compiler->assembly, LIVE_SCALE, made.number, a->number, second);
    return made;
}

struct value compile_call(struct compiler *compiler, const char *name, struct value *a)
{
    if (!strcmp(name, "int"))
        return compile_int(compiler, a);
    if (strcmp(name, "str") != 0)
        return compile_fail(compiler, "there is no function '%s'; there are str() and int()", name);
    if (a->type == LIVE_STRING)
        return *a;
    if (is_known_integer(a))
        *a = value_materialise(compiler, a);
    if (!is_integer(a))
        return compile_fail(compiler, "str() is of an address");
    value_let_go(compiler, a);
    struct value made = value_in_register(compiler, LIVE_STRING);
    assemble_load(&compiler->assembly, LIVE_LOAD, made.number, a->number, 0);
    return made;
}
