/* SPDX-License-Identifier: BSD-2-Clause */
#include "sleds.h"

#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

#define MAP "xray_instr_map"
#define FUNCTIONS "xray_fn_idx"

enum { ENTRY_SIZE = 32, KIND_AT = 16, ALWAYS_AT = 17, VERSION_AT = 18, VERSION = 2 };
/* LLVM's SledKind. */
enum { FUNCTION_ENTER, FUNCTION_EXIT, TAIL_CALL, LOG_ARGS_ENTER };

bool section_is_of_sleds(const struct section *section)
{
    return strcmp(section->name, MAP) == 0 || strcmp(section->name, FUNCTIONS) == 0;
}

static int refuse(const struct object *o, const struct section *map, uint64_t offset,
                  const char *problem, const char *remedy)
{
    struct diag_place place = {.file = o->path, .section = map->name, .offset = offset};
    return diag_refuse(&place, problem, NULL, NULL, remedy);
}

/* What clang calls a place of code for the user (__xray_customevent) is no function's. */
static bool is_of_function(uint8_t kind)
{
    return kind <= LOG_ARGS_ENTER;
}

static int add_sled(struct sleds *sleds, const struct object *o, const struct section *map,
                    const Elf64_Rela *relocation)
{
    uint64_t offset = relocation->r_offset;
    uint32_t symbol = ELF64_R_SYM(relocation->r_info), section = object_symbol_section(o, symbol);
    const uint8_t *entry = map->data + offset;
    struct sled sled = {
        .place = {section, o->symbols[symbol].st_value + (uint64_t)relocation->r_addend}};
    if (entry[VERSION_AT] != VERSION)
        return refuse(o, map, offset, "these XRay sleds are of a version that is not supported",
                      "use clang 12 or later");
    if (!is_of_function(entry[KIND_AT]))
        return 0;
    sled.kind = entry[KIND_AT] == FUNCTION_EXIT ? ARCH_SLED_RETURN
                : entry[KIND_AT] == TAIL_CALL   ? ARCH_SLED_TAIL
                                                : ARCH_SLED_ENTRY;
    sled.is_marked = entry[ALWAYS_AT];
    const struct section *text = &o->sections[section];
    if (!section || !section_is_text(text) || sled.place.offset > text->size ||
        !o->arch->read_sled ||
        !o->arch->read_sled(sled.kind, text->data + sled.place.offset,
                            text->size - sled.place.offset, &sled.site))
        return refuse(o, map, offset, "this entry does not lead to a sled of XRay's",
                      "compile with -finstrument-functions-after-inlining");
    sled.site.offset = sled.place.offset;
    sleds->items =
        memory_with_room(sleds->items, sleds->count, &sleds->capacity, sizeof *sleds->items);
    sleds->items[sleds->count++] = sled;
    return 0;
}

static int read_map(struct sleds *sleds, const struct object *o, const struct section *map)
{
    size_t count = 0;
    const Elf64_Rela *relocations =
        map->rela ? section_relocations(&o->sections[map->rela], &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        uint64_t offset = relocations[i].r_offset;
        if (offset % ENTRY_SIZE != 0)
            continue; /* of the function */
        if (!map->data || offset >= map->size || map->size - offset < ENTRY_SIZE)
            return refuse(o, map, offset, "an entry of XRay's map is cut off; the file is damaged",
                          NULL);
        if (add_sled(sleds, o, map, &relocations[i]) != 0)
            return -1;
    }
    return 0;
}

int sleds_read(struct sleds *sleds, const struct object *o)
{
    int result = 0;
    for (uint32_t i = 1; i < o->section_count && result == 0; i++)
        if (strcmp(o->sections[i].name, MAP) == 0)
            result = read_map(sleds, o, &o->sections[i]);
    return result;
}

void sleds_free(struct sleds *sleds)
{
    free(sleds->items);
    *sleds = (struct sleds){0};
}
