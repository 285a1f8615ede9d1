/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The arguments of a <sys/sdt.h> note as the descriptor of a record (<sdt/format.h>): each gets a
 * TYPE; its operand stays as the producer wrote it, for the runtime to evaluate.
 *
 * TYPE is `N@`, `-N@` or `Nf@` in notes as well, but may be missing in asm written by hand: then
 * the operand's name says the size, as it does for gdb. If the size is not that of an integer (16,
 * 24), the argument has no value.
 *
 * A blank ends an argument, but not inside of brackets: `8@[sp, 16]`, as compilers for aarch64
 * spell it. The record has no blanks there.
 */
#include "stapsdt.h"

#include <shared/note_type.h>
#include <stdlib.h>
#include <string.h>

bool stapsdt_next(struct slice *args, struct slice *piece)
{
    const char *at = args->text, *end = at + args->length;
    unsigned depth = 0;
    while (at < end && *at == ' ')
        at++;
    piece->text = at;
    for (; at < end && (depth || *at != ' '); at++) {
        depth += *at == '[';
        depth -= *at == ']' && depth;
    }
    piece->length = (size_t)(at - piece->text);
    *args = (struct slice){at, (size_t)(end - at)};
    return piece->length > 0;
}

/* The name of a variable in `name+8(%rip)`, `8+name(%rip)`: the operand's only word. */
static struct slice symbol_of(const struct tool_arch *arch, const char *operand, size_t length)
{
    struct slice name = {NULL, 0};
    length = arch->variable_length(operand, length);
    for (size_t i = 0; i < length;) {
        size_t word = i;
        while (word < length && operand[word] != '+' && operand[word] != '-')
            word++;
        bool is_number = i < word && operand[i] >= '0' && operand[i] <= '9';
        if (word > i && !is_number)
            name = (struct slice){operand + i, word - i};
        i = word + 1;
    }
    return name;
}

/* The sum of the numbers in such an operand. */
static int64_t addend_of(const char *operand)
{
    int64_t sum = 0;
    while (*operand && *operand != '(') {
        bool is_negative = *operand == '-';
        operand += *operand == '+' || *operand == '-';
        size_t word = strcspn(operand, "+-(");
        if (*operand >= '0' && *operand <= '9')
            sum += (is_negative ? -1 : 1) * (int64_t)strtoull(operand, NULL, 0);
        operand += word;
    }
    return sum;
}

static struct slice name_of(const struct object *o, uint32_t symbol)
{
    return slice_of(object_symbol_name(o, symbol));
}

static int compare_symbols(const void *left, const void *right, void *object)
{
    return slice_compare(name_of(object, *(const uint32_t *)left),
                         name_of(object, *(const uint32_t *)right));
}

static void sort_symbols(struct stapsdt_names *names, const struct object *o)
{
    names->symbols = memory_zeroed((size_t)o->symbol_count + 1, sizeof *names->symbols);
    for (uint32_t i = 0; i < o->symbol_count; i++)
        names->symbols[i] = i;
    if (o->symbol_count)
        qsort_r(names->symbols, o->symbol_count, sizeof *names->symbols, compare_symbols,
                (void *)(uintptr_t)o);
}

void stapsdt_free_names(struct stapsdt_names *names)
{
    free(names->symbols);
    names->symbols = NULL;
}

/* The one symbol of that name; 0: none, or several. */
static uint32_t find_symbol(struct stapsdt_names *names, const struct object *o, struct slice name)
{
    if (!names->symbols)
        sort_symbols(names, o);
    uint32_t low = 0, high = o->symbol_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (slice_compare(name_of(o, names->symbols[middle]), name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
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
    return target->symbol >= o->first_global && target->addend == 0 &&
           ELF64_ST_VISIBILITY(symbol->st_other) == STV_DEFAULT;
}

/* `name(%rip)`: `*name(%rip)` if it is found through the GOT. False if nobody knows whose it is. */
static bool add_target(struct stapsdt_args *args, const struct object *o,
                       struct stapsdt_names *names, const char *operand, size_t length,
                       bool *is_indirect)
{
    struct slice name = symbol_of(o->arch, operand, length);
    *is_indirect = false;
    if (!name.length)
        return true;
    struct stapsdt_target target = {find_symbol(names, o, name), addend_of(operand)};
    if (!target.symbol)
        return false;
    *is_indirect = stapsdt_is_indirect(o, &target);
    args->targets[args->target_count++] = target;
    return true;
}

static bool is_wrong(const char *piece, size_t length, size_t type)
{
    size_t operand = type ? type + 1 : 0;
    return memchr(piece + operand, '@', length - operand) || operand == length ||
           (type && !is_note_type(piece, type));
}

static void append_argument(struct stapsdt_args *args, struct bytes *text, const struct object *o,
                            struct stapsdt_names *names, const char *piece, size_t length)
{
    size_t type = note_type_length(piece, length), operand = type ? type + 1 : 0;
    bool is_indirect;
    if (text->size)
        bytes_append(text, " ", 1);
    if (is_wrong(piece, length, type) ||
        !add_target(args, o, names, piece + operand, length - operand, &is_indirect)) {
        bytes_append(text, "8@?", 3);
        return;
    }
    char size = o->arch->operand_size(piece, length);
    bytes_append(text, type ? piece : &size, type ? type : 1);
    bytes_append(text, "@*", is_indirect ? 2 : 1);
    for (size_t i = operand; i < length; i++)
        if (piece[i] != ' ')
            bytes_append(text, piece + i, 1);
}

void stapsdt_read_args(struct stapsdt_args *args, const struct object *o,
                       struct stapsdt_names *names, const struct stapsdt_note *note)
{
    struct bytes text = {0};
    struct slice rest = note->args, piece;
    *args = (struct stapsdt_args){0};
    while (stapsdt_next(&rest, &piece)) {
        append_argument(args, &text, o, names, piece.text, piece.length);
        args->count++;
    }
    bytes_append(&text, "", 1);
    args->text = (char *)text.data;
    args->size = text.size;
}
