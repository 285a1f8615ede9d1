/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The arguments of each note, and of all sites of a probe together.
 *
 * Every consumer can read this: at most 12 arguments, separated by one blank; each is a size (1, 2,
 * 4, 8, with `-` if signed), `@`, and a 64-bit register, `d(%register)` with a decimal d or, except
 * for perf, a constant. Each deviation has its rule, since consumers differ in what they lose: the
 * argument, the probe, or all probes of the file.
 *
 * A probe's sites are compared because perf and the kernel create one event for all of them, with
 * one type for each argument, and others take the number of arguments of one site for all.
 */
#include "check.h"
#include "operand.h"

#include "base/memory.h"
#include "list/args.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* libbpf takes 12 arguments. Of a hostile note only LOOKED_AT are examined. */
enum { MAX_ARGUMENTS = 12, LOOKED_AT = 64, MAX_SPECS = 256, MAX_SITES = 128 };

/* One argument of one note. */
struct argument {
    struct check *check;
    const struct list_note *note;
    unsigned number;
    struct slice text;
};

static void add(const struct argument *argument, const char *id)
{
    struct finding *finding = finding_add(argument->check, id, SCOPE_SITE, argument->note, NULL);
    if (!finding)
        return;
    int length = argument->text.length < 256 ? (int)argument->text.length : 256;
    finding->argument = argument->number;
    finding->operand = memory_format("%.*s", length, argument->text.text);
}

static void check_register(const struct argument *argument, struct slice name)
{
    const struct machine *machine = argument->check->machine;
    switch (machine->register_class(name)) {
    case REGISTER_GENERAL:
        break;
    case REGISTER_HALF:
        add(argument, "arg-word-register");
        break;
    case REGISTER_HIGH_BYTE:
        add(argument, "arg-high-byte");
        break;
    case REGISTER_LOW_BYTE:
        add(argument, "arg-byte-register");
        break;
    case REGISTER_VECTOR:
        add(argument, machine->has_vector_rule ? "arg-vector-register" : "arg-register");
        break;
    case REGISTER_UNKNOWN:
        add(argument, "arg-register");
        break;
    }
}

static void check_memory(const struct argument *argument, const struct operand *operand)
{
    const struct machine *machine = argument->check->machine;
    if (operand->has_index)
        add(argument, "arg-indexed");
    else if (!operand->has_displacement && !machine->has_bare_brackets)
        add(argument, "arg-no-displacement");
    if (machine->is_stack_only && !operand->has_index && !slice_is(operand->base, "sp"))
        add(argument, "arg-not-sp");
    if (operand->base.length == 0 && machine->needs_base)
        add(argument, "arg-unreadable");
    else
        check_register(argument, operand->base);
    if (operand->index.length)
        check_register(argument, operand->index);
}

static void check_operand(const struct argument *argument, const struct operand *operand)
{
    bool is_address = operand->kind == OPERAND_CONSTANT &&
                      argument->check->machine->marks_constants && operand->text.text[0] != '$';
    if (operand->has_segment) {
        add(argument, "arg-segment");
        return;
    }
    if (operand->has_symbol) {
        add(argument, "arg-symbol");
        return;
    }
    if (operand->kind == OPERAND_UNKNOWN || is_address) {
        add(argument, "arg-unreadable");
        return;
    }
    if (operand->is_hexadecimal)
        add(argument, "arg-hexadecimal");
    if (operand->terms > 1)
        add(argument, operand->terms == 2 ? "arg-sum" : "arg-expression");
    if (operand->kind == OPERAND_CONSTANT)
        add(argument, "arg-constant");
    else if (operand->kind == OPERAND_REGISTER)
        check_register(argument, operand->base);
    else
        check_memory(argument, operand);
}

static bool has_known_operands(const struct machine *machine)
{
    return machine && machine->has_operands;
}

static enum operand_syntax syntax_of(const struct machine *machine)
{
    return machine ? machine->syntax : SYNTAX_ATT;
}

/* True if perf gives up the whole file for it. */
static bool check_argument(const struct argument *argument)
{
    const struct machine *machine = argument->check->machine;
    bool is_known = has_known_operands(machine);
    struct operand operand;
    operand_parse(&operand, argument->text, syntax_of(machine));
    if (!operand.has_size)
        add(argument, "arg-no-size");
    else if (operand.size != 1 && operand.size != 2 && operand.size != 4 && operand.size != 8)
        add(argument, "arg-size");
    if (operand.is_float)
        add(argument, "arg-float");
    if (operand.has_at)
        add(argument, "arg-at-sign");
    if (is_known && operand.text.length)
        check_operand(argument, &operand);
    else if (operand.text.length == 0)
        add(argument, "arg-unreadable");
    return operand.has_size && operand.size > 8;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static size_t count_arguments(struct slice text)
{
    struct note_args rest;
    struct slice argument;
    size_t count = 0;
    note_args_begin(&rest, text.text, text.length);
    while (list_next_argument(&rest, &argument))
        count++;
    return count;
}

/* Whether a comma separates some of TEXT's arguments; or it stands there, and separates nothing. */
static bool has_comma(struct slice text)
{
    struct note_args rest;
    struct note_arg argument;
    const char *from = text.text, *end = text.text + text.length;
    note_args_begin(&rest, text.text, text.length);
    while (note_args_next(&rest, &argument)) {
        if (memchr(from, ',', (size_t)(argument.text - from)))
            return true;
        from = argument.text + argument.length;
    }
    return memchr(from, ',', (size_t)(end - from)) != NULL;
}

/* True if perf gives up the whole file for one of them. */
static bool check_note_arguments(struct check *check, const struct list_note *note)
{
    struct argument argument = {check, note, 0, {0}};
    struct note_args rest;
    bool is_too_large = false;
    if (note->args.length == 0)
        return false;
    if (slice_is(note->args, ":")) {
        finding_add(check, "args-colon", SCOPE_SITE, note, NULL);
        return false;
    }
    const char *text = note->args.text;
    if (is_blank(text[0]))
        finding_add(check, "args-blank-leading", SCOPE_SITE, note, NULL);
    if (is_blank(text[note->args.length - 1]) || strstr(text, "  ") || strchr(text, '\t'))
        finding_add(check, "args-blank-extra", SCOPE_SITE, note, NULL);
    note_args_begin(&rest, note->args.text, note->args.length);
    while (argument.number < LOOKED_AT && list_next_argument(&rest, &argument.text)) {
        argument.number++;
        is_too_large = check_argument(&argument) || is_too_large;
    }
    if (has_comma(note->args))
        finding_add(check, "args-comma", SCOPE_SITE, note, NULL);
    if (argument.number > MAX_ARGUMENTS)
        finding_add(check, "args-too-many", SCOPE_SITE, note,
                    memory_format("%zu", count_arguments(note->args)));
    return is_too_large;
}

void check_arguments(struct check *check)
{
    bool is_too_large = false, has_arguments = false;
    for (size_t i = 0; i < check->notes.count; i++) {
        const struct list_note *note = &check->notes.items[i];
        if (note->state != NOTE_PROBE)
            continue;
        is_too_large = check_note_arguments(check, note) || is_too_large;
        has_arguments = has_arguments || count_arguments(note->args) > 0;
    }
    if (is_too_large)
        finding_add(check, "file-arg-size", SCOPE_FILE, NULL, NULL);
    if (has_arguments && !has_known_operands(check->machine)) {
        finding_add(check, "machine-libbpf", SCOPE_FILE, NULL,
                    memory_format("ELF machine %u", check->elf->machine));
        finding_add(check, "machine-unknown", SCOPE_FILE, NULL,
                    memory_format("ELF machine %u", check->elf->machine));
    }
}

static int by_args(const void *left, const void *right)
{
    return strcmp((*(const struct list_note *const *)left)->args.text,
                  (*(const struct list_note *const *)right)->args.text);
}

/* Libbpf keeps one record for each distinct string. Sorts NOTES. */
static void check_specs(struct check *check, const struct list_note **notes, size_t count)
{
    size_t distinct = 1;
    if (count <= MAX_SPECS)
        return;
    qsort(notes, count, sizeof *notes, by_args);
    for (size_t i = 1; i < count; i++)
        distinct += by_args(&notes[i - 1], &notes[i]) != 0;
    if (distinct > MAX_SPECS)
        finding_add(check, "arg-specs", SCOPE_PROBE, notes[0],
                    memory_format("%zu of %zu sites", distinct, count));
}

static void check_counts(struct check *check, const struct list_note **notes, size_t count)
{
    size_t first = count_arguments(notes[0]->args);
    for (size_t i = 1; i < count; i++) {
        size_t other = count_arguments(notes[i]->args);
        if (other == first)
            continue;
        finding_add(check, "args-count-differs", SCOPE_PROBE, notes[0],
                    memory_format("%zu and %zu", first, other));
        return;
    }
}

/* Whether perf leaves the argument out. */
static bool is_unread(const struct check *check, const struct operand *operand)
{
    const struct machine *machine = check->machine;
    if (!has_known_operands(machine))
        return false;
    bool is_elsewhere = operand->kind == OPERAND_MEMORY && !slice_is(operand->base, "sp");
    return operand->kind == OPERAND_CONSTANT || operand->has_symbol || operand->has_segment ||
           operand->has_index || operand->is_hexadecimal || operand->terms > 1 ||
           (machine->is_stack_only && is_elsewhere);
}

/* What the kernel makes of the arguments: an event has one type for each. */
struct types {
    size_t count;
    struct {
        unsigned long size;
        bool is_signed, is_unread;
    } arguments[LOOKED_AT];
};

static void read_types(const struct check *check, const struct list_note *note, struct types *types)
{
    struct note_args rest;
    struct slice text;
    types->count = 0;
    note_args_begin(&rest, note->args.text, note->args.length);
    while (types->count < LOOKED_AT && list_next_argument(&rest, &text)) {
        struct operand operand;
        operand_parse(&operand, text, syntax_of(check->machine));
        types->arguments[types->count].size = operand.size;
        types->arguments[types->count].is_signed = operand.is_signed;
        types->arguments[types->count++].is_unread = is_unread(check, &operand);
    }
}

/* The first argument that is read in one of them only, or that differs in size; from 1. */
static size_t find_unread(const struct types *a, const struct types *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++)
        if (a->arguments[i].is_unread != b->arguments[i].is_unread)
            return i + 1;
    return 0;
}

static size_t find_size(const struct types *a, const struct types *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++)
        if (!a->arguments[i].is_unread && !b->arguments[i].is_unread &&
            (a->arguments[i].size != b->arguments[i].size ||
             a->arguments[i].is_signed != b->arguments[i].is_signed))
            return i + 1;
    return 0;
}

static const char *sign(const struct types *types, size_t argument)
{
    return types->arguments[argument - 1].is_signed ? "-" : "";
}

static void check_types(struct check *check, const struct list_note **notes, size_t count)
{
    struct types first, other;
    size_t unread = 0, size = 0;
    read_types(check, notes[0], &first);
    for (size_t i = 1; i < count && !(unread && size); i++) {
        read_types(check, notes[i], &other);
        size_t differs = unread ? 0 : find_unread(&first, &other);
        if (differs)
            finding_add(check, "args-unread-differs", SCOPE_PROBE, notes[0],
                        memory_format("argument %zu", unread = differs));
        differs = size ? 0 : find_size(&first, &other);
        if (differs) {
            size = differs;
            finding_add(check, "args-size-differs", SCOPE_PROBE, notes[0],
                        memory_format("argument %zu: %s%lu and %s%lu", size, sign(&first, size),
                                      first.arguments[size - 1].size, sign(&other, size),
                                      other.arguments[size - 1].size));
        }
    }
}

void check_probes(struct check *check)
{
    size_t count;
    const struct list_note **notes = check_by_probe(check, &count);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && check_is_same_probe(notes[from], notes[to]);)
            to++;
        if (to - from > MAX_SITES)
            finding_add(check, "probe-sites", SCOPE_PROBE, notes[from],
                        memory_format("%zu", to - from));
        check_counts(check, notes + from, to - from);
        check_types(check, notes + from, to - from);
        check_specs(check, notes + from, to - from);
    }
    free(notes);
}
