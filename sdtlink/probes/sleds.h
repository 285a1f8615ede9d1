/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * XRay's sleds: eleven bytes of NOPs that clang -fxray-instrument leaves at the entry of each
 * function, before its return, and before the jump of a tail call. Section xray_instr_map says
 * where they are, for a runtime that is not needed here: each becomes a function site.
 *
 *   struct { .quad sled - ., function - .; .byte kind, always, version; 13 bytes }    of version 2
 */
#ifndef SDTLINK_PROBES_SLEDS_H
#define SDTLINK_PROBES_SLEDS_H

#include "elf/object.h"

#include <arch/tool_arch.h>

struct sled {
    struct place place;
    enum arch_sled kind;
    bool is_marked; /* its function has attribute xray_always_instrument */
    struct arch_site site;
};

struct sleds {
    struct sled *items;
    size_t count, capacity;
};

/* Those of O. 0, or -1 after a message: there is one that is not understood. */
int sleds_read(struct sleds *sleds, const struct object *o);
void sleds_free(struct sleds *sleds);

/* Whether SECTION says where sleds are; with the sleds, it goes. */
bool section_is_of_sleds(const struct section *section);

#endif
