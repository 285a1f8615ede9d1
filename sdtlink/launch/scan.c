/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Does a file hold probes? The names of an object's symbols are in its string table, in one piece:
 * a search for a few bytes in that is all it takes, and only one or two pages of the file are read.
 * Only where there is a hit are the symbols looked at.
 *
 * Wrong in the other direction would be worse, so nothing here relies on more than the place of the
 * string table and of the symbols: a file that is damaged so far that they cannot be found is left
 * to sdtlink's core or the linker, which will refuse it.
 */
#include "scan.h"

#include "archive.h"
#include "intermediate.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char probe_name[] = "__dtrace_sdt", registration_name[] = "__sdt_register";

static bool is_fat_ignored;

void scan_ignore_fat(bool ignore)
{
    is_fat_ignored = ignore;
}

/* Header INDEX of the section table; false if it is not in the file. */
static bool read_header(const uint8_t *image, size_t size, const Elf64_Ehdr *elf, uint64_t index,
                        Elf64_Shdr *header)
{
    if (elf->e_shoff > size || index >= (size - elf->e_shoff) / sizeof *header)
        return false;
    memcpy(header, image + elf->e_shoff + index * sizeof *header, sizeof *header);
    return true;
}

static bool holds(const uint8_t *image, size_t size, const Elf64_Shdr *section, const char *text)
{
    return section->sh_type == SHT_STRTAB && section->sh_offset <= size &&
           section->sh_size <= size - section->sh_offset &&
           memmem(image + section->sh_offset, section->sh_size, text, strlen(text));
}

/*
 * The string is there: is the symbol? A processed object keeps the names of what it lost. And what
 * defines the registration, instead of referring to it, is the runtime.
 */
static unsigned scan_symbols(const uint8_t *image, size_t size, const Elf64_Shdr *symbols,
                             const Elf64_Shdr *strings)
{
    Elf64_Sym symbol;
    unsigned found = 0;
    if (symbols->sh_offset > size || symbols->sh_size > size - symbols->sh_offset)
        return SCAN_PROBES;
    for (uint64_t at = 0; at + sizeof symbol <= symbols->sh_size; at += sizeof symbol) {
        memcpy(&symbol, image + symbols->sh_offset + at, sizeof symbol);
        if (symbol.st_name >= strings->sh_size)
            continue;
        const uint8_t *name = image + strings->sh_offset + symbol.st_name;
        uint64_t room = strings->sh_size - symbol.st_name;
        if (room >= sizeof probe_name - 1 && !memcmp(name, probe_name, sizeof probe_name - 1))
            found |= SCAN_PROBES;
        if (symbol.st_shndx == SHN_UNDEF && room >= sizeof registration_name &&
            !memcmp(name, registration_name, sizeof registration_name))
            found |= SCAN_PROCESSED;
    }
    return found;
}

static unsigned scan_sections(const uint8_t *image, size_t size, const Elf64_Ehdr *elf)
{
    Elf64_Shdr header, strings;
    uint64_t count = elf->e_shnum, names = elf->e_shstrndx;
    unsigned found = 0;
    if (read_header(image, size, elf, 0, &header)) {
        count = count ? count : header.sh_size;
        names = names == SHN_XINDEX ? header.sh_link : names;
    }
    /* Compilers and linkers write the symbol table last. */
    for (uint64_t i = count; i-- > 0 && read_header(image, size, elf, i, &header);)
        if (header.sh_type == SHT_SYMTAB &&
            read_header(image, size, elf, header.sh_link, &strings)) {
            if (holds(image, size, &strings, probe_name) ||
                holds(image, size, &strings, registration_name))
                found = scan_symbols(image, size, &header, &strings);
            break;
        }
    if (read_header(image, size, elf, names, &strings) &&
        (holds(image, size, &strings, ".gnu.lto_") || holds(image, size, &strings, ".llvm.lto"))) {
        enum intermediate kind = intermediate_kind(image, size);
        found |= SCAN_INTERMEDIATE | (kind == INTERMEDIATE_GIMPLE ? SCAN_SLIM : 0);
        if (kind == INTERMEDIATE_GIMPLE_FAT && is_fat_ignored)
            found &= ~(unsigned)(SCAN_PROBES | SCAN_PROCESSED);
        if (intermediate_may_hold_probes(image, size))
            found |= SCAN_LTO;
    }
    return found;
}

unsigned scan_object(const uint8_t *image, size_t size)
{
    Elf64_Ehdr elf;
    if (intermediate_is_bitcode(image, size))
        return SCAN_INTERMEDIATE | SCAN_BITCODE |
               (intermediate_may_hold_probes(image, size) ? SCAN_LTO : 0);
    if (size < sizeof elf || memcmp(image, ELFMAG, SELFMAG) != 0 || image[EI_CLASS] != ELFCLASS64)
        return 0;
    memcpy(&elf, image, sizeof elf);
    if (elf.e_type == ET_DYN)
        return SCAN_SHARED;
    return elf.e_type == ET_REL ? scan_sections(image, size, &elf) : 0;
}

static unsigned scan_as(const char *path, bool is_member);

/* A member of a thin archive may be an archive, even the same one: but linkers take no thin one. */
static unsigned scan_archive(const char *path, const uint8_t *image, size_t size, bool is_member)
{
    struct archive archive;
    struct archive_member member;
    archive_open(&archive, image, size);
    unsigned found = SCAN_ARCHIVE | (archive.is_thin ? SCAN_THIN : 0);
    if (archive.is_thin && is_member)
        return found;
    while (archive_next(&archive, &member) == 1) {
        if (member.kind != MEMBER_FILE)
            continue;
        if (!archive.is_thin) {
            found |= scan_object(member.data, member.size);
        } else {
            char *file = archive_member_path(path, &member);
            found |= scan_as(file, true);
            free(file);
        }
    }
    return found & ~(unsigned)SCAN_SHARED;
}

static unsigned scan_image(const char *path, const uint8_t *image, size_t size, bool is_member)
{
    return archive_is(image, size) ? scan_archive(path, image, size, is_member)
                                   : scan_object(image, size);
}

/* Small files are read, not mapped: that is faster. */
static unsigned scan_descriptor(const char *path, int fd, bool is_member)
{
    uint8_t buffer[1 << 14];
    struct stat status;
    ssize_t got = pread(fd, buffer, sizeof buffer, 0);
    if (got < (ssize_t)sizeof buffer)
        return got > 0 ? scan_image(path, buffer, (size_t)got, is_member) : 0;
    if (scan_object(buffer, sizeof buffer) == SCAN_SHARED)
        return SCAN_SHARED;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return 0;
    size_t size = (size_t)status.st_size;
    void *image = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (image == MAP_FAILED)
        return 0;
    unsigned found = scan_image(path, image, size, is_member);
    munmap(image, size);
    return found;
}

static unsigned scan_as(const char *path, bool is_member)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return 0;
    unsigned found = scan_descriptor(path, fd, is_member);
    close(fd);
    return found;
}

unsigned scan_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    unsigned found = scan_as(path, false);
    /* The runtime defines what processed objects refer to. */
    if (!strncmp(slash ? slash + 1 : path, "libsdt.", 7))
        found = (found & ~(unsigned)(SCAN_PROBES | SCAN_PROCESSED)) | SCAN_RUNTIME;
    return found;
}

bool scan_needs_runtime(const char *path)
{
    struct stat status;
    bool answer = false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (fstat(fd, &status) == 0 && status.st_size > 0) {
        size_t size = (size_t)status.st_size;
        void *image = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (image != MAP_FAILED) {
            answer = memmem(image, size, "libsdt.so", 9) != NULL;
            munmap(image, size);
        }
    }
    close(fd);
    return answer;
}

/* The first bytes of a file; how many there are. */
static size_t read_start(const char *path, void *start, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return 0;
    ssize_t got = pread(fd, start, size, 0);
    close(fd);
    return got > 0 ? (size_t)got : 0;
}

bool scan_is_input(const char *path)
{
    union {
        Elf64_Ehdr elf;
        uint8_t bytes[sizeof(Elf64_Ehdr)];
    } start;
    size_t got = read_start(path, &start, sizeof start);
    if (archive_is(start.bytes, got) || intermediate_is_bitcode(start.bytes, got))
        return true;
    return got == sizeof start && !memcmp(start.bytes, ELFMAG, SELFMAG) &&
           start.elf.e_type == ET_REL;
}

bool scan_is_foreign(const char *path)
{
    Elf64_Ehdr elf;
    size_t got = read_start(path, &elf, sizeof elf);
    return got == sizeof elf && !memcmp(elf.e_ident, ELFMAG, SELFMAG) &&
           (elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_machine != EM_X86_64);
}
