/* SPDX-License-Identifier: BSD-2-Clause */
#include "bounds.h"

#include "base/output.h"
#include "elf/image.h"
#include "elf/object.h"
#include "elf/reindex.h"
#include "elf/writer.h"
#include "set.h"

int bounds_write(const char *path, enum bound bound, const struct tool_arch *arch)
{
    struct object object;
    struct output output = {.fd = -1};
    image_create(&object, path, arch);
    uint32_t section = image_add_section(&object, SDT_SECTION_BOUNDED, SHT_PROGBITS, SHF_ALLOC,
                                         _Alignof(struct sdt_site), 0);
    image_add_symbol(&object, bound == BOUND_BEGIN ? SDT_SYMBOL_SITES_BEGIN : SDT_SYMBOL_SITES_END,
                     STB_GLOBAL, STT_NOTYPE, STV_HIDDEN, section, 0, 0);
    image_add_section(&object, ".note.GNU-stack", SHT_PROGBITS, 0, 1, 0);
    int result = -1;
    reindex(&object);
    if (output_open(&output, path, object.mode) == 0 && writer_write(&object, &output) == 0)
        result = output_commit(&output);
    output_abandon(&output);
    object_close(&object);
    return result;
}
