/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See value.h: members of structures. An argument that is an address, and what it points to, follow
 * each other without a step as long as only offsets are added; a pointer on the way is loaded, and
 * at the end the value. Each load is one that may fail: then the value is missing.
 */
#include "site_types.h"
#include "value.h"

#include <shared/suggest.h>
#include <stdio.h>
#include <string.h>

/* Remember that only the process knows what is meant. */
#define fail(compiler, ...)                                                                        \
    ((compiler)->error->is_of_member = true, compile_fail(compiler, __VA_ARGS__))

static const char *name_of(const struct dwarf_view *view)
{
    return view->name                       ? view->name
           : view->shape == DWARF_STRUCTURE ? "a structure without a name"
           : view->shape == DWARF_POINTER   ? "a pointer"
           : view->shape == DWARF_ARRAY     ? "an array"
                                            : "a type without a name";
}

/* ---- Places. ---- */

/* The register of A with the address of its place, moved by OFFSET. */
static struct value address_of(struct compiler *compiler, struct value *a)
{
    struct value address = {.type = LIVE_UNSIGNED, .number = a->number};
    struct value offset =
        value_known((struct term){.kind = TERM_INTEGER, .integer = a->place.at.offset});
    return a->place.at.offset ? value_step(compiler, LIVE_ADD, LIVE_UNSIGNED, &address, &offset)
                              : address;
}

/* SIZE bytes at the address of A's place. */
static struct value load_bytes(struct compiler *compiler, struct value *a, unsigned size,
                               unsigned kind, enum live_type type)
{
    struct value one = value_known((struct term){.kind = TERM_INTEGER, .integer = 1});
    struct value address = address_of(compiler, a);
    one = value_materialise(compiler, &one);
    value_let_go(compiler, &address);
    value_let_go(compiler, &one);
    struct value made = value_in_register(compiler, type);
    assemble_step(&compiler->assembly, LIVE_ELEMENT, made.number, address.number,
                  assemble_number(&compiler->assembly, 0));
    assemble_more(&compiler->assembly, one.number, (uint8_t)(size | kind));
    return made;
}

/* What the pointer at A's place points to. */
static struct value follow(struct compiler *compiler, struct value *a)
{
    struct dwarf_type target;
    if (!dwarf_target(&a->place.at.type, &target))
        return fail(compiler, "this pointer points to nothing that has a type");
    struct value made = load_bytes(compiler, a, 8, 0, LIVE_UNSIGNED);
    made.place = (struct place){true, {.type = target}};
    return made;
}

/* Argument A, an address: what it points to. */
static struct value begin(struct compiler *compiler, struct value *a)
{
    const struct site_types *types = compiler->request->types;
    struct dwarf_type type;
    struct dwarf_view view;
    if (!a->pointer)
        return fail(compiler, "only an argument that is a pointer has members");
    if (!types || !site_types_file(types)->information)
        return fail(compiler,
                    "what '%s' points to is not known: there is no debug information "
                    "(compile with -g, or install the debug file)",
                    a->pointer);
    enum dwarf_answer answer = site_types_find(types, a->pointer, &type);
    if (answer == DWARF_NONE)
        return fail(compiler, "the debug information has no '%s' in %s()", a->pointer,
                    types->site->function);
    if (answer == DWARF_DOUBTFUL)
        return fail(compiler,
                    "'%s' may be of several types in %s(): name the probe's argument "
                    "after a variable of the function",
                    a->pointer, types->site->function);
    dwarf_look(&type, &view);
    /* A name may be that of what the argument is the address of: SDT_PROBE(…, &conn->request). */
    if ((view.shape == DWARF_POINTER || view.shape == DWARF_ARRAY) && !dwarf_target(&type, &type))
        return fail(compiler, "'%s' points to nothing that has a type", a->pointer);
    if (view.shape == DWARF_INTEGER || view.shape == DWARF_REAL || view.shape == DWARF_OTHER)
        return fail(compiler, "'%s' is no pointer, but %s", a->pointer, name_of(&view));
    compiler->has_members = true;
    struct value made = *a;
    made.pointer = NULL;
    made.look = (struct key_look){.is_hex = false};
    made.place = (struct place){true, {.type = type}};
    return made;
}

/* ---- Members. ---- */

struct offering {
    struct suggestion suggestion;
    char names[80];
    bool is_full;
};

static void offer(const char *name, void *data)
{
    struct offering *offering = data;
    static const char more[] = ", ...";
    size_t length = strlen(offering->names), room = sizeof offering->names - length;
    suggest_offer_word(&offering->suggestion, name);
    if (offering->is_full)
        return;
    offering->is_full = strlen(name) + 2 + sizeof more > room;
    snprintf(offering->names + length, room, "%s%s", offering->is_full || !length ? "" : ", ",
             offering->is_full ? more : name);
}

static struct value no_member(struct compiler *compiler, const char *name,
                              const struct dwarf_type *type, const struct dwarf_view *view)
{
    const struct dwarf *dwarf = site_types_file(compiler->request->types);
    struct offering offering = {.names = ""};
    suggest_begin(&offering.suggestion, name, strlen(name));
    dwarf_each_member(dwarf, type, offer, &offering);
    if (dwarf_is_incomplete(dwarf, type))
        return fail(compiler, "the debug information has no members of %s", name_of(view));
    if (*offering.suggestion.best)
        return fail(compiler, "%s has no member '%s'; did you mean '%s'?", name_of(view), name,
                    offering.suggestion.best);
    return fail(compiler, "%s has no member '%s', but %s", name_of(view), name, offering.names);
}

struct value compile_member(struct compiler *compiler, const char *name, struct value *a)
{
    struct value of = a->place.is_there ? *a : begin(compiler, a);
    struct dwarf_view view;
    struct dwarf_member member;
    if (compiler->has_failed)
        return of;
    dwarf_look(&of.place.at.type, &view);
    if (view.shape == DWARF_POINTER && !a->place.is_there)
        return fail(compiler, "'%s' points to a pointer: write %s[0]->%s", a->pointer, a->pointer,
                    name);
    if (view.shape == DWARF_POINTER) {
        of = follow(compiler, &of);
        if (compiler->has_failed)
            return of;
        dwarf_look(&of.place.at.type, &view);
    }
    if (view.shape != DWARF_STRUCTURE)
        return fail(compiler, "%s has no members", name_of(&view));
    switch (dwarf_find_member(site_types_file(compiler->request->types), &of.place.at.type, name,
                              &member)) {
    case DWARF_NONE:
        return no_member(compiler, name, &of.place.at.type, &view);
    case DWARF_DOUBTFUL:
        return fail(compiler, "where '%s' is in %s is not a fixed offset", name, name_of(&view));
    default:
        member.offset += of.place.at.offset;
        of.place.at = member;
        return of;
    }
}

bool member_has_elements(const struct value *a)
{
    return a->place.is_there || (a->pointer && !a->is_array && !a->look.label_count);
}

struct value member_element(struct compiler *compiler, struct value *a, struct value *b)
{
    bool is_argument = !a->place.is_there;
    struct value of = is_argument ? begin(compiler, a) : *a;
    struct dwarf_view view, element;
    struct dwarf_type type;
    if (compiler->has_failed)
        return of;
    if (!is_known_integer(b) || b->known.integer < 0 || b->known.integer > UINT32_MAX)
        return fail(compiler, "here, an index is a number from 0 on");
    dwarf_look(&of.place.at.type, &view);
    uint64_t index = (uint64_t)b->known.integer;
    type = of.place.at.type; /* of an argument: what it points to */
    if (!is_argument && view.shape == DWARF_POINTER)
        of = follow(compiler, &of);
    else if (!is_argument && (view.shape != DWARF_ARRAY || !dwarf_target(&type, &type)))
        return fail(compiler, "%s has no elements", name_of(&view));
    else if (!is_argument && view.count && index >= view.count)
        return fail(compiler, "this array has %llu elements, from 0 on",
                    (unsigned long long)view.count);
    if (compiler->has_failed)
        return of;
    type = !is_argument && view.shape == DWARF_POINTER ? of.place.at.type : type;
    dwarf_look(&type, &element);
    if (!element.size)
        return fail(compiler, "how large an element is, is not known");
    uint64_t offset = of.place.at.offset + index * element.size;
    of.place.at = (struct dwarf_member){.type = type, .offset = offset};
    return of;
}

/* ---- Values. ---- */

/* Names of an enumeration's values stay until the tool ends: tables know them. */
static void name_values(struct value *value, const struct dwarf_type *type)
{
    struct dwarf_label found[DWARF_MAX_LABELS];
    size_t count = dwarf_labels(type, found);
    struct describe_label *labels = count ? memory_zeroed(count, sizeof *labels) : NULL;
    for (size_t i = 0; i < count; i++) {
        labels[i].value = (uint64_t)found[i].value;
        labels[i].text = found[i].name;
    }
    value->look.labels = labels;
    value->look.label_count = count;
}

/* The fewest bytes that an integer in memory may have, of those that hold BITS. */
static unsigned bytes_for(unsigned bits)
{
    return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

static struct value load_bits(struct compiler *compiler, struct value *a,
                              const struct dwarf_view *view)
{
    const unsigned bit = a->place.at.bit, bits = a->place.at.bits;
    if (bit + bits > 64)
        return fail(compiler, "this bit-field lies in nine bytes");
    struct value made = load_bytes(compiler, a, bytes_for(bit + bits), 0, LIVE_UNSIGNED);
    struct value shift = value_known((struct term){.kind = TERM_INTEGER, .integer = bit});
    if (bit)
        made = value_step(compiler, LIVE_RIGHT, LIVE_UNSIGNED, &made, &shift);
    return value_extend(compiler, &made, bits, view->is_signed);
}

static struct value load_integer(struct compiler *compiler, struct value *a,
                                 const struct dwarf_view *view)
{
    struct dwarf_type type = a->place.at.type;
    struct value made =
        a->place.at.bits
            ? load_bits(compiler, a, view)
            : load_bytes(compiler, a, (unsigned)view->size, view->is_signed ? LIVE_KIND_SIGNED : 0,
                         view->is_signed ? LIVE_SIGNED : LIVE_UNSIGNED);
    made.look.size = (unsigned)view->size;
    made.look.is_bool = view->is_bool;
    if (view->is_enumeration)
        name_values(&made, &type);
    return made;
}

/* The text at the address that MADE is; at most MOST bytes of it; 0: up to its end. */
static struct value load_text(struct compiler *compiler, struct value *address, uint64_t most)
{
    struct value length = value_known(
        (struct term){.kind = TERM_INTEGER, .integer = most < LIVE_TEXT ? most : LIVE_TEXT});
    if (most)
        length = value_materialise(compiler, &length);
    value_let_go(compiler, address);
    if (most)
        value_let_go(compiler, &length);
    struct value made = value_in_register(compiler, LIVE_STRING);
    assemble_load(&compiler->assembly, most ? LIVE_LOAD_N : LIVE_LOAD, made.number, address->number,
                  most ? length.number : 0);
    if (most)
        assemble_more(&compiler->assembly, 0, 1);
    return made;
}

static struct value load_pointer(struct compiler *compiler, struct value *a)
{
    struct dwarf_type target;
    struct dwarf_view view = {.shape = DWARF_OTHER};
    if (dwarf_target(&a->place.at.type, &target))
        dwarf_look(&target, &view);
    struct value made = load_bytes(compiler, a, 8, 0, LIVE_UNSIGNED);
    if (view.shape == DWARF_INTEGER && view.is_char)
        return load_text(compiler, &made, 0);
    made.look = (struct key_look){.is_hex = true, .size = 8};
    return made;
}

static struct value load_array(struct compiler *compiler, struct value *a,
                               const struct dwarf_view *view)
{
    struct dwarf_type target;
    struct dwarf_view element = {.shape = DWARF_OTHER};
    if (dwarf_target(&a->place.at.type, &target))
        dwarf_look(&target, &element);
    if (element.shape != DWARF_INTEGER || !element.is_char || !view->count)
        return fail(compiler, "this is an array: write an element of it, as [0]");
    struct value address = address_of(compiler, a);
    return load_text(compiler, &address, view->count);
}

struct value member_load(struct compiler *compiler, struct value *a)
{
    struct dwarf_view view;
    if (!a->place.is_there)
        return *a;
    dwarf_look(&a->place.at.type, &view);
    switch (view.shape) {
    case DWARF_INTEGER:
        return load_integer(compiler, a, &view);
    case DWARF_REAL:
        return load_bytes(compiler, a, (unsigned)view.size, LIVE_KIND_FLOAT, LIVE_REAL);
    case DWARF_POINTER:
        return load_pointer(compiler, a);
    case DWARF_ARRAY:
        return load_array(compiler, a, &view);
    case DWARF_STRUCTURE:
        return fail(compiler, "this is a structure: name a member of it");
    default:
        return fail(compiler, "a value of this type cannot be read: %s", name_of(&view));
    }
}
