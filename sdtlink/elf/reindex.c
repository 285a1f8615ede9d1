/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Settling symbol indexes while moving as few symbols as possible.
 *
 * ELF wants all local symbols before all global ones, so a new local symbol cannot be appended.
 * Renumbering everything after it would rewrite nearly every relocation of the file. Instead K new
 * locals take the places of the first K globals, and only those move: to places that dropped
 * symbols leave free, else to the end. New globals go there as well.
 *
 *     before   L L L L G1 G2 G3 xx G4 G5         xx: dropped; 2 new locals n, 1 new global N
 *     after    L L L L n  n  G3 G1 G4 G5 G2 N
 *
 * What holds symbol indexes: relocations, the signature of a group, .llvm_addrsig, and the parallel
 * SHT_SYMTAB_SHNDX. One scan over the relocations with a bit set of the moved indexes finds those
 * to be changed; pages without one stay clean.
 */
#include "reindex.h"

#include "add.h"
#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    Elf64_Sym symbol;
    uint32_t section; /* extended index, or 0 */
};

struct moves {
    struct bits touched; /* input indexes that moved or were dropped */
    uint32_t *target;    /* of those: the new index; 0: dropped */
    uint32_t *order;     /* moved input indexes, in order */
    uint32_t count;
    uint32_t locals, globals; /* added ones */
    uint32_t final;           /* symbols in the output */
};

/* Symbol id to final index; 0 for a dropped symbol. */
static uint32_t final_index(const struct object *o, const struct moves *m, uint32_t id)
{
    if (id >= o->symbol_count)
        return o->added[id - o->symbol_count].index;
    return bits_test(&m->touched, id) ? m->target[id] : id;
}

static bool is_local(const struct added_symbol *added)
{
    return ELF64_ST_BIND(added->symbol.st_info) == STB_LOCAL;
}

/* The next free place for a global symbol, from *SLOT on. */
static uint32_t next_free(const struct object *o, uint32_t *slot)
{
    while (*slot < o->symbol_count && !bits_test(&o->dropped, *slot))
        ++*slot;
    return (*slot)++;
}

static void move_input(const struct object *o, struct moves *m, uint32_t index, uint32_t *slot)
{
    if (bits_test(&o->dropped, index))
        return;
    m->target[index] = next_free(o, slot);
    bits_set(&m->touched, index);
    m->order[m->count++] = index;
}

/* Decide every index. Final places are [0, final): a global beyond it has to move too. */
static void assign(struct object *o, struct moves *m)
{
    for (uint32_t i = 0; i < o->added_count; i++)
        if (is_local(&o->added[i]))
            m->locals++;
        else if (!o->added[i].replaces)
            m->globals++;
    m->final = o->symbol_count - o->dropped_count + m->locals + m->globals;
    bits_init(&m->touched, o->symbol_count);
    m->target = memory_zeroed(o->symbol_count, sizeof *m->target);
    m->order = memory_zeroed((size_t)m->locals + o->dropped_count, sizeof *m->order);
    for (uint32_t i = 0; i < o->symbol_count && o->dropped_count; i++)
        if (bits_test(&o->dropped, i))
            bits_set(&m->touched, i);

    uint32_t local = o->first_global, start = o->first_global + m->locals, slot = start;
    for (uint32_t i = o->first_global; i < start && i < o->symbol_count; i++)
        move_input(o, m, i, &slot);
    for (uint32_t i = m->final > start ? m->final : start; i < o->symbol_count; i++)
        move_input(o, m, i, &slot);
    for (uint32_t i = 0; i < o->added_count; i++) {
        struct added_symbol *added = &o->added[i];
        if (added->replaces)
            added->index = final_index(o, m, added->replaces);
        else
            added->index = is_local(added) ? local++ : next_free(o, &slot);
    }
}

/* SHT_SYMTAB_SHNDX is needed once a section index does not fit into 16 bits. */
static void require_extended(struct object *o)
{
    if (o->shndx || o->section_count < SHN_LORESERVE)
        return;
    uint32_t index = object_add_section(o, ".symtab_shndx", SHT_SYMTAB_SHNDX, 0, 4, 0);
    o->sections[index].header.sh_entsize = sizeof(Elf32_Word);
    o->sections[index].header.sh_link = o->symtab;
    bytes_append(&o->sections[index].tail, NULL, (size_t)o->symbol_count * sizeof(Elf32_Word));
    o->shndx = index;
}

static void put_entry(struct object *o, struct section *s, uint32_t index, const void *entry,
                      size_t size)
{
    uint8_t *place = section_byte(s, (size_t)index * size);
    memcpy(place, entry, size);
    object_note_change(o, place, size);
}

static void put(struct object *o, uint32_t index, struct entry entry)
{
    if (o->shndx)
        put_entry(o, &o->sections[o->shndx], index, &entry.section, sizeof entry.section);
    put_entry(o, &o->sections[o->symtab], index, &entry.symbol, sizeof entry.symbol);
}

static struct entry added_entry(const struct added_symbol *added)
{
    struct entry entry = {.symbol = added->symbol};
    bool is_extended = added->section >= SHN_LORESERVE;
    entry.symbol.st_shndx = is_extended ? SHN_XINDEX : (uint16_t)added->section;
    entry.section = is_extended ? added->section : 0;
    return entry;
}

static void set_table_size(struct section *s, size_t size)
{
    if (size < s->size)
        s->size = size;
    else if (size > section_size(s))
        bytes_append(&s->tail, NULL, size - section_size(s));
}

static void write_symbols(struct object *o, const struct moves *m)
{
    /* Moved symbols are taken out first: their places are about to be written. */
    struct entry *moved = memory_zeroed(m->count, sizeof *moved);
    for (uint32_t i = 0; i < m->count; i++)
        moved[i] =
            (struct entry){o->symbols[m->order[i]], o->extended ? o->extended[m->order[i]] : 0};
    set_table_size(&o->sections[o->symtab], (size_t)m->final * sizeof(Elf64_Sym));
    if (o->shndx)
        set_table_size(&o->sections[o->shndx], (size_t)m->final * sizeof(Elf32_Word));
    for (uint32_t i = 0; i < m->count; i++)
        put(o, m->target[m->order[i]], moved[i]);
    for (uint32_t i = 0; i < o->added_count; i++)
        put(o, o->added[i].index, added_entry(&o->added[i]));
    o->sections[o->symtab].header.sh_info = o->first_global + m->locals;
    free(moved);
}

static void fix_input_relocations(struct object *o, const struct moves *m, uint32_t section)
{
    const struct section *s = &o->sections[section];
    /* Elf64_Rela is Elf64_Rel and an addend. */
    size_t size = s->header.sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    for (size_t at = 0; at < s->size; at += size) {
        Elf64_Rel *relocation = (Elf64_Rel *)(void *)(s->data + at);
        uint32_t symbol = ELF64_R_SYM(relocation->r_info);
        if (!bits_test(&m->touched, symbol))
            continue;
        uint32_t type =
            m->target[symbol] ? ELF64_R_TYPE(relocation->r_info) : o->arch->relocations.none;
        relocation->r_info = ELF64_R_INFO(m->target[symbol], type);
        object_note_change(o, relocation, sizeof *relocation);
    }
}

static void fix_added_relocations(const struct object *o, const struct moves *m, uint32_t section)
{
    struct bytes *tail = &o->sections[section].tail;
    for (size_t at = 0; at < tail->size; at += sizeof(Elf64_Rela)) {
        Elf64_Rela relocation;
        memcpy(&relocation, tail->data + at, sizeof relocation);
        uint32_t symbol = final_index(o, m, ELF64_R_SYM(relocation.r_info));
        relocation.r_info = ELF64_R_INFO(symbol, ELF64_R_TYPE(relocation.r_info));
        memcpy(tail->data + at, &relocation, sizeof relocation);
    }
}

/* The next symbol of .llvm_addrsig, from *AT on; false: there is none. Longer numbers are cut. */
static bool next_addrsig(const struct section *s, size_t *at, uint64_t *value)
{
    unsigned shift = 0;
    *value = 0;
    while (*at < s->size) {
        uint8_t byte = s->data[(*at)++];
        *value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if (!(byte & 0x80) || shift >= 35)
            return true;
    }
    return false;
}

/* A tool has taken symbols away, and left this section as it was. */
static bool names_missing_symbols(const struct object *o, const struct section *s)
{
    uint64_t value;
    for (size_t at = 0; next_addrsig(s, &at, &value);)
        if (value >= o->symbol_count)
            return true;
    return false;
}

/*
 * .llvm_addrsig: symbols whose address matters, as ULEB128 indexes; written anew. Tools that do not
 * know it (objcopy, strip, ld -r) keep the bytes and clear sh_link: such a section says nothing any
 * more, linkers ignore it, and so do we. Where sh_link is still there, but not the symbols, it is
 * cleared: then lld takes all addresses in this object to matter, which is always right.
 */
static void fix_addrsig(struct object *o, const struct moves *m, uint32_t section)
{
    struct section *s = &o->sections[section];
    uint64_t value;
    if (s->header.sh_link != o->symtab)
        return;
    if (names_missing_symbols(o, s)) {
        diag_detail(".llvm_addrsig names symbols that are not there: it no longer counts");
        s->header.sh_link = 0;
        return;
    }
    for (size_t at = 0; next_addrsig(s, &at, &value);) {
        uint32_t index = final_index(o, m, (uint32_t)value);
        if (index) {
            do { /* ULEB128 */
                uint8_t byte = (index & 0x7f) | (index > 0x7f ? 0x80 : 0);
                bytes_append(&s->tail, &byte, 1);
                index >>= 7;
            } while (index);
        }
    }
    s->size = 0;
}

static void fix_section(struct object *o, const struct moves *m, uint32_t section)
{
    Elf64_Shdr *header = &o->sections[section].header;
    switch (header->sh_type) {
    case SHT_REL:
        fix_input_relocations(o, m, section);
        break;
    case SHT_RELA:
        fix_input_relocations(o, m, section);
        fix_added_relocations(o, m, section);
        break;
    case SHT_GROUP:
        header->sh_info = final_index(o, m, header->sh_info);
        break;
    case SHT_LLVM_ADDRSIG_TYPE:
        fix_addrsig(o, m, section);
        break;
    default:
        break;
    }
}

void reindex(struct object *o)
{
    struct moves moves = {0};
    require_extended(o);
    assign(o, &moves);
    write_symbols(o, &moves);
    for (uint32_t i = 1; i < o->section_count; i++)
        fix_section(o, &moves, i);
    diag_detail("symbols: %u of %u moved, %u added, %u dropped", moves.count, o->symbol_count,
                o->added_count, o->dropped_count);
    bits_free(&moves.touched);
    free(moves.target);
    free(moves.order);
}

/* ---- is every index one of a symbol? ---- */

static int check_relocations(const struct object *o, const struct section *s)
{
    size_t size = s->header.sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    for (size_t at = 0; at < s->size; at += size) {
        const Elf64_Rel *relocation = (const Elf64_Rel *)(const void *)(s->data + at);
        if (ELF64_R_SYM(relocation->r_info) >= o->symbol_count)
            return diag_refuse(
                &(struct diag_place){.file = o->path, .section = s->name, .offset = at},
                "a relocation's symbol is out of range; the file is damaged", NULL, NULL, NULL);
    }
    return 0;
}

int reindex_check(const struct object *o)
{
    int result = 0;
    for (uint32_t i = 1; i < o->section_count && result == 0; i++) {
        const struct section *s = &o->sections[i];
        bool is_rela = s->header.sh_type == SHT_RELA;
        if (is_rela && o->sections[s->header.sh_info].is_lto)
            continue; /* it is taken out */
        if (is_rela || s->header.sh_type == SHT_REL)
            result = check_relocations(o, s);
        else if (s->header.sh_type == SHT_GROUP && s->header.sh_info >= o->symbol_count)
            result = diag_error("%s: section %u: a group's signature is out of range; the file is "
                                "damaged",
                                o->path, i);
    }
    return result;
}
