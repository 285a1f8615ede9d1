/* SPDX-License-Identifier: BSD-2-Clause */
#include "tables.h"

#include "base/diag.h"
#include "base/reading.h"

#include <errno.h>
#include <sys/mman.h>

/* Replace the mapping of [start, end) of the file; the mapping is as long as whole huge pages. */
static int replace(const struct object *o, uint64_t start, uint64_t end)
{
    size_t length = end - start;
    void *at = mmap(o->image + start, length, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (at == MAP_FAILED)
        return diag_errno("cannot map %s", o->path);
    (void)!madvise(at, length, MADV_HUGEPAGE);
    errno = reading_all(o->fd, at, end < o->size ? length : o->size - start, start);
    return errno ? diag_errno("cannot read %s", o->path) : 0;
}

/* Replace the huge pages that are WANTED and not DONE yet, neighbours together. */
static int replace_pages(const struct object *o, const struct bits *wanted, const struct bits *done)
{
    int result = 0;
    for (uint64_t first = 0, end; first < wanted->count && result == 0; first = end + 1) {
        for (end = first; bits_test(wanted, end) && !bits_test(done, end);)
            end++;
        if (end > first)
            result = replace(o, first * HUGE_PAGE, end * HUGE_PAGE);
    }
    return result;
}

static void want(struct bits *pages, uint64_t offset, uint64_t size)
{
    for (uint64_t page = offset / HUGE_PAGE; page * HUGE_PAGE < offset + size; page++)
        bits_set(pages, page);
}

static bool is_table(uint32_t type)
{
    switch (type) {
    case SHT_SYMTAB:
    case SHT_STRTAB:
    case SHT_SYMTAB_SHNDX:
    case SHT_RELA:
    case SHT_REL:
    case SHT_GROUP:
        return true;
    default:
        return false;
    }
}

/* Where the tables are that lie in the file; sections of more bytes than it has are damaged. */
static void want_tables(const struct object *o, struct bits *pages)
{
    const Elf64_Shdr *headers = (const Elf64_Shdr *)(const void *)(o->image + o->header.e_shoff);
    uint64_t left = o->size;
    for (uint32_t i = 1; i < o->input_sections; i++) {
        Elf64_Shdr header;
        memcpy(&header, &headers[i], sizeof header);
        if (!is_table(header.sh_type) || header.sh_offset > o->size ||
            header.sh_size > o->size - header.sh_offset)
            continue;
        if (header.sh_size > left)
            return;
        left -= header.sh_size;
        want(pages, header.sh_offset, header.sh_size);
    }
}

int tables_read(const struct object *o)
{
    struct bits none, headers, tables;
    size_t count = o->size / HUGE_PAGE + 1;
    bits_init(&none, count);
    bits_init(&headers, count);
    bits_init(&tables, count);
    want(&headers, o->header.e_shoff, o->input_sections * sizeof(Elf64_Shdr));
    int result = replace_pages(o, &headers, &none);
    if (result == 0) {
        want_tables(o, &tables);
        result = replace_pages(o, &tables, &headers);
    }
    bits_free(&none);
    bits_free(&headers);
    bits_free(&tables);
    return result;
}
