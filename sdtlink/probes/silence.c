/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is known of a function when it is to be chosen: its symbol has its name, size and binding;
 * the symbol of its source file is before those of its local functions, and means the global ones
 * as well where it is the only one (an object of several, from ld -r, has several).
 *
 * A marked function has a place in section __patchable_function_entries, from attribute
 * patchable_function_entry; a sled's map has a bit for it (sleds.c).
 */
#include "silence.h"

#include <stdlib.h>
#include <string.h>

#define MARKS "__patchable_function_entries"

struct silence {
    const struct object *object;
    struct chosen chosen;
    struct bits marked; /* by symbol */
    const char **files; /* by symbol; NULL: no element names files */
    uint32_t function; /* the symbol of the one asked for last, since sites follow each other … */
    bool is_chosen;    /* … and the answer */
};

static const Elf64_Rela *marks_of(const struct object *o, uint32_t i, size_t *count)
{
    const struct section *s = &o->sections[i];
    *count = 0;
    if (!s->rela || strcmp(s->name, MARKS) != 0)
        return NULL;
    return section_relocations(&o->sections[s->rela], count);
}

static struct place place_of(const struct object *o, const Elf64_Rela *relocation)
{
    uint32_t symbol = ELF64_R_SYM(relocation->r_info);
    return (struct place){object_symbol_section(o, symbol),
                          o->symbols[symbol].st_value + (uint64_t)relocation->r_addend};
}

void silence_collect_places(const struct object *o, struct bytes *places)
{
    size_t count;
    for (uint32_t i = 1; i < o->section_count; i++) {
        const Elf64_Rela *marks = marks_of(o, i, &count);
        for (size_t k = 0; k < count; k++) {
            struct place place = place_of(o, &marks[k]);
            bytes_append(places, &place, sizeof place);
        }
    }
}

static void read_marks(struct silence *silence, struct functions *functions)
{
    const struct object *o = silence->object;
    size_t count;
    bits_init(&silence->marked, o->symbol_count);
    for (uint32_t i = 1; i < o->section_count; i++) {
        const Elf64_Rela *marks = marks_of(o, i, &count);
        for (size_t k = 0; k < count; k++) {
            struct place place = place_of(o, &marks[k]);
            uint32_t symbol = functions_find(functions, place.section, place.offset);
            if (symbol)
                bits_set(&silence->marked, symbol);
        }
    }
}

static void read_files(struct silence *silence)
{
    const struct object *o = silence->object;
    const char *file = NULL;
    unsigned count = 0;
    silence->files = memory_zeroed(o->symbol_count, sizeof *silence->files);
    for (uint32_t i = 1; i < o->symbol_count; i++) {
        bool is_local = i < o->first_global;
        if (is_local && ELF64_ST_TYPE(o->symbols[i].st_info) == STT_FILE) {
            file = object_symbol_name(o, i);
            count++;
        }
        silence->files[i] = is_local || count == 1 ? file : NULL;
    }
}

static bool is_chosen(struct silence *silence, uint32_t symbol, bool is_marked)
{
    const struct object *o = silence->object;
    struct chosen_function function = {.is_marked =
                                           is_marked || bits_test(&silence->marked, symbol)};
    if (symbol) {
        function.name = function_name(o, symbol);
        function.file = silence->files ? silence->files[symbol] : NULL;
        function.size = o->symbols[symbol].st_size;
        function.is_global = ELF64_ST_BIND(o->symbols[symbol].st_info) != STB_LOCAL;
    }
    return chosen_has(&silence->chosen, &function);
}

/* The same for all sites of a function. */
static bool is_of_chosen(struct silence *silence, const struct site *site)
{
    if (!site->function || site->function != silence->function)
        silence->is_chosen = is_chosen(silence, site->function, site->is_marked);
    silence->function = site->function;
    return silence->is_chosen;
}

void silence(struct sites *sites, const struct object *o, struct functions *functions,
             const struct functions_asked *asked)
{
    struct silence silence = {.object = o};
    uint32_t kept = 0;
    chosen_read(&silence.chosen, asked->elements);
    silence.chosen.unmatched = asked->unmatched;
    read_marks(&silence, functions);
    if (silence.chosen.has_files)
        read_files(&silence);
    sites->silenced = memory_zeroed(sites->count, sizeof *sites->silenced);
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct site *site = &sites->items[i];
        if (!site_is_function(sites, site) || site->is_moved || is_of_chosen(&silence, site)) {
            sites->items[kept++] = *site;
            continue;
        }
        sites->silenced[sites->silenced_count++] = *site;
        sites->probes[site->probe].site_count--;
    }
    sites->count = kept;
    free(silence.files);
    bits_free(&silence.marked);
    chosen_free(&silence.chosen);
}
