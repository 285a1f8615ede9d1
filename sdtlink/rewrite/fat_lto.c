/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fat objects: machine code, and the intermediate code from which link-time optimisation would
 * generate it again.
 *
 * A link with the compiler's plugin, which gcc always uses, generates the machine code anew:
 * sdtlink's changes would be silently ignored. So the intermediate code is removed when the machine
 * code is processed, which leaves an ordinary object. (To keep the optimisation, link through
 * sdtlink: then the object stays, and the plugin's output is processed.)
 *
 * Removing sections from the table would renumber all others. They become SHT_NULL instead, which
 * every reader skips. Their symbols are removed as well, and nothing that stays may refer to those.
 */
#include "fat_lto.h"

#include "base/diag.h"
#include "elf/add.h"

#include <string.h>

/* The relocations of an intermediate section belong to it. */
static bool goes(const struct object *o, uint32_t section)
{
    const struct section *s = &o->sections[section];
    return s->is_lto || (s->header.sh_type == SHT_RELA && o->sections[s->header.sh_info].is_lto);
}

/* GCC before version 10 says "slim" by a symbol, and "this is an LTO object" by another. */
static bool is_marker(const char *name, const char *marker)
{
    return !strncmp(name, "__gnu_lto_", 10) && !strcmp(name + 10, marker);
}

static bool symbol_goes(const struct object *o, uint32_t symbol)
{
    return goes(o, object_symbol_section(o, symbol)) ||
           is_marker(object_symbol_name(o, symbol), "v1");
}

static int refuse_reference(const struct object *o, const struct section *from, uint64_t offset,
                            uint32_t symbol)
{
    return diag_refuse(&(struct diag_place){.file = o->path,
                                            .section = from->name,
                                            .offset = offset,
                                            .symbol = object_symbol_name(o, symbol)},
                       "refers to the object's intermediate code, which would have to be removed",
                       NULL, NULL,
                       "link through sdtlink (sdtlink gcc -flto ...); or compile with -fno-lto; "
                       "or, of a partial link, use -flinker-output=nolto-rel");
}

static int check_relocations(const struct object *o, uint32_t section)
{
    size_t count;
    const Elf64_Rela *relocations = section_relocations(&o->sections[section], &count);
    for (size_t i = 0; i < count; i++) {
        uint64_t symbol = ELF64_R_SYM(relocations[i].r_info);
        if (symbol < o->symbol_count && symbol_goes(o, (uint32_t)symbol))
            return refuse_reference(o, &o->sections[o->sections[section].header.sh_info],
                                    relocations[i].r_offset, (uint32_t)symbol);
    }
    return 0;
}

int fat_lto_check(const struct object *o)
{
    if (!o->is_fat)
        return 0;
    for (uint32_t i = 1; i < o->symbol_count; i++)
        if (is_marker(object_symbol_name(o, i), "slim"))
            return object_refuse_slim(o);
    for (uint32_t i = 1; i < o->section_count; i++)
        if (o->sections[i].header.sh_type == SHT_RELA && !goes(o, i) &&
            check_relocations(o, i) != 0)
            return -1;
    return 0;
}

static void remove_section(struct object *o, uint32_t section)
{
    object_leave_group(o, section);
    o->sections[section] = (struct section){.name = "", .is_lto = true};
}

/* Local symbols keep their places: without a name, and of no section. */
static void remove_symbol(struct object *o, uint32_t symbol)
{
    if (symbol >= o->first_global) {
        object_drop_symbol(o, symbol);
        return;
    }
    o->symbols[symbol] = (Elf64_Sym){.st_shndx = SHN_ABS};
    object_note_change(o, &o->symbols[symbol], sizeof o->symbols[symbol]);
}

void fat_lto_remove(struct object *o)
{
    if (!o->is_fat)
        return;
    for (uint32_t i = 1; i < o->symbol_count; i++)
        if (symbol_goes(o, i))
            remove_symbol(o, i);
    /* Relocations first: they go with the section that they name. */
    for (uint32_t i = 1; i < o->input_sections; i++)
        if (o->sections[i].header.sh_type == SHT_RELA && goes(o, i))
            remove_section(o, i);
    for (uint32_t i = 1; i < o->input_sections; i++)
        if (o->sections[i].is_lto)
            remove_section(o, i);
    /* A group of nothing but flags is damaged for GNU ld. */
    for (uint32_t i = 1; i < o->input_sections; i++)
        if (o->sections[i].header.sh_type == SHT_GROUP && o->sections[i].size == 4)
            remove_section(o, i);
}
