/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Does a file hold probes? Which pieces of it have to be read, for scan_object.c to scan?
 *
 * Overlooking a probe would be worse than a needless scan, so nothing here relies on more than the
 * place of the string table and of the symbols. A file that is too damaged to find them is left to
 * sdtlink's core or the linker, which will refuse it. But a file that cannot be read now might be
 * readable for the linker: that is an error.
 *
 * Small files are read whole; of bigger ones, and of members of archives, only the pieces that
 * matter. Opening and closing alone is half of what a small file costs. Files of intermediate code
 * are mapped.
 */
#include "scan.h"

#include "archive.h"
#include "base/mapping.h"
#include "base/reading.h"
#include "elf/intermediate.h"

#include <ar.h>
#include <arch/tool_arch.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SMALL_FILE = 1 << 14, BIG_SCRIPT = 1 << 20 };

static int scan_as(const struct scan_rules *rules, const char *path, bool is_member,
                   unsigned *found);

/* A member of a thin archive may be an archive, even the same one: but linkers take no thin one. */
static int scan_archive(const struct scan_rules *rules, const char *path, const uint8_t *image,
                        size_t size, bool is_member, unsigned *found)
{
    struct archive archive;
    struct archive_member member;
    int error = 0;
    archive_open(&archive, image, size);
    *found = SCAN_ARCHIVE | (archive.is_thin ? SCAN_THIN : 0);
    if (archive.is_thin && is_member)
        return 0;
    while (!error && archive_next(&archive, &member) == 1) {
        unsigned inside = 0;
        if (member.kind != MEMBER_FILE)
            continue;
        if (!archive.is_thin) {
            inside = scan_object(rules, member.data, member.size);
        } else {
            char *file = archive_member_path(path, &member);
            error = scan_as(rules, file, true, &inside);
            free(file);
        }
        *found |= inside;
    }
    *found &= ~(unsigned)(SCAN_SHARED | SCAN_FOREIGN);
    return error;
}

/* What else a linker takes is a script. */
static bool is_script(const uint8_t *image, size_t size)
{
    return size > 0 && image[0] != ELFMAG0 && image[0] < 0x80 &&
           (look_for_text(image, size, "INPUT") || look_for_text(image, size, "GROUP") ||
            look_for_text(image, size, "STARTUP") || look_for_text(image, size, "INCLUDE") ||
            look_for_text(image, size, "/DISCARD/"));
}

static int scan_image(const struct scan_rules *rules, const char *path, const uint8_t *image,
                      size_t size, bool is_member, unsigned *found)
{
    if (archive_is(image, size))
        return scan_archive(rules, path, image, size, is_member, found);
    *found = scan_object(rules, image, size);
    if (*found == 0 && is_script(image, size))
        *found = SCAN_SCRIPT;
    return 0;
}

static int scan_mapped(const struct scan_rules *rules, const char *path, int fd, bool is_member,
                       unsigned *found)
{
    struct mapping file;
    if (!mapping_of(&file, fd))
        return errno;
    int error = scan_image(rules, path, file.data, file.size, is_member, found);
    mapping_close(&file);
    return error;
}

/* What is at the start of every file of interest. */
union start {
    Elf64_Ehdr elf;
    uint8_t bytes[sizeof(Elf64_Ehdr)];
};

/*
 * The member of an ordinary archive that is at START of the file. With the end of its contents, the
 * beginning of the next one is read.
 */
static unsigned look_at_member(struct look *look, uint64_t start, uint64_t size)
{
    union start head;
    pieces_move(&look->pieces, start, size);
    look->strings_index = 0;
    if (!pieces_read(&look->pieces, 0, &head, size < sizeof head ? size : sizeof head))
        return 0;
    if (intermediate_is_bitcode(head.bytes, size)) {
        look->wants_image = true;
        return 0;
    }
    if (size < sizeof head || memcmp(head.bytes, ELFMAG, SELFMAG) != 0)
        return 0;
    pieces_expect(&look->pieces, start + size + 1 + sizeof(struct ar_hdr) + sizeof head);
    return look_at_elf(look, &head.elf);
}

/* The members of an ordinary archive, as long as it is intact. */
static unsigned look_at_members(struct look *look)
{
    struct pieces *pieces = &look->pieces;
    struct archive_extent extent;
    struct ar_hdr header;
    unsigned found = 0;
    uint64_t at = SARMAG;
    while (!look->wants_image && !pieces->error) {
        pieces_move(pieces, 0, pieces->file_size);
        if (!pieces_read(pieces, at, &header, sizeof header) || !archive_measure(&header, &extent))
            break;
        at += sizeof header;
        if (extent.size > pieces->file_size - at)
            break;
        if (extent.is_file && extent.stored <= extent.size)
            found |= look_at_member(look, at + extent.stored, extent.size - extent.stored);
        at += extent.size + (extent.size & 1);
    }
    return found;
}

bool scan_is_systems(const char *path)
{
    static const char *const directories[] = {"/usr/lib", "/lib"};
    static const char *const libraries[] = {"libc.a",      "libm.a",      "libpthread.a",
                                            "libstdc++.a", "libsupc++.a", "libc++.a",
                                            "libc++abi.a", "libgcc.a",    "libgcc_eh.a"};
    char *real = realpath(path, NULL);
    const char *name = basename(path);
    bool is = false;
    for (size_t i = 0; real && i < sizeof directories / sizeof *directories; i++)
        is |= !strncmp(real, directories[i], strlen(directories[i]));
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        is |= !strcmp(name, libraries[i]);
    free(real);
    return is;
}

/* Whether notes in PATH make it a file with probes. */
static bool notes_count(const struct scan_rules *rules, const char *path)
{
    return rules->notes == NOTES_OF_ALL ||
           (rules->notes == NOTES_OF_PROJECT && !scan_is_systems(path));
}

/* A file of SIZE bytes that is not small. */
static int scan_big(const struct scan_rules *rules, const char *path, int fd, size_t size,
                    bool is_member, unsigned *found)
{
    union start start;
    uint8_t window[PIECES_WINDOW];
    int error = reading_all(fd, &start, sizeof start, 0);
    if (error)
        return error;
    bool is_text = start.bytes[0] != ELFMAG0 && size <= BIG_SCRIPT;
    bool is_archive = archive_is(start.bytes, sizeof start);
    if ((is_text && !is_archive) || archive_is_thin(start.bytes, sizeof start) ||
        intermediate_is_bitcode(start.bytes, sizeof start))
        return scan_mapped(rules, path, fd, is_member, found);
    struct look look = {.pieces = {.fd = fd, .size = size, .file_size = size, .window = window},
                        .ignores_fat = rules->ignores_fat,
                        .has_functions = rules->functions != NULL,
                        .arch = rules->arch,
                        .is_by_symbols = is_archive && !is_member && !notes_count(rules, path)};
    if (is_archive)
        *found = SCAN_ARCHIVE | (look_at_members(&look) & ~(unsigned)(SCAN_SHARED | SCAN_FOREIGN));
    else
        *found = look_at_elf(&look, &start.elf);
    bytes_free(&look.strings);
    bytes_free(&look.symbols);
    return look.wants_image ? scan_mapped(rules, path, fd, is_member, found) : look.pieces.error;
}

/* lseek() says how big a file is at a third of fstat()'s price, and refuses pipes and terminals. */
static int scan_descriptor(const struct scan_rules *rules, const char *path, int fd, bool is_member,
                           unsigned *found)
{
    uint8_t image[SMALL_FILE];
    off_t end = lseek(fd, 0, SEEK_END);
    if (end < 0)
        return errno == ESPIPE ? 0 : errno;
    size_t size = (size_t)end;
    if (size > SMALL_FILE)
        return scan_big(rules, path, fd, size, is_member, found);
    int error = reading_all(fd, image, size, 0);
    return error ? error : scan_image(rules, path, image, size, is_member, found);
}

/* What does not depend on the moment: the linker will not be able to read it either. */
static bool is_linkers_business(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EACCES || error == EPERM ||
           error == ELOOP || error == ENAMETOOLONG || error == EISDIR || error == ENXIO ||
           error == ENODEV;
}

static int scan_as(const struct scan_rules *rules, const char *path, bool is_member,
                   unsigned *found)
{
    *found = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return is_linkers_business(errno) ? 0 : errno;
    int error = scan_descriptor(rules, path, fd, is_member, found);
    close(fd);
    return error == EISDIR ? 0 : error; /* which open() does not mind */
}

static unsigned judge_notes(const struct scan_rules *rules, const char *path, unsigned found)
{
    return (found & SCAN_NOTES) && notes_count(rules, path) ? found | SCAN_PROBES : found;
}

unsigned scan_member(const struct scan_rules *rules, const char *archive, const uint8_t *image,
                     size_t size)
{
    return judge_notes(rules, archive, scan_object(rules, image, size));
}

/* libsdt.rlib is something else: the crate of that name, with objects of the program's. */
static bool is_runtime(const char *name)
{
    return !strcmp(name, "libsdt.a") || !strncmp(name, "libsdt.so", 9);
}

int scan_file(const struct scan_rules *rules, const char *path, unsigned *found)
{
    int error = scan_as(rules, path, false, found);
    *found = judge_notes(rules, path, *found);
    /* The runtime defines what processed objects refer to. */
    if (is_runtime(basename(path))) {
        unsigned its_own = SCAN_PROBES | SCAN_PROCESSED | SCAN_API | SCAN_OWN_API;
        *found = (*found & ~its_own) | SCAN_RUNTIME;
    }
    return error;
}

int scan_needs_runtime(const char *path, bool *answer)
{
    struct mapping file;
    *answer = false;
    if (!mapping_open(&file, path))
        return is_linkers_business(errno) || errno == EINVAL ? 0 : errno;
    *answer = look_for_text(file.data, file.size, "libsdt.so");
    mapping_close(&file);
    return 0;
}

/* How many of its first bytes a file has. */
static size_t read_start(const char *path, union start *start)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return 0;
    ssize_t got = pread(fd, start, sizeof *start, 0);
    close(fd);
    return got > 0 ? (size_t)got : 0;
}

bool scan_is_input(const char *path)
{
    union start start;
    size_t got = read_start(path, &start);
    if (archive_is(start.bytes, got) || intermediate_is_bitcode(start.bytes, got))
        return true;
    return got == sizeof start && !memcmp(start.bytes, ELFMAG, SELFMAG) &&
           start.elf.e_type == ET_REL;
}

bool scan_is_foreign(const struct tool_arch *arch, const char *path)
{
    union start start;
    return read_start(path, &start) == sizeof start && !memcmp(start.bytes, ELFMAG, SELFMAG) &&
           (start.elf.e_ident[EI_CLASS] != tool_arch_class(arch) ||
            start.elf.e_machine != arch->machine);
}
