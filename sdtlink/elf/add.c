/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Adding to an object: sections, groups, symbols, relocations, strings. Nothing here can fail, and
 * nothing here moves what is there already; see object.h.
 */
#include "add.h"

#include <stdlib.h>
#include <string.h>

/*
 * ITEMS with room for one more than COUNT. CAPACITY grows by half: one at a time, each addition
 * would copy the whole table wherever realloc() cannot move pages, as under AddressSanitizer, where
 * 4220 more sections for a table of 65 100 took 35 GB.
 */
static void *with_room(void *items, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity)
        return items;
    *capacity = count + count / 2 + 16;
    return memory_resize(items, *capacity, size);
}

/* Where PREFIX and NAME are in the table of sections' names: thousands of added sections have a few
 * names. */
static uint32_t add_section_name(struct object *o, const char *prefix, const char *name)
{
    for (unsigned i = 0; i < SECTION_NAMES; i++) {
        const struct section_name *known = &o->names[i];
        if (known->name && !strcmp(known->name, name) && !strcmp(known->prefix, prefix))
            return known->at;
    }
    struct section_name *added = &o->names[o->next_name++ % SECTION_NAMES];
    *added = (struct section_name){prefix, name, 0};
    added->at = (uint32_t)object_append(o, o->shstrtab, prefix, strlen(prefix));
    object_add_string(o, o->shstrtab, name);
    return added->at;
}

uint32_t object_add_section(struct object *o, const char *name, uint32_t type, uint64_t flags,
                            uint64_t align, uint32_t group)
{
    o->sections =
        with_room(o->sections, o->section_count, &o->section_capacity, sizeof *o->sections);
    uint32_t index = o->section_count++;
    struct section *s = &o->sections[index];
    *s = (struct section){0};
    s->header.sh_type = type;
    s->header.sh_flags = flags | (group ? SHF_GROUP : 0);
    s->header.sh_addralign = align;
    s->group = group;
    if (name) {
        s->name = name;
        s->header.sh_name = add_section_name(o, "", name);
    }
    if (group)
        bytes_append32(&o->sections[group].tail, index);
    return index;
}

void object_add_stack_note(struct object *o)
{
    object_add_section(o, ".note.GNU-stack", SHT_PROGBITS, 0, 1, 0);
}

uint32_t object_add_group(struct object *o, uint32_t signature)
{
    uint32_t index = object_add_section(o, ".group", SHT_GROUP, 0, 4, 0);
    o->sections[index].header.sh_entsize = sizeof(Elf32_Word);
    o->sections[index].header.sh_link = o->symtab;
    o->sections[index].header.sh_info = signature;
    bytes_append32(&o->sections[index].tail, GRP_COMDAT);
    return index;
}

uint32_t object_add_bundle(struct object *o, const char *name, uint64_t flags, uint32_t *group)
{
    *group = object_add_group(o, 0);
    memset(o->sections[*group].tail.data, 0, sizeof(Elf32_Word));
    uint32_t section = object_add_section(o, name, SHT_PROGBITS, flags, 1, *group);
    o->sections[*group].header.sh_info = object_symbol_for(o, section);
    return section;
}

void object_leave_group(struct object *o, uint32_t section)
{
    struct section *s = &o->sections[section];
    if (!s->group)
        return;
    struct section *group = &o->sections[s->group];
    uint32_t *words = (uint32_t *)(void *)group->data;
    size_t kept = 1; /* the flags come first */
    for (size_t i = 1; i < group->size / sizeof *words; i++)
        if (words[i] != section)
            words[kept++] = words[i];
    object_note_change(o, words, group->size);
    group->size = kept * sizeof *words;
    s->header.sh_flags &= ~(Elf64_Xword)SHF_GROUP;
    s->group = 0;
}

size_t object_append(struct object *o, uint32_t section, const void *data, size_t size)
{
    struct section *s = &o->sections[section];
    return s->size + bytes_append(&s->tail, data, size);
}

uint64_t object_reserve(struct object *o, uint32_t section, uint64_t size)
{
    Elf64_Shdr *header = &o->sections[section].header;
    uint64_t at = header->sh_size;
    header->sh_size += size;
    return at;
}

uint32_t object_add_string(struct object *o, uint32_t section, const char *text)
{
    return (uint32_t)object_append(o, section, text, strlen(text) + 1);
}

uint32_t object_add_symbol(struct object *o, const char *name, unsigned bind, unsigned type,
                           unsigned visibility, uint32_t section, uint64_t value, uint64_t size)
{
    o->added = with_room(o->added, o->added_count, &o->added_capacity, sizeof *o->added);
    uint32_t id = o->symbol_count + o->added_count++;
    o->added[id - o->symbol_count] = (struct added_symbol){
        .symbol = {.st_name = *name ? object_add_string(o, o->strtab, name) : 0,
                   .st_info = ELF64_ST_INFO(bind, type),
                   .st_other = (unsigned char)visibility,
                   .st_value = value,
                   .st_size = size},
        .section = section,
    };
    return id;
}

void object_define_symbol(struct object *o, uint32_t index, unsigned bind, unsigned type,
                          unsigned visibility, uint32_t section, uint64_t size)
{
    uint32_t id = object_add_symbol(o, "", bind, type, visibility, section, 0, size);
    o->added[id - o->symbol_count].symbol.st_name = o->symbols[index].st_name;
    o->added[id - o->symbol_count].replaces = index;
}

void object_define_added(struct object *o, uint32_t symbol, uint32_t section)
{
    o->added[symbol - o->symbol_count].section = section;
}

uint32_t object_symbol_for(struct object *o, uint32_t section)
{
    if (!o->sections[section].symbol)
        o->sections[section].symbol =
            object_add_symbol(o, "", STB_LOCAL, STT_SECTION, STV_DEFAULT, section, 0, 0);
    return o->sections[section].symbol;
}

/* It shares the group of SECTION. */
static uint32_t add_rela_section(struct object *o, uint32_t section)
{
    const char *prefix = o->arch->addend_size ? ".rel" : ".rela"; /* as they are written */
    uint32_t index =
        object_add_section(o, NULL, SHT_RELA, SHF_INFO_LINK, 8, o->sections[section].group);
    o->sections[index].name = prefix;
    o->sections[index].header.sh_name = add_section_name(o, prefix, o->sections[section].name);
    o->sections[index].header.sh_entsize = sizeof(Elf64_Rela);
    o->sections[index].header.sh_link = o->symtab;
    o->sections[index].header.sh_info = section;
    o->sections[section].rela = index;
    return index;
}

/* The SHT_RELA section of SECTION. */
static inline uint32_t rela_section(struct object *o, uint32_t section)
{
    uint32_t rela = o->sections[section].rela;
    return rela ? rela : add_rela_section(o, section);
}

void object_relocate(struct object *o, uint32_t section, uint64_t offset, uint32_t type,
                     uint32_t symbol, int64_t addend)
{
    Elf64_Rela relocation = {offset, ELF64_R_INFO(symbol, type), addend};
    uint32_t rela = rela_section(o, section); /* may move the sections */
    bytes_append(&o->sections[rela].tail, &relocation, sizeof relocation);
}

void object_expect(struct object *o, uint32_t section, size_t count, size_t size,
                   size_t relocations)
{
    uint32_t rela = rela_section(o, section); /* may move the sections */
    bytes_reserve(&o->sections[section].tail, count * size);
    bytes_reserve(&o->sections[rela].tail, count * relocations * sizeof(Elf64_Rela));
}

void object_drop_symbol(struct object *o, uint32_t index)
{
    if (bits_test(&o->dropped, index))
        return;
    bits_set(&o->dropped, index);
    o->dropped_count++;
}

void object_create(struct object *o, const char *path, const struct tool_arch *arch)
{
    *o = (struct object){.path = path, .fd = -1, .arch = arch};
    memcpy(o->header.e_ident, ELFMAG, SELFMAG);
    o->header.e_ident[EI_CLASS] = ELFCLASS64;
    o->header.e_ident[EI_DATA] = ELFDATA2LSB;
    o->header.e_ident[EI_VERSION] = EV_CURRENT;
    o->header.e_type = ET_REL;
    o->header.e_machine = arch->machine;
    o->header.e_flags = arch->flags;
    o->header.e_version = EV_CURRENT;
    o->header.e_ehsize = sizeof(Elf64_Ehdr);
    o->header.e_shentsize = sizeof(Elf64_Shdr);
    o->sections = memory_zeroed(1, sizeof *o->sections);
    o->sections[0].name = "";
    o->section_count = o->input_sections = 1;
    /* The order of the next five lines is the usual one of an assembler's output. */
    o->symtab = object_add_section(o, NULL, SHT_SYMTAB, 0, 8, 0);
    o->strtab = object_add_section(o, NULL, SHT_STRTAB, 0, 1, 0);
    o->shstrtab = o->strtab;
    object_append(o, o->strtab, "", 1);
    o->sections[o->symtab].header.sh_link = o->strtab;
    o->sections[o->symtab].header.sh_entsize = sizeof(Elf64_Sym);
    o->sections[o->symtab].header.sh_name = object_add_string(o, o->strtab, ".symtab");
    o->sections[o->strtab].header.sh_name = object_add_string(o, o->strtab, ".strtab");
    object_append(o, o->symtab, NULL, sizeof(Elf64_Sym));
    o->symbol_count = o->first_global = 1;
    o->symbols = memory_zeroed(1, sizeof *o->symbols);
    bits_init(&o->dropped, 1);
}
