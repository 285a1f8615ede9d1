/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether a linked file brings the runtime that its sites need. Objects refer to it weakly, so a
 * link without it succeeds, and the probes can never be enabled: the most common reason why
 * sdt_enable() finds nothing.
 *
 * A copy of the runtime has a note by which other copies find it (docs/decisions/0006), also in a
 * file without symbols. A shared library may leave it to the program. A program may get it from a
 * library that it needs; the needs of that library are not examined.
 */
#include "site.h"

#include "elf_file.h"

#include <string.h>

static bool has_note(const struct list_elf *elf)
{
    static const struct {
        uint32_t name_size, size, type;
        char name[8];
    } head = {8, 8, 1, "sdtlink"};
    for (uint32_t i = 1; i < elf->count; i++) {
        const struct list_section *section = &elf->sections[i];
        if (section->header.sh_type != SHT_NOTE || !section->data)
            continue;
        for (size_t at = 0; section->size >= sizeof head && at <= section->size - sizeof head;
             at += 4)
            if (memcmp(section->data + at, &head, sizeof head) == 0)
                return true;
    }
    return false;
}

struct needs {
    bool runtime, is_program;
};

/* What the dynamic section says. */
static struct needs read_needs(const struct list_elf *elf)
{
    struct needs needs = {false, elf->type == ET_EXEC};
    for (size_t i = 0; i < elf->segment_count; i++)
        needs.is_program |= elf->segments[i].p_type == PT_INTERP;
    for (uint32_t i = 1; i < elf->count; i++) {
        const struct list_section *section = &elf->sections[i];
        uint32_t link = section->header.sh_link;
        if (section->header.sh_type != SHT_DYNAMIC || !section->data || link >= elf->count)
            continue;
        for (size_t at = 0; at + sizeof(Elf64_Dyn) <= section->size; at += sizeof(Elf64_Dyn)) {
            Elf64_Dyn entry;
            memcpy(&entry, section->data + at, sizeof entry);
            const char *name = list_elf_string(
                elf, (struct list_place){.section = link, .offset = entry.d_un.d_val});
            if (entry.d_tag == DT_NEEDED && name && strncmp(name, "libsdt.so", 9) == 0)
                needs.runtime = true;
            if (entry.d_tag == DT_FLAGS_1 && entry.d_un.d_val & DF_1_PIE)
                needs.is_program = true;
        }
    }
    return needs;
}

bool list_read_runtime(const struct list_elf *elf, struct list *list, size_t first)
{
    bool has_records = false;
    if (elf->type == ET_REL || !list_elf_is_ours(elf) || !elf->is_64) /* or there is none for it */
        return true;
    struct needs needs = read_needs(elf);
    const char *found = has_note(elf) ? "inside" : needs.runtime ? "needed" : "none";
    for (size_t i = first; i < list->count; i++)
        if (list->sites[i].is_record) {
            list->sites[i].runtime = found;
            has_records = true;
        }
    return !has_records || !needs.is_program || strcmp(found, "none") != 0;
}
