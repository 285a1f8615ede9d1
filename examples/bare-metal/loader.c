/* SPDX-License-Identifier: BSD-2-Clause */
/* Relocatable objects as modules: text, read-only data and data in one block, relocated there. */
#include "elf64.h"
#include "kernel.h"

#include <sdt/kernel.h>
#include <stdbool.h>

enum { MAX_SECTIONS = 96 };
enum part { TEXT, RODATA, DATA, PARTS };

struct module {
    struct sdt_kernel_module probes; /* as the runtime knows it */
    struct sdt_range ranges[PARTS];
    bool has_probes;
    unsigned char *memory;
    const unsigned char *image;
    const struct elf_section *sections;
    unsigned char *at[MAX_SECTIONS]; /* where each section is; NULL: it is not loaded */
};

static const struct elf_header *header(const struct module *module)
{
    return (const struct elf_header *)module->image;
}

/* ---- Sections. ---- */

const struct elf_section *module_section(const unsigned char *image, const char *name)
{
    const struct elf_header *header = (const struct elf_header *)image;
    const struct elf_section *sections = (const struct elf_section *)(image + header->shoff);
    const char *names = (const char *)image + sections[header->shstrndx].offset;
    for (unsigned i = 0; i < header->shnum; i++)
        if (same(names + sections[i].name, name))
            return &sections[i];
    return NULL;
}

static enum part part_of(const struct elf_section *section)
{
    if (section->flags & SHF_EXECINSTR)
        return TEXT;
    return section->flags & SHF_WRITE ? DATA : RODATA;
}

static size_t aligned(size_t offset, size_t alignment)
{
    return alignment > 1 ? (offset + alignment - 1) & ~(alignment - 1) : offset;
}

/* Give each section its offset, part by part; the sum is the size of the block. */
static size_t lay_out(struct module *module, size_t *offsets, size_t *bounds)
{
    size_t end = 0;
    for (enum part part = TEXT; part < PARTS; part++) {
        bounds[part] = end;
        for (unsigned i = 0; i < header(module)->shnum; i++) {
            const struct elf_section *section = &module->sections[i];
            if (!(section->flags & SHF_ALLOC) || part_of(section) != part)
                continue;
            offsets[i] = aligned(end, section->addralign);
            end = offsets[i] + section->size;
        }
    }
    bounds[PARTS] = end;
    return end;
}

static bool place(struct module *module)
{
    size_t offsets[MAX_SECTIONS], bounds[PARTS + 1], size = lay_out(module, offsets, bounds);
    module->memory = memory_take(size, 64);
    if (module->memory == NULL)
        return false;
    for (unsigned i = 0; i < header(module)->shnum; i++) {
        const struct elf_section *section = &module->sections[i];
        if (!(section->flags & SHF_ALLOC))
            continue;
        module->at[i] = module->memory + offsets[i];
        if (section->type == SHT_NOBITS)
            memset(module->at[i], 0, section->size);
        else
            memcpy(module->at[i], module->image + section->offset, section->size);
    }
    static const unsigned kinds[PARTS] = {SDT_RANGE_TEXT, 0, SDT_RANGE_DATA};
    for (enum part part = TEXT; part < PARTS; part++)
        module->ranges[part] =
            (struct sdt_range){(uintptr_t)module->memory + bounds[part],
                               (uintptr_t)module->memory + bounds[part + 1], kinds[part]};
    return true;
}

/* ---- Symbols. ---- */

/* What modules may call. */
static const struct known_name {
    const char *name;
    uintptr_t address;
} exports[] = {{"print", (uintptr_t)print}};

static uintptr_t exported(const char *name)
{
    for (size_t i = 0; i < sizeof(exports) / sizeof(*exports); i++)
        if (same(exports[i].name, name))
            return exports[i].address;
    return 0;
}

static const char *symbol_name(const struct module *module, const struct elf_section *table,
                               const struct elf_symbol *symbol)
{
    return (const char *)module->image + module->sections[table->link].offset + symbol->name;
}

static const struct elf_symbol *symbols(const struct module *module,
                                        const struct elf_section *table)
{
    return (const struct elf_symbol *)(module->image + table->offset);
}

/* 0 if it cannot be found. */
static uintptr_t address_of(const struct module *module, const struct elf_section *table,
                            const struct elf_symbol *symbol)
{
    if (symbol->shndx == SHN_UNDEF)
        return exported(symbol_name(module, table, symbol));
    if (symbol->shndx == SHN_ABS)
        return symbol->value;
    return symbol->shndx < SHN_LORESERVE && module->at[symbol->shndx]
               ? (uintptr_t)module->at[symbol->shndx] + symbol->value
               : 0;
}

void *module_function(const struct module *module, const char *name)
{
    for (unsigned i = 0; i < header(module)->shnum; i++) {
        const struct elf_section *table = &module->sections[i];
        if (table->type != SHT_SYMTAB)
            continue;
        for (size_t j = table->info; j < table->size / sizeof(struct elf_symbol); j++)
            if (same(symbol_name(module, table, &symbols(module, table)[j]), name))
                return (void *)address_of(module, table, &symbols(module, table)[j]);
    }
    return NULL;
}

/* ---- Relocations. ---- */

struct relocations {
    const struct module *module;
    const struct elf_section *table; /* of symbols */
    const struct elf_rela *rela;
    size_t n;
    unsigned char *text; /* or data: what they are in */
};

/* 0: the symbol cannot be found; or there is none, as in a mere hint. */
static uintptr_t symbol_address(const struct relocations *all, const struct elf_rela *rela)
{
    return address_of(all->module, all->table, &symbols(all->module, all->table)[rela->info >> 32]);
}

uint64_t relocations_value(const struct relocations *all, uint64_t place)
{
    for (const struct elf_rela *rela = all->rela; rela < all->rela + all->n; rela++)
        if ((uintptr_t)all->text + rela->offset == place && rela->info >> 32 != 0)
            return symbol_address(all, rela) + (uint64_t)rela->addend;
    return 0;
}

static bool relocate_one(const struct relocations *all, const struct elf_rela *rela)
{
    const struct elf_symbol *symbol = &symbols(all->module, all->table)[rela->info >> 32];
    const char *name = all->module->probes.name;
    unsigned type = (uint32_t)rela->info;
    uintptr_t address = symbol_address(all, rela);
    if (address == 0 && rela->info >> 32 != 0) {
        print("%s: undefined: %s\n", name, symbol_name(all->module, all->table, symbol));
        return false;
    }
    if (relocate(all, type, all->text + rela->offset, address + (uint64_t)rela->addend) != 0) {
        print("%s: a relocation of type %u cannot be applied\n", name, type);
        return false;
    }
    return true;
}

static bool relocate_section(const struct module *module, const struct elf_section *section)
{
    const struct relocations all = {module, &module->sections[section->link],
                                    (const struct elf_rela *)(module->image + section->offset),
                                    section->size / sizeof(struct elf_rela),
                                    module->at[section->info]};
    for (size_t i = 0; i < all.n; i++)
        if (!relocate_one(&all, &all.rela[i]))
            return false;
    return true;
}

static bool relocate_all(const struct module *module)
{
    for (unsigned i = 0; i < header(module)->shnum; i++) {
        const struct elf_section *section = &module->sections[i];
        if (section->type == SHT_RELA && module->at[section->info] != NULL &&
            !relocate_section(module, section))
            return false;
    }
    machine_flush(module->memory, module->ranges[TEXT].end - module->ranges[TEXT].begin);
    cpu_serialise_all();
    return true;
}

/* ---- Probes. ---- */

/* All that a loader does for sdtlink. */
static void add_probes(struct module *module)
{
    const struct elf_section *section = module_section(module->image, "sdt_sites");
    if (section == NULL)
        return;
    const unsigned char *set = module->at[section - module->sections];
    module->probes.sites_begin = (const struct sdt_site *)set;
    module->probes.sites_end = (const struct sdt_site *)(set + section->size);
    module->probes.ranges = module->ranges;
    module->probes.range_count = PARTS;
    int error = sdt_add(&module->probes);
    module->has_probes = error == 0;
    if (error != 0)
        print("%s: its probes stay off (%d)\n", module->probes.name, error);
}

/* ---- The whole. ---- */

static bool is_module(const struct module *module)
{
    static const unsigned char magic[] = {0x7f, 'E', 'L', 'F', 2, 1};
    return memcmp(module->image, magic, sizeof(magic)) == 0 && header(module)->type == ET_REL &&
           header(module)->machine == machine_elf && header(module)->shnum <= MAX_SECTIONS;
}

void module_unload(struct module *module)
{
    if (module->has_probes)
        sdt_remove(&module->probes);
    memory_give(module->memory);
    memory_give(module);
}

struct module *module_load(const char *name, const unsigned char *image)
{
    struct module *module = memory_take(sizeof(*module), 8);
    if (module == NULL)
        return NULL;
    *module = (struct module){.probes.name = name, .image = image};
    module->sections = (const struct elf_section *)(image + header(module)->shoff);
    if (!is_module(module) || !place(module) || !relocate_all(module)) {
        module_unload(module);
        return NULL;
    }
    add_probes(module);
    void (*start)(void) = (void (*)(void))(uintptr_t)module_function(module, "module_start");
    if (start != NULL)
        start();
    return module;
}
