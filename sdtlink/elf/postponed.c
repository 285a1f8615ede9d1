/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables that grow with every new symbol and section, and the unwind information that stubs add
 * to, can be a third of a file. Copying them with the rest, and again after they have moved, would
 * be most of the unnecessary writing. So large ones are left out at first.
 *
 * The copy should begin as early as possible, before object.c has read anything: so this reads the
 * section table on its own, and quickly. A wrong guess only costs time, since the writer copies
 * what turns out to stay.
 */
#include "postponed.h"

#include "base/elf_view.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };
/* Below these, the search and the additional system calls cost more than they save. */
#define LEAST_FILE (UINT64_C(4) << 20)
#define LEAST_BYTES (UINT64_C(256) << 10)

static bool is_unwind(const struct elf_view *view, const Elf64_Shdr *header)
{
    const char *name = header->sh_flags == SHF_ALLOC ? elf_view_name(view, header) : NULL;
    return name && strcmp(name, ".eh_frame") == 0;
}

/* The sections in question, of each kind the last. */
enum { SYMBOLS, STRINGS, NAMES, EXTENDED, UNWIND, UNWIND_RELOCATIONS, KINDS };

static void find_sections(const struct elf_view *view, uint32_t unwind_type,
                          uint64_t sections[KINDS])
{
    Elf64_Shdr header;
    memset(sections, 0, KINDS * sizeof *sections);
    sections[NAMES] = view->names;
    for (uint32_t i = 1; i < view->count && elf_view_section(view, i, &header); i++) {
        switch (header.sh_type) {
        case SHT_SYMTAB:
            sections[SYMBOLS] = i;
            sections[STRINGS] = header.sh_link;
            break;
        case SHT_SYMTAB_SHNDX:
            sections[EXTENDED] = i;
            break;
        case SHT_RELA:
            if (header.sh_info == sections[UNWIND])
                sections[UNWIND_RELOCATIONS] = i;
            break;
        default:
            if ((header.sh_type == SHT_PROGBITS || header.sh_type == unwind_type) &&
                is_unwind(view, &header)) {
                sections[UNWIND] = i;
                sections[UNWIND_RELOCATIONS] = 0;
            }
            break;
        }
    }
    if (sections[STRINGS] == sections[NAMES] || sections[STRINGS] >= view->count)
        sections[STRINGS] = 0;
}

/*
 * Whole pages: file systems that can share blocks between the two files do so for the rest. Empty
 * if it is not worth it, or no place in the file.
 */
static struct byte_range pages(const struct elf_view *view, uint64_t start, uint64_t size)
{
    if (start > view->size || size > view->size - start || size < LEAST_BYTES)
        return (struct byte_range){0};
    return (struct byte_range){(start + PAGE - 1) / PAGE * PAGE, (start + size) / PAGE * PAGE};
}

static size_t append(struct postponed *list, size_t count, uint32_t section,
                     struct byte_range bytes)
{
    if (bytes.start == bytes.end)
        return count;
    list[count] = (struct postponed){section, bytes};
    return count + 1;
}

static int compare(const void *left, const void *right)
{
    const struct postponed *a = left, *b = right;
    return a->bytes.start < b->bytes.start ? -1 : a->bytes.start > b->bytes.start;
}

size_t postponed_find(const uint8_t *image, uint64_t size, uint32_t unwind_type,
                      struct postponed list[MAX_POSTPONED])
{
    size_t count = 0;
    uint64_t sections[KINDS];
    struct elf_view view;
    Elf64_Shdr header;
    if (size < LEAST_FILE || !elf_view_open(&view, image, size))
        return 0;
    find_sections(&view, unwind_type, sections);
    for (unsigned i = 0; i < KINDS; i++) {
        if (sections[i] && elf_view_section(&view, sections[i], &header) &&
            header.sh_type != SHT_NOBITS)
            count = append(list, count, (uint32_t)sections[i],
                           pages(&view, header.sh_offset, header.sh_size));
    }
    uint64_t table = view.count * sizeof(Elf64_Shdr);
    count = append(list, count, 0, pages(&view, view.header.e_shoff, table));
    qsort(list, count, sizeof *list, compare);
    return count;
}
