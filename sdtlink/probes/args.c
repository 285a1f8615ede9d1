/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The argument descriptors: section .sdt_args, written by <sdt/probe.h>, laid out in format.h.
 *
 * The entry of a call names a label just after it, and belongs to the last site of its probe that
 * ends at or before the label, in the same section and function. That of any other site names the
 * site itself: of an inline one, of an is-enabled one in an asm statement, and of one with a note
 * (SDT_STANDALONE), which has the operands. An entry without a site, or two different entries for
 * one site, mean that the object no longer matches its source: it is refused. So is an inline site
 * without an entry, whose arguments are unknown. But a note may be left to tracers, and then its
 * entry describes nothing.
 */
#include "args.h"

#include "base/diag.h"
#include "base/probe_label.h"
#include "elf/beside.h"
#include "fields.h"

#include <shared/lower_bound.h>
#include <shared/note_args.h>
#include <stdlib.h>
#include <string.h>

/* One entry of .sdt_args, as read. */
struct raw_descriptor {
    uint64_t offset; /* in .sdt_args */
    struct place label;
    uint8_t form;
    struct descriptor arguments;
    struct slice provider, name;
};

/* Reading one .sdt_args section from its start. */
struct descriptor_reader {
    const struct object *object;
    const struct section *section;
    uint64_t at;
    const Elf64_Rela **relocations; /* by offset */
    size_t count, next;
    uint32_t hint; /* the site after the one that was found last, whose entry may be next */
};

static int refuse(const struct object *o, uint64_t offset, const struct raw_descriptor *raw,
                  const char *problem)
{
    char *symbol = NULL;
    if (raw && raw->name.text)
        symbol = probe_named(raw->provider, raw->name);
    size_t count;
    struct diag_place place = {.file = o->path,
                               .section = o->sections[*object_args(o, &count)].name,
                               .offset = offset,
                               .symbol = symbol};
    diag_refuse(&place, problem, NULL, NULL, "compile the file again with this <sdt/probe.h>");
    free(symbol);
    return -1;
}

/* SIZE more bytes, or NULL at the end. */
static const uint8_t *take(struct descriptor_reader *r, size_t size)
{
    if (size > r->section->size - r->at)
        return NULL;
    const uint8_t *data = r->section->data + r->at;
    r->at += size;
    return data;
}

static bool take_string(struct descriptor_reader *r, struct slice *string)
{
    const char *text = (const char *)r->section->data + r->at;
    size_t left = r->section->size - r->at, length = left ? strnlen(text, left) : 0;
    if (length == left)
        return false;
    *string = (struct slice){text, length};
    r->at += length + 1;
    return true;
}

/* `label - .` as one relocation, or the half of two that names the label. */
static bool is_distance(const struct object *o, const Elf64_Rela *relocation)
{
    const struct arch_relocations *types = &o->arch->relocations;
    uint32_t type = ELF64_R_TYPE(relocation->r_info);
    return type == types->distance || (types->difference && type == types->difference);
}

/* The label that RELOCATION refers to. False: not a label in a section of this object. */
static bool label_of(const struct object *o, const Elf64_Rela *relocation, struct place *label)
{
    uint32_t symbol = ELF64_R_SYM(relocation->r_info);
    if (!is_distance(o, relocation) || symbol >= o->symbol_count)
        return false;
    label->section = object_symbol_section(o, symbol);
    label->offset = o->symbols[symbol].st_value + (uint64_t)relocation->r_addend;
    return label->section != SHN_UNDEF;
}

/* The relocation of the four bytes at the reader's position; NULL: there is none. */
static const Elf64_Rela *take_relocation(struct descriptor_reader *r)
{
    uint64_t at = r->at;
    while (r->next < r->count && r->relocations[r->next]->r_offset < at)
        r->next++;
    if (!take(r, 4))
        return NULL;
    for (size_t i = r->next; i < r->count && r->relocations[i]->r_offset == at; i++)
        if (is_distance(r->object, r->relocations[i]))
            return r->relocations[i];
    return r->next < r->count && r->relocations[r->next]->r_offset == at ? r->relocations[r->next]
                                                                         : NULL;
}

/* Where the distance at the reader's position points: `.long label - .` */
static bool take_label(struct descriptor_reader *r, struct place *label)
{
    const Elf64_Rela *relocation = take_relocation(r);
    return relocation && label_of(r->object, relocation, label);
}

/* Pointers are WORD bytes. */
static bool is_type(uint8_t type, unsigned word)
{
    unsigned size = type & SDT_ARG_SIZE;
    if (field_is_duration(type) || type == ((SDT_ARG_TEXT & ~SDT_ARG_SIZE) | word))
        return true;
    if (type & SDT_ARG_FLOAT)
        return (size == 4 || size == 8) && !(type & ~(SDT_ARG_SIZE | SDT_ARG_FLOAT));
    if (type & SDT_ARG_POINTER)
        return size == word && !(type & ~(SDT_ARG_SIZE | SDT_ARG_POINTER | SDT_ARG_SPECIAL));
    if (type & SDT_ARG_SPECIAL)
        return type == (SDT_ARG_SPECIAL | 1);
    return (size == 1 || size == 2 || size == 4 || size == 8) &&
           !(type & ~(SDT_ARG_SIZE | SDT_ARG_SIGNED));
}

/* The operands of an inline site: one string for each argument. */
static const char *read_operands(struct descriptor_reader *r, struct descriptor *arguments)
{
    for (unsigned i = 0; i < arguments->nargs; i++) {
        struct slice operand;
        if (!take_string(r, &operand))
            return "the entry's operands are cut off";
        if (!r->object->arch->is_plain(operand.text, &arguments->places[i]))
            return "an argument is neither in a register, a constant, nor in memory at a plain "
                   "displacement from one";
        if (i == 0)
            arguments->operands = operand.text;
    }
    return NULL;
}

/* Whether RELOCATION, which is no label_of(), refers to what another object has. *STRING is what is
 * there, if that is known (elf/beside.h). */
static bool is_elsewhere(const struct object *o, const Elf64_Rela *relocation, const char **string)
{
    uint32_t symbol = ELF64_R_SYM(relocation->r_info);
    if (!is_distance(o, relocation) || !symbol || symbol >= o->symbol_count ||
        o->symbols[symbol].st_shndx != SHN_UNDEF)
        return false;
    if (relocation->r_addend == 0)
        *string = beside_string(o->beside, object_symbol_name(o, symbol));
    return true;
}

/*
 * Where the site is and how its arguments are spelled: a string in another section. ThinLTO copies
 * functions into other modules without their strings: if these are not found, the arguments have no
 * names.
 */
static bool take_spelling(struct descriptor_reader *r, struct raw_descriptor *raw)
{
    struct place place;
    if (raw->form != SDT_ARGS_NAMED_CALL && raw->form != SDT_ARGS_NAMED_INLINE &&
        raw->form != SDT_ARGS_NAMED_NOTE)
        return true;
    const Elf64_Rela *relocation = take_relocation(r);
    if (!relocation)
        return false;
    if (!label_of(r->object, relocation, &place))
        return is_elsewhere(r->object, relocation, &raw->arguments.spelling);
    if (place.section >= r->object->section_count)
        return false;
    const struct section *s = &r->object->sections[place.section];
    if (!s->data || place.offset >= s->size)
        return false;
    raw->arguments.spelling = (const char *)s->data + place.offset;
    raw->arguments.spelled = place;
    return memchr(raw->arguments.spelling, 0, s->size - place.offset) != NULL;
}

/* NULL, or what is wrong with the entry. */
static const char *read_descriptor(struct descriptor_reader *r, struct raw_descriptor *raw)
{
    *raw = (struct raw_descriptor){.offset = r->at};
    if (!take_label(r, &raw->label))
        return "the entry's reference to its site is missing: stripped?";
    const uint8_t *head = take(r, 2);
    const uint8_t *types = head && head[1] <= SDT_MAX_ARGS ? take(r, head[1]) : NULL;
    if (!types)
        return "the entry is cut off, or has more than 12 arguments";
    raw->form = head[0];
    raw->arguments.nargs = head[1];
    for (unsigned i = 0; i < head[1]; i++) {
        if (!is_type(types[i], r->object->arch->word))
            return "an argument's type is unknown";
        raw->arguments.types[i] = types[i];
    }
    if (!take_spelling(r, raw))
        return "the entry's reference to the spelling of its arguments is broken";
    if (!take_string(r, &raw->provider) || !take_string(r, &raw->name))
        return "the entry's names are cut off";
    switch (raw->form) {
    case SDT_ARGS_CALL:
    case SDT_ARGS_NAMED_CALL:
    case SDT_ARGS_NOTE:
    case SDT_ARGS_NAMED_NOTE:
        return NULL;
    case SDT_ARGS_INLINE:
    case SDT_ARGS_NAMED_INLINE:
        return read_operands(r, &raw->arguments);
    case SDT_ARGS_ASKED:
        if (head[1])
            return "an is-enabled site has no arguments";
        return NULL;
    default:
        return "the entry's form is unknown";
    }
}

/* Sites by probe, section and offset: those of probe p are sites[first[p]] up to first[p + 1]. */
struct order {
    uint32_t *first, *sites;
};

static bool is_described_kind(const struct sites *sites, const struct site *site)
{
    return !site->stapsdt && site_symbol(sites, site)->name.use != SDT_USE_ENABLED;
}

/* Counting sort: the sites are in order of section and offset already. */
static void sort_by_probe(struct order *order, const struct sites *sites)
{
    order->first = memory_zeroed((size_t)sites->probe_count + 1, sizeof *order->first);
    order->sites = memory_zeroed(sites->count, sizeof *order->sites);
    for (uint32_t i = 0; i < sites->count; i++)
        if (is_described_kind(sites, &sites->items[i]))
            order->first[sites->items[i].probe]++;
    for (uint32_t p = 1; p <= sites->probe_count; p++)
        order->first[p] += order->first[p - 1];
    for (uint32_t i = sites->count; i-- > 0;)
        if (is_described_kind(sites, &sites->items[i]))
            order->sites[--order->first[sites->items[i].probe]] = i;
}

/* Whether a call, as it will be, ends at the entry's label or before it. */
static bool is_not_after(const struct tool_arch *arch, const struct site *site,
                         const struct raw_descriptor *raw)
{
    uint64_t end = site->place.offset + arch->form(site->kind)->length;
    return site->place.section < raw->label.section ||
           (site->place.section == raw->label.section && end <= raw->label.offset);
}

/* Whether SITE, the last one that ends before the entry's label, is the entry's. */
static bool is_described_by(const struct sites *sites, const struct site *site,
                            struct functions *functions, const struct raw_descriptor *raw)
{
    /* The label may be the end of its function: the byte before it belongs to the call, or follows.
     */
    return site->place.section == raw->label.section &&
           site_symbol(sites, site)->name.use != SDT_USE_INLINE &&
           site->function == functions_find(functions, raw->label.section, raw->label.offset - 1);
}

static struct site *find_call(const struct tool_arch *arch, const struct sites *sites,
                              const struct order *order, struct functions *functions,
                              const struct raw_descriptor *raw)
{
    const struct probe *probe = sites_probe(sites, raw->provider, raw->name);
    if (!probe)
        return NULL;
    const uint32_t *first = &order->first[probe - sites->probes];
    const uint32_t *own = &order->sites[first[0]];
    size_t after =
        LOWER_BOUND(i, first[1] - first[0], is_not_after(arch, &sites->items[own[i]], raw));
    struct site *site = after ? &sites->items[own[after - 1]] : NULL;
    return site && is_described_by(sites, site, functions, raw) ? site : NULL;
}

/* The site of the entry's probe that begins at its label: of KIND, or of a note, if that is 0. */
static struct site *find_asm(struct descriptor_reader *r, const struct sites *sites,
                             const struct raw_descriptor *raw, unsigned kind)
{
    uint32_t i = r->hint;
    if (i >= sites->count || place_compare(&sites->items[i].place, &raw->label) != 0)
        i = LOWER_BOUND(k, sites->count, place_compare(&sites->items[k].place, &raw->label) < 0);
    struct site *site = i < sites->count ? &sites->items[i] : NULL;
    if (!site || place_compare(&site->place, &raw->label) != 0 ||
        (kind ? site->kind != kind : !site->stapsdt))
        return NULL;
    r->hint = i + 1;
    const struct probe *probe = &sites->probes[site->probe];
    bool is_its = slice_compare(probe->provider, raw->provider) == 0 &&
                  slice_compare(probe->name, raw->name) == 0;
    return is_its ? site : NULL;
}

static bool is_same(const struct descriptor *a, const struct descriptor *b)
{
    return a->nargs == b->nargs && memcmp(a->types, b->types, sizeof a->types) == 0 &&
           a->operands == b->operands;
}

static int attach_enabled(struct site *site, const struct object *o,
                          const struct raw_descriptor *raw)
{
    if (!site)
        return refuse(o, raw->offset, raw,
                      "there is no is-enabled site of this probe where this entry says");
    site->arguments.is_asm_enabled = true;
    return 0;
}

static int attach(struct site *site, const struct object *o, const struct raw_descriptor *raw)
{
    if (!site)
        return refuse(o, raw->offset, raw,
                      "this argument descriptor has no probe site before its label");
    if (site->arguments.is_given && !is_same(&site->arguments, &raw->arguments))
        return refuse(o, raw->offset, raw,
                      "two argument descriptors that differ name the same probe site");
    site->arguments = raw->arguments;
    site->arguments.is_given = true;
    return 0;
}

/* NULL, or how the arguments of NOTE are not those of ARGUMENTS. */
static const char *compare_note(const struct stapsdt_note *note, const struct descriptor *arguments)
{
    struct note_args rest;
    struct note_arg arg;
    if (note_args_count(note->args.text, note->args.length) != arguments->nargs)
        return "the note of this site has a different number of arguments";
    note_args_begin(&rest, note->args.text, note->args.length);
    for (unsigned i = 0; note_args_next(&rest, &arg); i++)
        if (note_arg_size(&arg, '0') != (arguments->types[i] & SDT_ARG_SIZE))
            return "the note of this site has an argument of a different size";
    return NULL;
}

static int attach_note(struct site *site, const struct object *o, const struct raw_descriptor *raw)
{
    const char *problem = site ? compare_note(site->stapsdt, &raw->arguments) : NULL;
    if (!site)
        return 0;
    if (problem)
        return refuse(o, raw->offset, raw, problem);
    const struct section *s = &o->sections[site->place.section];
    if (o->arch->is_nop11 &&
        o->arch->is_nop11(s->data + site->place.offset, s->size - site->place.offset)) {
        site->kind = SDT_KIND_NOP11;
        site->length = o->arch->form(site->kind)->length;
    }
    return attach(site, o, raw);
}

static int read_section(const struct sites *sites, const struct order *order,
                        const struct object *o, struct functions *functions,
                        const struct section *s)
{
    int result = 0;
    struct descriptor_reader reader = {.object = o, .section = s};
    reader.relocations = object_relocations_of(o, s, &reader.count);
    while (result == 0 && reader.at < s->size) {
        struct raw_descriptor raw;
        const char *problem = read_descriptor(&reader, &raw);
        if (problem)
            result = refuse(o, raw.offset, &raw, problem);
        else if (raw.form == SDT_ARGS_ASKED)
            result = attach_enabled(find_asm(&reader, sites, &raw, SDT_KIND_ENABLED), o, &raw);
        else if (raw.form == SDT_ARGS_INLINE || raw.form == SDT_ARGS_NAMED_INLINE)
            result = attach(find_asm(&reader, sites, &raw, SDT_KIND_INLINE), o, &raw);
        else if (raw.form == SDT_ARGS_NOTE || raw.form == SDT_ARGS_NAMED_NOTE)
            result = attach_note(find_asm(&reader, sites, &raw, 0), o, &raw);
        else
            result = attach(find_call(o->arch, sites, order, functions, &raw), o, &raw);
    }
    free(reader.relocations);
    return result;
}

/* Whether RELOCATION is that of a call's entry, whose label needs its function: find_call(). */
static bool is_of_call(const struct section *s, const Elf64_Rela *relocation)
{
    if (s->size <= 4 || relocation->r_offset >= s->size - 4)
        return false;
    uint8_t form = s->data[relocation->r_offset + 4]; /* or a letter, after that to a spelling */
    return form == SDT_ARGS_CALL || form == SDT_ARGS_NAMED_CALL;
}

void args_collect_places(const struct object *o, struct bytes *places)
{
    size_t sections;
    const uint32_t *args = object_args(o, &sections);
    for (size_t i = 0; i < sections; i++) {
        const struct section *s = &o->sections[args[i]];
        size_t count = 0;
        const Elf64_Rela *relocations = NULL;
        if (s->rela)
            relocations = section_relocations(&o->sections[s->rela], &count);
        for (size_t k = 0; k < count; k++) {
            struct place label;
            if (!is_of_call(s, &relocations[k]) || !label_of(o, &relocations[k], &label))
                continue;
            label.offset--; /* find_call() asks for the byte before it */
            bytes_append(places, &label, sizeof label);
        }
    }
}

/* Each inline site has its entry. */
static int check_inline(const struct sites *sites, const struct object *o)
{
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct site *site = &sites->items[i];
        if (site->kind != SDT_KIND_INLINE || site->arguments.is_given)
            continue;
        struct diag_place place = {.file = o->path,
                                   .section = o->sections[site->place.section].name,
                                   .offset = site->place.offset,
                                   .symbol =
                                       object_symbol_name(o, site_symbol(sites, site)->symbol)};
        return diag_refuse(&place, "no argument descriptor names this inline probe site", NULL,
                           "an entry of .sdt_args",
                           "use SDT_PROBE of this <sdt/probe.h>, and process the object before "
                           "anything strips it");
    }
    return 0;
}

static bool has_probe(const void *sites, struct slice provider, struct slice name)
{
    return sites_probe(sites, provider, name);
}

int args_read(struct sites *sites, const struct object *o, struct functions *functions)
{
    struct order order;
    int result = 0;
    sort_by_probe(&order, sites);
    size_t count;
    const uint32_t *args = object_args(o, &count);
    for (size_t i = 0; i < count && result == 0; i++)
        if (o->sections[args[i]].size)
            result = read_section(sites, &order, o, functions, &o->sections[args[i]]);
    if (result == 0)
        result = check_inline(sites, o);
    if (result == 0)
        result = enums_read(&sites->enums, o, has_probe, sites);
    if (result == 0 && sites->enums.count)
        args_attach_enums(sites, o);
    free(order.first);
    free(order.sites);
    return result;
}
