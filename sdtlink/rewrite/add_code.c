/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes are the architecture's, arch/MACHINE/code.c; what they refer to is known here. */
#include "add_code.h"

#include "elf/add.h"

void add_code_fixup(struct set *set, uint32_t section, uint64_t at, const struct arch_fixup *fixup,
                    const struct set_place *place)
{
    object_relocate(set->object, section, at + fixup->at, fixup->type, place->symbol,
                    (int64_t)place->offset + fixup->addend);
}

uint64_t add_code(struct set *set, uint32_t section, const struct arch_code *code,
                  const struct set_place places[ARCH_PLACES])
{
    uint64_t at = object_append(set->object, section, code->bytes, code->size);
    for (uint32_t i = 0; i < code->fixup_count; i++) {
        struct arch_fixup fixup = code->fixups[i];
        struct set_place place = places[fixup.place];
        if (fixup.place == ARCH_PLACE_ITSELF) { /* linkers allow no addend */
            place.symbol = object_add_symbol(set->object, SET_LABEL, STB_LOCAL, STT_NOTYPE,
                                             STV_DEFAULT, section, at + (uint64_t)fixup.addend, 0);
            fixup.addend = 0;
        }
        add_code_fixup(set, section, at, &fixup, &place);
    }
    return at;
}
