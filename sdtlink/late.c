/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables that grow with every new symbol and section, and the unwind information that stubs add
 * to, can be a third of a file: to copy them with the rest, and again when they have moved, would
 * be most of what writing does too much. So large ones are left out at first.
 *
 * The copy shall begin as early as possible, before object.c has looked at anything: so this reads
 * the section table on its own, and quickly. A wrong guess costs time and nothing else, since the
 * writer copies what turns out to stay.
 */
#include "late.h"

#include "object.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };
/* Below these, the search and the additional system calls cost more than they save. */
#define LEAST_FILE (UINT64_C(4) << 20)
#define LEAST_BYTES (UINT64_C(256) << 10)

static Elf64_Shdr header_at(const struct object *o, uint32_t i)
{
    Elf64_Shdr header;
    memcpy(&header, o->image + o->header.e_shoff + i * sizeof header, sizeof header);
    return header;
}

static bool is_unwind(const struct object *o, const Elf64_Shdr *names, const Elf64_Shdr *header)
{
    static const char name[] = ".eh_frame";
    return header->sh_flags == SHF_ALLOC && header->sh_name < names->sh_size &&
           names->sh_size - header->sh_name >= sizeof name && names->sh_size <= o->size &&
           names->sh_offset <= o->size - names->sh_size &&
           memcmp(o->image + names->sh_offset + header->sh_name, name, sizeof name) == 0;
}

/* The sections in question, of each kind the last. */
enum { SYMBOLS, STRINGS, NAMES, EXTENDED, UNWIND, UNWIND_RELOCATIONS, KINDS };

static void find_sections(const struct object *o, uint32_t sections[KINDS])
{
    Elf64_Shdr names = header_at(o, o->shstrtab);
    memset(sections, 0, KINDS * sizeof *sections);
    sections[NAMES] = o->shstrtab;
    for (uint32_t i = 1; i < o->input_sections; i++) {
        const Elf64_Shdr header = header_at(o, i);
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
            if ((header.sh_type == SHT_PROGBITS || header.sh_type == o->arch->unwind_type) &&
                is_unwind(o, &names, &header)) {
                sections[UNWIND] = i;
                sections[UNWIND_RELOCATIONS] = 0;
            }
            break;
        }
    }
    if (sections[STRINGS] == sections[NAMES] || sections[STRINGS] >= o->input_sections)
        sections[STRINGS] = 0;
}

/*
 * Whole pages: file systems that can share blocks between the two files do so for the rest. Empty
 * if it is not worth it, or no place in the file.
 */
static struct byte_range pages(const struct object *o, uint64_t start, uint64_t size)
{
    if (start > o->size || size > o->size - start || size < LEAST_BYTES)
        return (struct byte_range){0};
    return (struct byte_range){(start + PAGE - 1) / PAGE * PAGE, (start + size) / PAGE * PAGE};
}

static size_t append(struct late *late, size_t count, uint32_t section, struct byte_range bytes)
{
    if (bytes.start == bytes.end)
        return count;
    late[count] = (struct late){section, bytes};
    return count + 1;
}

static int compare(const void *left, const void *right)
{
    const struct late *a = left, *b = right;
    return a->bytes.start < b->bytes.start ? -1 : a->bytes.start > b->bytes.start;
}

size_t late_find(const struct object *o, struct late late[LATE_MOST])
{
    size_t count = 0;
    uint32_t sections[KINDS];
    if (o->size < LEAST_FILE)
        return 0;
    find_sections(o, sections);
    for (unsigned i = 0; i < KINDS; i++) {
        const Elf64_Shdr header = header_at(o, sections[i]);
        if (sections[i] && header.sh_type != SHT_NOBITS)
            count = append(late, count, sections[i], pages(o, header.sh_offset, header.sh_size));
    }
    size_t table = o->input_sections * sizeof(Elf64_Shdr);
    count = append(late, count, 0, pages(o, o->header.e_shoff, table));
    qsort(late, count, sizeof *late, compare);
    return count;
}
