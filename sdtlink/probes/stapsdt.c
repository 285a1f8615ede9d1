/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See stapsdt.h. The note that a producer wrote into an object for each probe
 * (shared/note.h). The addresses of its NOP and of its semaphore are relocations against a label or
 * section; that of the base is of no interest here. Where linkers may shorten code, assemblers may
 * leave even the lengths in a note's head to them, as distances of two of its labels: LLVM 14 does
 * for riscv64, gas and LLVM 16 do not.
 *
 * Notes guarantee much less than the symbols of <sdt/probe.h>. A tracer accepts any address: in a
 * user's own asm statement the byte may belong to a longer instruction, which must not be mistaken
 * for a NOP. Names may be anything. None of this is an error of the program, which works without
 * us, so nothing is refused. A note that cannot be a site stays unchanged, with a warning.
 *
 * In an object that was processed before, notes may belong to our sites: the records tell which.
 */
#include "stapsdt.h"

#include "base/diag.h"
#include "base/probe_label.h"
#include "names.h"

#include <shared/lower_bound.h>
#include <shared/note.h>
#include <stdlib.h>
#include <string.h>

static const char advice[] = "tracers see this probe as before; sdt_enable() will not";

/* One section of notes while it is read. */
struct note_reader {
    const struct object *object;
    const struct section *section;
    const Elf64_Rela **relocations; /* by offset */
    size_t count;
    const struct place *known; /* the sites of an earlier run, in order */
    size_t known_count;
    struct stapsdt_names *names;
};

static void warn(const struct note_reader *r, uint64_t at, const struct stapsdt_note *note,
                 const char *problem)
{
    char *symbol = NULL;
    if (note)
        symbol = probe_named(note->provider, note->name);
    diag_warn(
        &(struct diag_place){
            .file = r->object->path, .section = SECTION_STAPSDT, .offset = at, .symbol = symbol},
        problem, advice);
    free(symbol);
}

/* ---- where its words lead ---- */

/* The address word at OFFSET: its relocation, NULL if there is none that we know. */
static const Elf64_Rela *relocation_at(const struct note_reader *r, uint64_t offset)
{
    size_t low = LOWER_BOUND(i, r->count, r->relocations[i]->r_offset < offset);
    if (low == r->count || r->relocations[low]->r_offset != offset ||
        ELF64_R_TYPE(r->relocations[low]->r_info) != r->object->arch->relocations.address)
        return NULL;
    return r->relocations[low];
}

/* The 32 bits at OFFSET as the linker will leave them. */
static uint32_t number_at(const struct note_reader *r, uint64_t offset)
{
    const struct object *o = r->object;
    const struct arch_relocations *types = &o->arch->relocations;
    uint32_t number;
    memcpy(&number, r->section->data + offset, sizeof number);
    size_t i = LOWER_BOUND(k, r->count, r->relocations[k]->r_offset < offset);
    for (; i < r->count && r->relocations[i]->r_offset == offset; i++) {
        uint32_t type = (uint32_t)ELF64_R_TYPE(r->relocations[i]->r_info);
        uint32_t symbol = (uint32_t)ELF64_R_SYM(r->relocations[i]->r_info);
        if (symbol >= o->symbol_count ||
            &o->sections[object_symbol_section(o, symbol)] != r->section)
            continue;
        uint64_t label = o->symbols[symbol].st_value + (uint64_t)r->relocations[i]->r_addend;
        if (types->difference && type == types->difference)
            number += (uint32_t)label;
        else if (types->subtracted && type == types->subtracted)
            number -= (uint32_t)label;
    }
    return number;
}

static bool next_note(const struct note_reader *r, struct note_walk *walk, struct note *note)
{
    if (!note_has_head(walk))
        return false;
    const Elf64_Nhdr head = {.n_namesz = number_at(r, walk->at),
                             .n_descsz = number_at(r, walk->at + 4),
                             .n_type = number_at(r, walk->at + 8)};
    return note_next_as(walk, &head, note);
}

/* NULL, or why NOTE's NOP cannot be a site. */
static const char *find_place(const struct note_reader *r, uint64_t words,
                              struct stapsdt_note *note)
{
    const struct object *o = r->object;
    const Elf64_Rela *relocation = relocation_at(r, words);
    uint32_t symbol = relocation ? (uint32_t)ELF64_R_SYM(relocation->r_info) : 0;
    /* Also where a damaged symbol 0 has a section. */
    note->place.section = symbol && symbol < o->symbol_count ? object_symbol_section(o, symbol) : 0;
    if (!note->place.section)
        return "the note's address is not in this object";
    note->place.offset = o->symbols[symbol].st_value + (uint64_t)relocation->r_addend;
    const struct section *s = &o->sections[note->place.section];
    if (!section_is_text(s) || note->place.offset >= s->size)
        return "the note's address is not in code of this object";
    note->kind = o->arch->note_kind(note->place.offset, s->data + note->place.offset,
                                    s->size - note->place.offset);
    return note->kind ? NULL : o->arch->not_nop1;
}

enum { SEMAPHORE = 2 }; /* which of a note's addresses it has */

static void find_semaphore(const struct note_reader *r, uint64_t words, struct stapsdt_note *note)
{
    const Elf64_Rela *relocation = relocation_at(r, words + SEMAPHORE * r->object->arch->word);
    uint32_t symbol = relocation ? (uint32_t)ELF64_R_SYM(relocation->r_info) : 0;
    uint32_t section =
        symbol && symbol < r->object->symbol_count ? object_symbol_section(r->object, symbol) : 0;
    /* Of one that another object defines, the runtime sees whether it can be written. */
    if (section && !(r->object->sections[section].header.sh_flags & SHF_WRITE))
        return;
    if (symbol < r->object->symbol_count && symbol)
        note->semaphore = (struct stapsdt_target){symbol, relocation->r_addend};
}

/* ---- what it says ---- */

/* Whether the symbols that stand for this probe stand for no other. */
static bool has_symbol(const struct stapsdt_note *note)
{
    struct probe_name parsed;
    const char *why;
    if (note->provider.length + note->name.length > MAX_NAME_BYTES)
        return false;
    char *symbol = memory_format("%s%.*s___%.*s", SDT_SYMBOL_CALL, (int)note->provider.length,
                                 note->provider.text, (int)note->name.length, note->name.text);
    bool is_name = names_parse(symbol, &parsed, &why) == NAMES_PROBE && !parsed.module.length &&
                   !parsed.function.length && slice_compare(parsed.provider, note->provider) == 0 &&
                   slice_compare(parsed.name, note->name) == 0;
    free(symbol);
    return is_name;
}

/* NULL, or why NOTE cannot be a site, to be freed. */
static char *find_problem(const struct note_reader *r, uint64_t words, struct stapsdt_note *note,
                          bool *is_known)
{
    struct stapsdt_args args;
    const char *problem = find_place(r, words, note);
    /* First of all: at a site of an earlier run may be anything, a tail call's is no NOP. */
    *is_known = note->place.section && r->known_count &&
                bsearch(&note->place, r->known, r->known_count, sizeof note->place, place_compare);
    if (*is_known)
        return NULL;
    if (!problem && !has_symbol(note))
        problem = "provider or name is not a C identifier or contains \"___\"";
    if (problem)
        return memory_format("%s", problem);
    char *unreadable = stapsdt_read_args(&args, r->object, r->names, note->args);
    free(args.text);
    return unreadable;
}

/* What the note whose description is the SIZE bytes at WORDS of the section says. */
static void read_note(struct note_reader *r, struct stapsdt *stapsdt, uint64_t words, size_t size)
{
    const uint8_t *data = r->section->data + words;
    const size_t word = r->object->arch->word;
    size_t head = note_head_size(data, size, word, false);
    struct note_strings strings;
    if (size < head) {
        warn(r, words, NULL, "the note is too short");
        return;
    }
    if (!note_read_strings(data, size, head, &strings)) {
        warn(r, words, NULL, "the note's strings do not end in it");
        return;
    }
    struct stapsdt_note note = {
        .provider = strings.provider, .name = strings.name, .args = strings.args};
    bool is_known = false;
    char *problem = find_problem(r, words, &note, &is_known);
    if (problem)
        warn(r, words, &note, problem);
    free(problem);
    if (problem || is_known)
        return;
    if (head > SEMAPHORE * word)
        find_semaphore(r, words, &note);
    if ((stapsdt->count & (stapsdt->count - 1)) == 0)
        stapsdt->notes =
            memory_resize(stapsdt->notes, stapsdt->count * (size_t)2 + 1, sizeof *stapsdt->notes);
    stapsdt->notes[stapsdt->count++] = note;
}

/* ---- the sites of an earlier run ---- */

static void add_known(struct bytes *places, const struct object *o, const struct section *set)
{
    size_t count;
    const Elf64_Rela *relocations = section_relocations(&o->sections[set->rela], &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t symbol = (uint32_t)ELF64_R_SYM(relocations[i].r_info);
        if (relocations[i].r_offset % sizeof(struct sdt_site) != offsetof(struct sdt_site, pc) ||
            symbol >= o->symbol_count)
            continue;
        struct place place = {object_symbol_section(o, symbol),
                              o->symbols[symbol].st_value + (uint64_t)relocations[i].r_addend};
        bytes_append(places, &place, sizeof place);
    }
}

static void collect_known(struct bytes *places, const struct object *o)
{
    for (uint32_t i = 1; i < o->section_count; i++)
        if (section_holds_sites(&o->sections[i]) && o->sections[i].rela)
            add_known(places, o, &o->sections[i]);
    if (places->size)
        qsort(places->data, places->size / sizeof(struct place), sizeof(struct place),
              place_compare);
}

static int compare_notes(const void *left, const void *right)
{
    const struct stapsdt_note *a = left, *b = right;
    return place_compare(&a->place, &b->place);
}

/* Two notes of one NOP: a site belongs to one probe. */
static void drop_doubles(struct stapsdt *stapsdt, const struct object *o)
{
    uint32_t kept = 0;
    if (stapsdt->count)
        qsort(stapsdt->notes, stapsdt->count, sizeof *stapsdt->notes, compare_notes);
    for (uint32_t i = 0; i < stapsdt->count; i++) {
        const struct stapsdt_note *note = &stapsdt->notes[i];
        if (kept && compare_notes(&stapsdt->notes[kept - 1], note) == 0) {
            struct note_reader reader = {.object = o};
            warn(&reader, 0, note, o->arch->same_nop1);
            continue;
        }
        stapsdt->notes[kept++] = *note;
    }
    stapsdt->count = kept;
}

/* Once for all notes of an object: none of them is wrong. */
static void warn_of_no_runtime(const struct object *o)
{
    char *problem = memory_format("notes are no sites on %s yet", o->arch->name);
    diag_warn(&(struct diag_place){.file = o->path, .section = SECTION_STAPSDT}, problem, advice);
    free(problem);
}

void stapsdt_read(struct stapsdt *stapsdt, const struct object *o)
{
    struct bytes known = {0};
    struct stapsdt_names names = {0};
    size_t count;
    const uint32_t *sections = object_stapsdt(o, &count);
    *stapsdt = (struct stapsdt){0};
    if (count && !o->arch->note_kind)
        warn_of_no_runtime(o);
    if (count == 0 || !o->arch->note_kind)
        return;
    collect_known(&known, o);
    for (size_t i = 0; i < count; i++) {
        struct note_reader reader = {.object = o,
                                     .section = &o->sections[sections[i]],
                                     .known = (const struct place *)(const void *)known.data,
                                     .known_count = known.size / sizeof(struct place),
                                     .names = &names};
        reader.relocations = object_relocations_of(o, reader.section, &reader.count);
        struct note_walk walk = {reader.section->data, reader.section->size, 0};
        for (struct note note; next_note(&reader, &walk, &note);)
            if (note.type == NOTE_STAPSDT && note_is_stapsdt(note.owner))
                read_note(&reader, stapsdt, note.description, note.size);
        if (note_has_head(&walk))
            warn(&reader, walk.at, NULL, "the note is longer than its section");
        free(reader.relocations);
    }
    bytes_free(&known);
    stapsdt_free_names(&names);
    drop_doubles(stapsdt, o);
}

void stapsdt_free(struct stapsdt *stapsdt)
{
    free(stapsdt->notes);
    *stapsdt = (struct stapsdt){0};
}
