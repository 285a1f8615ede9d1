/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Looking things up in an image: by place, by address, by function. Nothing here reads the file or
 * reports anything.
 */
#include "image.h"

#include <elf.h>
#include <sdt/format.h>
#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>

bool place_is_same(struct place a, struct place b)
{
    return a.section == b.section && a.offset == b.offset;
}

int place_compare(struct place a, struct place b)
{
    if (a.section != b.section)
        return a.section < b.section ? -1 : 1;
    return a.offset < b.offset ? -1 : a.offset > b.offset;
}

static const struct image *sorted; /* for the comparison functions of qsort */

static int by_address(const void *left, const void *right)
{
    uint64_t a = sorted->sections[*(const uint32_t *)left].address;
    uint64_t b = sorted->sections[*(const uint32_t *)right].address;
    return a < b ? -1 : a > b;
}

static int by_place(const void *left, const void *right)
{
    const struct symbol *a = &sorted->symbols[*(const uint32_t *)left];
    const struct symbol *b = &sorted->symbols[*(const uint32_t *)right];
    return place_compare((struct place){a->section, a->value},
                         (struct place){b->section, b->value});
}

/*
 * `$x` and `$d`, perhaps with more after a dot (AAELF64, 5.5.4). RISC-V has them as well (its ELF
 * psABI, "Mapping Symbol"), and `$xrv64i2p1_…`, where the instruction set is told.
 */
static bool is_mapping(const struct symbol *symbol)
{
    const char *name = symbol->name;
    if (symbol->type != STT_NOTYPE || !symbol->section || name[0] != '$' ||
        (name[1] != 'x' && name[1] != 'd'))
        return false;
    return name[2] == 0 || name[2] == '.' || strncmp(name, "$xrv", 4) == 0;
}

int image_index(struct image *image)
{
    image->by_address = calloc(image->nsections, sizeof *image->by_address);
    image->functions = calloc(image->nsymbols + 1, sizeof *image->functions);
    image->mappings = calloc(image->nsymbols + 1, sizeof *image->mappings);
    if (!image->by_address || !image->functions || !image->mappings)
        return -1;
    for (uint32_t i = 1; i < image->nsections; i++) {
        struct section *section = &image->sections[i];
        bool is_tbss = section->type == SHT_NOBITS && (section->flags & SHF_TLS);
        if (!image->is_relocatable && (section->flags & SHF_ALLOC) && section->size && !is_tbss)
            image->by_address[image->nby_address++] = i;
    }
    for (uint32_t i = 1; i < image->nsymbols; i++) {
        if (image->symbols[i].type == STT_FUNC && image->symbols[i].section)
            image->functions[image->nfunctions++] = i;
        if (is_mapping(&image->symbols[i]))
            image->mappings[image->nmappings++] = i;
    }
    sorted = image;
    qsort(image->by_address, image->nby_address, sizeof *image->by_address, by_address);
    qsort(image->functions, image->nfunctions, sizeof *image->functions, by_place);
    qsort(image->mappings, image->nmappings, sizeof *image->mappings, by_place);
    return 0;
}

const uint8_t *image_bytes(const struct image *image, struct place place, uint64_t *available)
{
    *available = 0;
    if (place.section == 0 || place.section >= image->nsections)
        return NULL;
    const struct section *section = &image->sections[place.section];
    if (!section->data || place.offset >= section->size)
        return NULL;
    *available = section->size - place.offset;
    return section->data + place.offset;
}

const char *image_string(const struct image *image, struct place place)
{
    uint64_t available;
    const uint8_t *bytes = image_bytes(image, place, &available);
    if (available > MAX_STRING + 1)
        available = MAX_STRING + 1;
    return bytes && memchr(bytes, 0, available) ? (const char *)bytes : NULL;
}

bool image_is_code(const struct image *image, struct place place, uint64_t length)
{
    uint64_t available;
    return image_bytes(image, place, &available) && available >= length &&
           (image->sections[place.section].flags & SHF_EXECINSTR);
}

uint32_t image_section_at(const struct image *image, uint64_t address)
{
    /* the first section that starts after ADDRESS */
    uint32_t low = LOWER_BOUND(i, image->nby_address,
                               image->sections[image->by_address[i]].address <= address);
    if (low == 0)
        return 0;
    uint32_t found = image->by_address[low - 1];
    return address - image->sections[found].address < image->sections[found].size ? found : 0;
}

static struct place symbol_place(const struct image *image, uint32_t index)
{
    const struct symbol *symbol = &image->symbols[index];
    return (struct place){symbol->section, symbol->value};
}

/* The first of the COUNT symbols at ORDER that starts after PLACE. */
static uint32_t first_after(const struct image *image, const uint32_t *order, uint32_t count,
                            struct place place)
{
    return LOWER_BOUND(i, count, place_compare(symbol_place(image, order[i]), place) <= 0);
}

bool image_has_aliases(const struct image *image, const struct symbol *function)
{
    struct place place = {function->section, function->value};
    uint32_t after = first_after(image, image->functions, image->nfunctions, place);
    return after >= 2 && place_is_same(symbol_place(image, image->functions[after - 2]), place);
}

/*
 * Up to the next such symbol or the next function: before version 18, clang writes none for RISC-V,
 * and linkers put its code after that of others.
 */
bool image_is_data(const struct image *image, struct place place)
{
    uint32_t after = first_after(image, image->mappings, image->nmappings, place);
    if (after == 0)
        return false;
    const struct symbol *symbol = &image->symbols[image->mappings[after - 1]];
    if (symbol->section != place.section || symbol->name[1] != 'd')
        return false;
    const struct symbol *function = image_function(image, place);
    return !function || function->value <= symbol->value;
}

const struct symbol *image_function(const struct image *image, struct place place)
{
    uint32_t low = first_after(image, image->functions, image->nfunctions, place);
    /* Functions nest nowhere but at aliases, so the covering one is among the last few. */
    for (uint32_t i = low; i > 0 && low - i < 8; i--) {
        const struct symbol *symbol = &image->symbols[image->functions[i - 1]];
        if (symbol->section != place.section)
            break;
        if (place.offset - symbol->value < symbol->size ||
            (symbol->size == 0 && place.offset == symbol->value))
            return symbol;
    }
    return NULL;
}

size_t image_rela_index(const struct section *section, uint64_t offset)
{
    return LOWER_BOUND(i, section->nrelocs, section->relocs[i].offset < offset);
}

const struct rela *image_rela_at(const struct image *image, uint32_t section, uint64_t offset)
{
    const struct section *holder = &image->sections[section];
    size_t index = image_rela_index(holder, offset);
    bool is_there = index < holder->nrelocs && holder->relocs[index].offset == offset;
    return is_there ? &holder->relocs[index] : NULL;
}

const char *const runtime_names[RUNTIME_FUNCTIONS] = {[RUNTIME_ENTER] = SDT_SYMBOL_ENTER,
                                                      [RUNTIME_ENTER_CALL] = SDT_SYMBOL_ENTER_CALL,
                                                      [RUNTIME_FINISH] = SDT_SYMBOL_FINISH};

bool name_is_of_args(const char *name)
{
    return strcmp(name, SDT_SECTION_ARGS) == 0 || strcmp(name, SDT_SECTION_KERNEL_ARGS) == 0;
}
