/* SPDX-License-Identifier: BSD-2-Clause */
#include "bounds.h"

#include "elf/add.h"
#include "elf/writer.h"
#include "set.h"

int bounds_write(const char *path, enum bound bound, const struct tool_arch *arch)
{
    struct object object;
    object_create(&object, path, arch);
    uint32_t section = object_add_section(&object, SDT_SECTION_BOUNDED, SHT_PROGBITS, SHF_ALLOC,
                                          _Alignof(struct sdt_site), 0);
    object_add_symbol(&object, bound == BOUND_BEGIN ? SDT_SYMBOL_SITES_BEGIN : SDT_SYMBOL_SITES_END,
                      STB_GLOBAL, STT_NOTYPE, STV_HIDDEN, section, 0, 0);
    return writer_write_created(&object, path);
}
