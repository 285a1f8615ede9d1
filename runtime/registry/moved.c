/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See moved.h. llvm-bolt gives what was .text another name in the file, which is how it is known.
 * Functions may also have stayed: those that it was told to skip, those that it did not understand,
 * and with a profile those that are not in it. The symbols tell which: each function has one where
 * it is executed. (Its unwind information it has at both places, as llvm-bolt 16 leaves it.)
 * Without symbols, nothing is known to have stayed.
 */
#define _GNU_SOURCE
#include "moved.h"

#include "shared/lower_bound.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_NAMES = 1 << 20, BLOCK = 256 /* symbols */ };

struct file {
    int fd;
    Elf64_Ehdr header;
};

static bool read_at(int fd, void *to, size_t size, uint64_t offset)
{
    return offset <= INT64_MAX && pread(fd, to, size, (off_t)offset) == (ssize_t)size;
}

static bool read_section(const struct file *file, unsigned i, Elf64_Shdr *section)
{
    return read_at(file->fd, section, sizeof *section, file->header.e_shoff + i * sizeof *section);
}

static bool is_moved(const struct file *file)
{
    static const char name[] = ".bolt.org.text";
    char text[sizeof name + 4096];
    size_t kept = 0;
    Elf64_Shdr names;
    if (!read_section(file, file->header.e_shstrndx, &names))
        return false;
    for (uint64_t at = 0; at < names.sh_size && at < MAX_NAMES;) {
        size_t most = sizeof text - kept, left = names.sh_size - at, n = left < most ? left : most;
        if (!read_at(file->fd, text + kept, n, names.sh_offset + at))
            return false;
        if (memmem(text, kept + n, name, sizeof name))
            return true;
        at += n;
        size_t end = kept + n;
        kept = end < sizeof name ? end : sizeof name; /* it may continue */
        memmove(text, text + end - kept, kept);
    }
    return false;
}

/* Add the functions among SYMBOLS. False: out of memory. */
static bool take(struct moved *moved, const Elf64_Sym *symbols, size_t n)
{
    struct moved_range *more = realloc(moved->stayed, (moved->count + n) * sizeof *more);
    if (!more)
        return false;
    moved->stayed = more;
    for (size_t i = 0; i < n; i++)
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_shndx != SHN_UNDEF)
            more[moved->count++] =
                (struct moved_range){symbols[i].st_value, symbols[i].st_value + symbols[i].st_size};
    return true;
}

static int read_symbols(struct moved *moved, const struct file *file)
{
    Elf64_Shdr section = {0};
    Elf64_Sym symbols[BLOCK];
    unsigned i = 0;
    while (i < file->header.e_shnum && read_section(file, i, &section) &&
           section.sh_type != SHT_SYMTAB)
        i++;
    if (i == file->header.e_shnum || section.sh_type != SHT_SYMTAB)
        return 0;
    size_t left = section.sh_size / sizeof *symbols;
    for (uint64_t at = section.sh_offset; left;) {
        size_t n = left < BLOCK ? left : BLOCK;
        if (!read_at(file->fd, symbols, n * sizeof *symbols, at))
            return 0;
        if (!take(moved, symbols, n))
            return -ENOMEM;
        at += n * sizeof *symbols;
        left -= n;
    }
    return 0;
}

static int compare(const void *left, const void *right)
{
    const struct moved_range *a = left, *b = right;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

int moved_open(struct moved *moved, const struct image *image)
{
    const char *path = *image->path ? image->path : "/proc/self/exe";
    struct file file = {.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    int error = 0;
    *moved = (struct moved){.base = image->base};
    if (file.fd < 0)
        return 0;
    moved->is_any = read_at(file.fd, &file.header, sizeof file.header, 0) && is_moved(&file);
    if (moved->is_any)
        error = read_symbols(moved, &file);
    if (moved->count)
        qsort(moved->stayed, moved->count, sizeof *moved->stayed, compare);
    close(file.fd);
    return error;
}

bool moved_from(const struct moved *moved, uintptr_t address)
{
    uint64_t place = address - moved->base;
    size_t low = LOWER_BOUND(i, moved->count, moved->stayed[i].begin <= place);
    return moved->is_any && (!low || place >= moved->stayed[low - 1].end);
}
