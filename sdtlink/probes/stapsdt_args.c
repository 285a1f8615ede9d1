/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The arguments of a <sys/sdt.h> note as the descriptor of a record (<sdt/format.h>): each gets a
 * TYPE; its operand stays as the producer wrote it, without blanks, for the runtime to evaluate.
 * <shared/note_args.h> tells them apart, and the runtime's own reader of operands says whether it
 * will be able to.
 *
 * TYPE is `N@`, `-N@` or `Nf@` in notes as well, but may be missing in asm written by hand: then
 * the operand's name says the size, as it does for gdb.
 */
#include "stapsdt.h"

#include <shared/lower_bound.h>
#include <shared/note_args.h>
#include <stdlib.h>

static struct slice name_of(const struct object *o, uint32_t symbol)
{
    return slice_of(object_symbol_name(o, symbol));
}

static int compare_symbols(const void *left, const void *right, void *object)
{
    return slice_compare(name_of(object, *(const uint32_t *)left),
                         name_of(object, *(const uint32_t *)right));
}

void stapsdt_free_names(struct stapsdt_names *names)
{
    free(names->symbols);
    names->symbols = NULL;
}

/* The one symbol of that name; 0: none, or several. */
static uint32_t find_symbol(struct stapsdt_names *names, const struct object *o, struct slice name)
{
    if (!names->symbols) {
        names->symbols = memory_zeroed((size_t)o->symbol_count + 1, sizeof *names->symbols);
        for (uint32_t i = 0; i < o->symbol_count; i++)
            names->symbols[i] = i;
        if (o->symbol_count)
            qsort_r(names->symbols, o->symbol_count, sizeof *names->symbols, compare_symbols,
                    (void *)(uintptr_t)o);
    }
    uint32_t low =
        LOWER_BOUND(i, o->symbol_count, slice_compare(name_of(o, names->symbols[i]), name) < 0);
    const uint32_t *found = names->symbols + low;
    if (low == o->symbol_count || slice_compare(name_of(o, *found), name) != 0 ||
        (low + 1 < o->symbol_count && slice_compare(name_of(o, found[1]), name) == 0) ||
        ELF64_ST_TYPE(o->symbols[*found].st_info) == STT_TLS)
        return 0;
    return *found;
}

bool stapsdt_is_indirect(const struct object *o, const struct stapsdt_target *target)
{
    const Elf64_Sym *symbol = &o->symbols[target->symbol];
    bool is_foreign = ELF64_ST_VISIBILITY(symbol->st_other) == STV_DEFAULT;
    bool may_be_nothing =
        symbol->st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) == STB_WEAK;
    return target->symbol >= o->first_global && target->addend == 0 &&
           (is_foreign || may_be_nothing);
}

/* NULL, or what is wrong with ARG, which OPERAND describes: at its variable. */
static const char *add_target(struct stapsdt_args *args, const struct object *o,
                              struct stapsdt_names *names, const char *text,
                              const struct operand *operand)
{
    struct slice name = {0};
    name.text = o->arch->operands->name(text, &name.length);
    struct stapsdt_target target = {find_symbol(names, o, name), operand->displacement};
    if (!target.symbol)
        return "names no variable of this object, or more than one";
    args->targets[args->target_count++] = target;
    return NULL;
}

/* Append ARG to TEXT. NULL, or what is wrong with it. */
static const char *append_argument(struct stapsdt_args *args, struct bytes *text,
                                   const struct object *o, struct stapsdt_names *names,
                                   const struct note_arg *arg)
{
    struct operand operand;
    if (!note_arg_is_sound(arg))
        return "has a size or a form that is not read";
    char size = o->arch->operands->size(arg->operand, arg->operand_length);
    if (text->size)
        bytes_append(text, " ", 1);
    bytes_reserve(text, arg->length + NOTE_ARG_ROOM + 1);
    char *to = (char *)text->data + text->size;
    size_t length = note_arg_describe(arg, size, false, to);
    to[length] = '\0';
    const char *place = to + (arg->type ? arg->type : 1) + 1, *problem = NULL;
    o->arch->operands->parse(place, &operand);
    if (!operand_is_readable(&operand, note_arg_size(arg, size)))
        return "has a form that is not read";
    if (operand.kind == OPERAND_SYMBOL)
        problem = add_target(args, o, names, place, &operand);
    if (!problem && operand.kind == OPERAND_SYMBOL &&
        stapsdt_is_indirect(o, &args->targets[args->target_count - 1]))
        length = note_arg_describe(arg, size, true, to);
    text->size += length;
    return problem;
}

/* The problem of argument NUMBER, which begins at TEXT. */
static char *describe(unsigned number, const char *text, size_t length, const char *problem)
{
    enum { SHOWN = 100 };
    return memory_format("argument %u, \"%.*s\", %s", number,
                         (int)(length < SHOWN ? length : SHOWN), text, problem);
}

/* Append all that TEXT has. */
static char *append_arguments(struct stapsdt_args *args, struct bytes *descriptor,
                              const struct object *o, struct stapsdt_names *names,
                              struct slice text)
{
    struct note_args rest;
    struct note_arg arg;
    note_args_begin(&rest, text.text, text.length);
    while (note_args_next(&rest, &arg)) {
        if (args->count == SDT_MAX_ARGS)
            return memory_format("the probe has more than %d arguments", SDT_MAX_ARGS);
        const char *problem = append_argument(args, descriptor, o, names, &arg);
        args->count++;
        if (problem)
            return describe(args->count, arg.text, arg.length, problem);
    }
    if (!rest.problem)
        return NULL;
    char *problem = memory_format("cannot be read: %s", rest.problem);
    char *result = describe(args->count + 1u, rest.at, (size_t)(rest.end - rest.at), problem);
    free(problem);
    return result;
}

char *stapsdt_read_args(struct stapsdt_args *args, const struct object *o,
                        struct stapsdt_names *names, struct slice text)
{
    struct bytes descriptor = {0};
    *args = (struct stapsdt_args){0};
    char *problem = append_arguments(args, &descriptor, o, names, text);
    bytes_append(&descriptor, "", 1);
    args->text = (char *)descriptor.data;
    args->size = descriptor.size;
    return problem;
}
