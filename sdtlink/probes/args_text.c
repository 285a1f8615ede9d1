/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The arguments of a site as text: for its record, and for its note.
 */
#include "args.h"

#include "base/text.h"
#include "fields.h"

#include <stdlib.h>
#include <string.h>

/* What a value of TYPE is without its meaning. */
static uint8_t plain_type(uint8_t type)
{
    return field_is_duration(type) ? SDT_ARG_SIGNED | 8
           : type == SDT_ARG_TEXT  ? SDT_ARG_POINTER | 8
                                   : type;
}

/* Whether its operands say where they are; else the calling convention does. */
static bool has_operands(const struct site *site)
{
    return site->kind == SDT_KIND_INLINE || kind_is_of_function(site->kind);
}

/* Operand I of such a site, as the compiler has written it. */
static const char *operand_of(const struct site *site, unsigned i)
{
    const char *operand = site->arguments.operands;
    for (unsigned before = 0; before < i; before++)
        operand += strlen(operand) + 1;
    return operand;
}

/* Six words, of which nothing is known. */
static const struct descriptor untyped = {.nargs = UNTYPED_ARGS, .types = {8, 8, 8, 8, 8, 8}};
static const struct descriptor narrow_untyped = {.nargs = UNTYPED_ARGS,
                                                 .types = {4, 4, 4, 4, 4, 4}};

static const struct descriptor *descriptor_of(const struct tool_arch *arch, const struct site *site)
{
    const struct descriptor *unknown = arch->word == sizeof(uint64_t) ? &untyped : &narrow_untyped;
    return site->arguments.is_given ? &site->arguments : unknown;
}

/* How many words the arguments before number I take in a call. A float is passed as a double. */
static unsigned words_before(const struct tool_arch *arch, const struct site *site, unsigned i)
{
    if (arch->word == sizeof(uint64_t))
        return i;
    const struct descriptor *d = descriptor_of(arch, site);
    unsigned words = 0;
    for (unsigned before = 0; before < i; before++) {
        uint8_t type = plain_type(d->types[before]);
        words += type & SDT_ARG_FLOAT || (type & SDT_ARG_SIZE) == 8 ? 2 : 1;
    }
    return words;
}

/* A blank, a sign, the size in bytes, AT, and the place. */
static void append_argument(struct bytes *text, const struct tool_arch *arch,
                            const struct site *site, unsigned i, uint8_t type, unsigned size,
                            const char *at)
{
    char piece[8 + ARCH_PLACE_SIZE];
    size_t length = 0;
    bool has_operand = has_operands(site);
    uint8_t reg = has_operand ? site->arguments.places[i] : ARCH_NO_REGISTER;
    if (i)
        piece[length++] = ' ';
    if (type & SDT_ARG_SIGNED)
        piece[length++] = '-';
    piece[length++] = (char)('0' + size);
    while (*at)
        piece[length++] = *at++;
    if (reg != ARCH_NO_REGISTER)
        length += arch->put_register(piece + length, reg);
    else if (!has_operand)
        length += arch->put_call_place(piece + length, words_before(arch, site, i),
                                       arch->form(site->kind)->returns);
    bytes_append(text, piece, length);
    if (has_operand && reg == ARCH_NO_REGISTER)
        text_append(text, operand_of(site, i));
}

static bool has_names(const struct descriptor *d)
{
    bool is_special = false;
    for (unsigned i = 0; i < d->nargs; i++)
        is_special |= (d->types[i] & SDT_ARG_SPECIAL) != 0;
    return d->nargs && (d->spelling || is_special || d->enum_count);
}

/* What follows a descriptor with names: `KIND:NAME` for each argument. */
static void append_fields(struct bytes *text, const struct descriptor *d)
{
    struct fields fields;
    fields_derive(&fields, d->spelling, d->types, d->nargs);
    bytes_append(text, "\t", 2);
    for (unsigned i = 0; i < d->nargs; i++) {
        const struct enum_names *names = args_enum_of(d, fields.kind[i], fields.name[i]);
        bytes_append(text, &fields.kind[i], 1);
        if (names)
            enums_append(text, names, d->types[i]);
        bytes_append(text, ":", 1);
        bytes_append(text, fields.name[i], strlen(fields.name[i]) + 1);
    }
}

/* `-4`, `8p`, `8f` */
static void append_type(struct bytes *text, uint8_t type)
{
    type = plain_type(type);
    if (type & SDT_ARG_SIGNED)
        text_char(text, '-');
    text_natural(text, type & SDT_ARG_SIZE);
    text_append(text, type & SDT_ARG_FLOAT ? "f" : type & SDT_ARG_POINTER ? "p" : "");
}

void args_tell_note(struct stapsdt_args *args, const struct descriptor *descriptor)
{
    struct bytes text = {0};
    const char *at = args->text;
    for (unsigned i = 0; i < args->count; i++) {
        const char *operand = strchr(at, '@');
        size_t length = strcspn(operand, " ");
        if (i)
            bytes_append(&text, " ", 1);
        append_type(&text, descriptor->types[i]);
        bytes_append(&text, operand, length);
        at = operand + length;
    }
    if (has_names(descriptor))
        append_fields(&text, descriptor);
    else
        bytes_append(&text, "", 1);
    free(args->text);
    args->text = (char *)text.data;
    args->size = text.size;
}

unsigned args_append_text(struct bytes *text, const struct tool_arch *arch, const struct site *site)
{
    const struct descriptor *d = descriptor_of(arch, site);
    unsigned nargs = arch->form(site->kind)->is_enabled_test ? 0 : d->nargs;
    for (unsigned i = 0; i < nargs; i++) {
        uint8_t type = plain_type(d->types[i]);
        const char *at = type & SDT_ARG_FLOAT ? "f@" : type & SDT_ARG_POINTER ? "p@" : "@";
        append_argument(text, arch, site, i, type, type & SDT_ARG_SIZE, at);
    }
    if (site->arguments.is_given && has_names(d))
        append_fields(text, d);
    else
        bytes_append(text, "", 1);
    return nargs;
}

/*
 * What every consumer understands: a size, a sign, a place. There is no word for pointers. There
 * would be one for floating point, but libbpf refuses a probe that uses it, bcc loses count of its
 * arguments and gdb shows none; and what lies there is its bits, at a call those of a double.
 */
void args_append_note(struct bytes *text, const struct tool_arch *arch, const struct site *site,
                      unsigned count)
{
    const struct descriptor *d = descriptor_of(arch, site);
    for (unsigned i = 0; i < count; i++) {
        uint8_t type = plain_type(d->types[i]);
        bool is_converted = type & SDT_ARG_FLOAT && site->kind != SDT_KIND_INLINE;
        append_argument(text, arch, site, i, type, is_converted ? 8 : type & SDT_ARG_SIZE, "@");
    }
}
