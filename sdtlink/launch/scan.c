/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Does a file hold probes? The names of an object's symbols are in its string table, in one piece:
 * a search for a few bytes in that is all it takes. Only where there is a hit are the symbols
 * looked at.
 *
 * Wrong in the other direction would be worse, so nothing here relies on more than the place of the
 * string table and of the symbols: a file that is damaged so far that they cannot be found is left
 * to sdtlink's core or the linker, which will refuse it. But a file that cannot be read now might
 * be readable for the linker: that is an error.
 *
 * Small files are read whole; of bigger ones, and of members of archives, only the pieces that
 * matter. Opening and closing alone is half of what a small file costs. Files of intermediate code
 * are mapped.
 */
#include "scan.h"

#include "archive.h"
#include "base/reading.h"
#include "elf/foreign.h"
#include "elf/intermediate.h"
#include "elf/object.h"
#include "elf/view.h"
#include "needles.h"
#include "pieces.h"
#include "unprocessed_notes.h"

#include <ar.h>
#include <arch/tool_arch.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char probe_name[] = "__dtrace_sdt", registration_name[] = "__sdt_register";

/* What <sdt/runtime.h> declares; tests/test_launcher_api.py compares it with libsdt.so. */
static const char api_prefix[] = "sdt_";
static const char *const api_names[] = {
    "sdt_arg",           "sdt_args",         "sdt_arg_double",    "sdt_arg_name",
    "sdt_arg_type",      "sdt_attachable",   "sdt_disable",       "sdt_enable",
    "sdt_enable_mode",   "sdt_foreach",      "sdt_function",      "sdt_hits",
    "sdt_module",        "sdt_name",         "sdt_nargs",         "sdt_pc",
    "sdt_provider",      "sdt_record_add",   "sdt_record_create", "sdt_record_destroy",
    "sdt_record_flush",  "sdt_record_start", "sdt_record_stats",  "sdt_record_stop",
    "sdt_snapshot_when", "sdt_strerror",     "sdt_version",
};

static bool is_fat_ignored;
static enum scan_notes notes_wanted;

void scan_want_notes(enum scan_notes wanted)
{
    notes_wanted = wanted;
}

bool scan_wants_notes(void)
{
    return notes_wanted != NOTES_OF_NONE;
}

void scan_ignore_fat(bool ignore)
{
    is_fat_ignored = ignore;
}

static const struct tool_arch *arch_wanted;

void scan_for(const struct tool_arch *arch)
{
    arch_wanted = arch;
}

static bool is_for_us(unsigned machine)
{
    return machine == (arch_wanted ? arch_wanted : tool_arch_usual())->machine;
}

enum { SMALL_FILE = 1 << 14, BIG_SCRIPT = 1 << 20 };

/* A look into a file, or into one object after the other of an archive. */
struct look {
    struct pieces pieces;
    struct elf_view elf;    /* of the object */
    uint64_t strings_index; /* the section of the string table that was read last; 0: none */
    struct bytes strings, symbols;
    bool wants_image;   /* the question can only be answered with all of it in memory */
    bool is_by_symbols; /* only what its symbols say is of interest */
};

/* ---- objects ---- */

/* NAME, of which SIZE bytes are in the file, is a function of the runtime's. */
static bool is_api(const uint8_t *name, uint64_t size)
{
    if (size < sizeof api_prefix || memcmp(name, api_prefix, sizeof api_prefix - 1) != 0)
        return false;
    for (size_t i = 0; i < sizeof api_names / sizeof *api_names; i++) {
        size_t length = strlen(api_names[i]) + 1;
        if (length <= size && !memcmp(name, api_names[i], length))
            return true;
    }
    return false;
}

/* A reference from code that can do without (weak) asks for nothing. */
static unsigned scan_api(const Elf64_Sym *symbol)
{
    if (symbol->st_shndx != SHN_UNDEF)
        return SCAN_OWN_API;
    return ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL ? SCAN_API : 0;
}

/*
 * The string is there: is the symbol? A processed object keeps the names of what it lost. And what
 * defines the registration, instead of referring to it, is the runtime.
 */
static unsigned scan_symbols(struct look *look, const Elf64_Shdr *header, const uint8_t *strings,
                             uint64_t size)
{
    Elf64_Sym symbol;
    const uint8_t *symbols =
        pieces_get(&look->pieces, header->sh_offset, header->sh_size, &look->symbols);
    unsigned found = symbols ? 0 : SCAN_PROBES;
    for (uint64_t at = 0; symbols && at + sizeof symbol <= header->sh_size; at += sizeof symbol) {
        memcpy(&symbol, symbols + at, sizeof symbol);
        if (symbol.st_name >= size)
            continue;
        const uint8_t *name = strings + symbol.st_name;
        uint64_t rest = size - symbol.st_name;
        if (rest >= sizeof probe_name - 1 && !memcmp(name, probe_name, sizeof probe_name - 1))
            found |= SCAN_PROBES;
        if (symbol.st_shndx == SHN_UNDEF && rest >= sizeof registration_name &&
            !memcmp(name, registration_name, sizeof registration_name))
            found |= SCAN_PROCESSED;
        if (is_api(name, rest))
            found |= scan_api(&symbol);
    }
    return found;
}

/*
 * String table INDEX; NULL: that is none. Kept until the next one is asked for: clang has one table
 * for the names of symbols and sections.
 */
static const uint8_t *read_strings(struct look *look, uint64_t index, uint64_t *size)
{
    Elf64_Shdr header;
    if (!elf_view_section(&look->elf, index, &header) || header.sh_type != SHT_STRTAB)
        return NULL;
    *size = header.sh_size;
    if (index && index == look->strings_index)
        return look->strings.data;
    const uint8_t *strings =
        pieces_get(&look->pieces, header.sh_offset, header.sh_size, &look->strings);
    look->strings_index = strings == look->strings.data ? index : 0;
    return strings;
}

static bool holds(const uint8_t *strings, uint64_t size, const char *text)
{
    return memmem(strings, size, text, strlen(text)) != NULL;
}

/*
 * What the symbols say. *HAS_MARK: there may be more to be said of this object, either since they
 * name probes or since it has gcc's mark of one without machine code. (Where there are both kinds
 * of code, both are of one source, and name the same probes.)
 */
static unsigned scan_names(struct look *look, const Elf64_Shdr *symbols, bool *has_mark)
{
    static const char *const needles[2] = {"sdt", "o_slim"};
    uint64_t size;
    const uint8_t *strings = read_strings(look, symbols->sh_link, &size);
    unsigned there = strings ? needles_find(strings, size, needles) : 0;
    *has_mark = there != 0;
    if (!(there & 1) ||
        !(holds(strings, size, probe_name) || holds(strings, size, registration_name) ||
          holds(strings, size, api_prefix)))
        return 0;
    return scan_symbols(look, symbols, strings, size);
}

/* Are there sections of intermediate code, or notes? */
static bool has_intermediate(struct look *look, bool *has_notes)
{
    static const char *const needles[2] = {"sdt", ".lto"};
    uint64_t size;
    const uint8_t *strings = read_strings(look, look->elf.names, &size);
    unsigned there = strings ? needles_find(strings, size, needles) : 0;
    *has_notes = (there & 1) && holds(strings, size, SECTION_STAPSDT);
    return (there & 2) && (holds(strings, size, ".gnu.lto_") || holds(strings, size, ".llvm.lto"));
}

/* Both formats keep the names of undefined symbols as text (intermediate.c), as those of others. */
static bool may_use_api(const uint8_t *image, size_t size)
{
    bool may = false;
    for (size_t i = 0; !may && i < sizeof api_names / sizeof *api_names; i++)
        may = holds(image, size, api_names[i]);
    return may;
}

static unsigned scan_intermediate(const uint8_t *image, size_t size, unsigned found)
{
    enum intermediate kind = intermediate_kind(image, size);
    found |= SCAN_INTERMEDIATE | (kind == INTERMEDIATE_GIMPLE ? SCAN_SLIM : 0);
    if (kind == INTERMEDIATE_GIMPLE_FAT && is_fat_ignored)
        found &= ~(unsigned)(SCAN_PROBES | SCAN_PROCESSED | SCAN_NOTES);
    if (intermediate_may_hold_probes(image, size))
        found |= SCAN_LTO;
    if (may_use_api(image, size))
        found |= SCAN_API;
    return found;
}

static unsigned scan_sections(struct look *look)
{
    const struct pieces *pieces = &look->pieces;
    Elf64_Shdr header;
    unsigned found = 0;
    bool has_mark = false;
    /* Compilers and linkers write the symbol table last. */
    for (uint64_t i = look->elf.count; i-- > 0 && elf_view_section(&look->elf, i, &header);)
        if (header.sh_type == SHT_SYMTAB) {
            found = scan_names(look, &header, &has_mark);
            break;
        }
    if (look->is_by_symbols && !has_mark)
        return found;
    bool has_notes, is_intermediate = has_intermediate(look, &has_notes);
    /* What was processed has notes of sites, and seldom others. */
    bool may_be_sited = has_notes && (found & SCAN_PROCESSED);
    look->wants_image = !pieces->image && (is_intermediate || may_be_sited);
    if (look->wants_image)
        return found;
    if (has_notes && (!may_be_sited || unprocessed_notes(pieces->image, pieces->size)))
        found |= SCAN_NOTES;
    return is_intermediate ? scan_intermediate(pieces->image, pieces->size, found) : found;
}

static bool read_pieces(void *pieces, uint64_t offset, void *to, size_t size)
{
    return pieces_read(pieces, offset, to, size);
}

static unsigned scan_elf(struct look *look, const Elf64_Ehdr *elf)
{
    bool is_object = memcmp(elf->e_ident, ELFMAG, SELFMAG) == 0 && elf->e_type == ET_REL;
    if (foreign_begins((const uint8_t *)elf, sizeof *elf) ||
        (is_object && !is_for_us(elf->e_machine)))
        return SCAN_FOREIGN;
    if (memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0 || elf->e_ident[EI_CLASS] != ELFCLASS64)
        return 0;
    if (elf->e_type == ET_DYN)
        return SCAN_SHARED;
    look->elf = (struct elf_view){
        .read = read_pieces, .from = &look->pieces, .size = look->pieces.size, .header = *elf};
    return elf->e_type == ET_REL && elf_view_start(&look->elf) ? scan_sections(look) : 0;
}

unsigned scan_object(const uint8_t *image, size_t size)
{
    struct look look = {.pieces = {.image = image, .size = size, .fd = -1}};
    Elf64_Ehdr elf;
    if (intermediate_is_bitcode(image, size))
        return SCAN_INTERMEDIATE | SCAN_BITCODE |
               (intermediate_may_hold_probes(image, size) ? SCAN_LTO : 0) |
               (may_use_api(image, size) ? SCAN_API : 0);
    return pieces_read(&look.pieces, 0, &elf, sizeof elf) ? scan_elf(&look, &elf) : 0;
}

/* ---- files ---- */

static int scan_as(const char *path, bool is_member, unsigned *found);

/* A member of a thin archive may be an archive, even the same one: but linkers take no thin one. */
static int scan_archive(const char *path, const uint8_t *image, size_t size, bool is_member,
                        unsigned *found)
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
            inside = scan_object(member.data, member.size);
        } else {
            char *file = archive_member_path(path, &member);
            error = scan_as(file, true, &inside);
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
           (holds(image, size, "INPUT") || holds(image, size, "GROUP") ||
            holds(image, size, "STARTUP"));
}

static int scan_image(const char *path, const uint8_t *image, size_t size, bool is_member,
                      unsigned *found)
{
    if (archive_is(image, size))
        return scan_archive(path, image, size, is_member, found);
    *found = scan_object(image, size);
    if (*found == 0 && is_script(image, size))
        *found = SCAN_SCRIPT;
    return 0;
}

static int scan_mapped(const char *path, int fd, size_t size, bool is_member, unsigned *found)
{
    void *image = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (image == MAP_FAILED)
        return errno;
    int error = scan_image(path, image, size, is_member, found);
    munmap(image, size);
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
    return scan_elf(look, &head.elf);
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
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    bool is = false;
    for (size_t i = 0; real && i < sizeof directories / sizeof *directories; i++)
        is |= !strncmp(real, directories[i], strlen(directories[i]));
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        is |= !strcmp(name, libraries[i]);
    free(real);
    return is;
}

/* Whether notes in PATH make it a file with probes. */
static bool notes_count(const char *path)
{
    return notes_wanted == NOTES_OF_ALL ||
           (notes_wanted == NOTES_OF_PROJECT && !scan_is_systems(path));
}

/* A file of SIZE bytes that is not small. */
static int scan_big(const char *path, int fd, size_t size, bool is_member, unsigned *found)
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
        return scan_mapped(path, fd, size, is_member, found);
    struct look look = {.pieces = {.fd = fd, .size = size, .file_size = size, .window = window},
                        .is_by_symbols = is_archive && !is_member && !notes_count(path)};
    if (is_archive)
        *found = SCAN_ARCHIVE | (look_at_members(&look) & ~(unsigned)(SCAN_SHARED | SCAN_FOREIGN));
    else
        *found = scan_elf(&look, &start.elf);
    bytes_free(&look.strings);
    bytes_free(&look.symbols);
    return look.wants_image ? scan_mapped(path, fd, size, is_member, found) : look.pieces.error;
}

/* lseek() says how big a file is at a third of fstat()'s price, and refuses pipes and terminals. */
static int scan_descriptor(const char *path, int fd, bool is_member, unsigned *found)
{
    uint8_t image[SMALL_FILE];
    off_t end = lseek(fd, 0, SEEK_END);
    if (end < 0)
        return errno == ESPIPE ? 0 : errno;
    size_t size = (size_t)end;
    if (size > SMALL_FILE)
        return scan_big(path, fd, size, is_member, found);
    int error = reading_all(fd, image, size, 0);
    return error ? error : scan_image(path, image, size, is_member, found);
}

/* What does not depend on the moment: the linker will not be able to read it either. */
static bool is_linkers_business(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EACCES || error == EPERM ||
           error == ELOOP || error == ENAMETOOLONG || error == EISDIR || error == ENXIO ||
           error == ENODEV;
}

static int scan_as(const char *path, bool is_member, unsigned *found)
{
    *found = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return is_linkers_business(errno) ? 0 : errno;
    int error = scan_descriptor(path, fd, is_member, found);
    close(fd);
    return error == EISDIR ? 0 : error; /* which open() does not mind */
}

static unsigned judge_notes(const char *path, unsigned found)
{
    return (found & SCAN_NOTES) && notes_count(path) ? found | SCAN_PROBES : found;
}

unsigned scan_member(const char *archive, const uint8_t *image, size_t size)
{
    return judge_notes(archive, scan_object(image, size));
}

int scan_file(const char *path, unsigned *found)
{
    const char *slash = strrchr(path, '/');
    int error = scan_as(path, false, found);
    *found = judge_notes(path, *found);
    /* The runtime defines what processed objects refer to. */
    if (!strncmp(slash ? slash + 1 : path, "libsdt.", 7)) {
        unsigned its_own = SCAN_PROBES | SCAN_PROCESSED | SCAN_API | SCAN_OWN_API;
        *found = (*found & ~its_own) | SCAN_RUNTIME;
    }
    return error;
}

int scan_needs_runtime(const char *path, bool *answer)
{
    struct stat status;
    int error = 0, fd = open(path, O_RDONLY | O_CLOEXEC);
    *answer = false;
    if (fd < 0)
        return is_linkers_business(errno) ? 0 : errno;
    if (fstat(fd, &status) != 0) {
        error = errno;
    } else if (status.st_size > 0) {
        size_t size = (size_t)status.st_size;
        void *image = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (image != MAP_FAILED) {
            *answer = holds(image, size, "libsdt.so");
            munmap(image, size);
        } else {
            error = errno;
        }
    }
    close(fd);
    return error;
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

bool scan_is_foreign(const char *path)
{
    union start start;
    return read_start(path, &start) == sizeof start && !memcmp(start.bytes, ELFMAG, SELFMAG) &&
           (start.elf.e_ident[EI_CLASS] != ELFCLASS64 || !is_for_us(start.elf.e_machine));
}
