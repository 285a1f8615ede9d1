/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See preload.h. A program that has a copy of the runtime needs none, and one that is linked
 * statically loads none. Otherwise libsdt.so does no harm if it is not needed: of several copies,
 * one does the work (runtime/start/rendezvous.c).
 *
 * The library is searched relative to this program, where the build and the installation put it.
 */
#include "preload.h"

#include "base/elf_view.h"
#include "base/memory.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <machine/elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* PATH from the directory that this program is in; NULL: there is nothing. */
static char *seen_from_here(const char *path)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return NULL;
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    char *whole = memory_format("%s/%s", self, path), *real = realpath(whole, NULL);
    free(whole);
    return real;
}

char *preload_beside(const char *installed, const char *built)
{
    char *found = seen_from_here(installed);
    return found ? found : seen_from_here(built);
}

/* NAME in the directory of libraries of an installation, or BUILT, in the build. */
static char *find_library(const char *name, const char *built)
{
    static const char *const places[] = {"../lib", "../lib64", ("../lib/" MACHINE_LIBRARIES), ".."};
    char *found = NULL;
    for (size_t i = 0; !found && i < sizeof places / sizeof places[0]; i++) {
        char *path = memory_format("%s/%s", places[i], name);
        found = seen_from_here(path);
        free(path);
    }
    return found ? found : seen_from_here(built);
}

/* Open PROGRAM, looked for in PATH. */
static int open_program(const char *program)
{
    const char *at = getenv("PATH");
    if (strchr(program, '/') || !at)
        return open(program, O_RDONLY | O_CLOEXEC);
    for (int fd; *at; at += *at == ':') {
        size_t length = strcspn(at, ":");
        char *path = memory_format("%.*s/%s", (int)length, at, program);
        fd = access(path, X_OK) == 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        free(path);
        if (fd >= 0)
            return fd;
        at += length;
    }
    return -1;
}

/* Whether the notes of SEGMENT have the one that each copy of the runtime carries. */
static bool has_note(int fd, const Elf64_Phdr *segment)
{
    static const char note[] = "\x08\0\0\0\x08\0\0\0\x01\0\0\0sdtlink";
    char bytes[4096];
    ssize_t n = pread(fd, bytes, sizeof bytes, (off_t)segment->p_offset);
    if (n > 0 && (size_t)n > segment->p_filesz)
        n = (ssize_t)segment->p_filesz;
    return n > 0 && memmem(bytes, (size_t)n, note, sizeof note);
}

/* What the file in FD is, as far as it matters here. */
struct program {
    bool is_elf, is_of_machine, is_dynamic, has_copy;
};

static struct program look_at(int fd)
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    struct program program = {false, false, false, false};
    if (pread(fd, &header, sizeof header, 0) != sizeof header ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return program;
    program.is_elf = true;
    program.is_of_machine =
        header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == MACHINE_ELF;
    for (unsigned i = 0; program.is_of_machine && i < header.e_phnum; i++) {
        off_t place = (off_t)(header.e_phoff + i * sizeof segment);
        program.is_of_machine = pread(fd, &segment, sizeof segment, place) == sizeof segment;
        program.is_dynamic = program.is_dynamic || segment.p_type == PT_INTERP;
        program.has_copy =
            program.has_copy || (segment.p_type == PT_NOTE && has_note(fd, &segment));
    }
    return program;
}

bool preload_has_copy(int fd)
{
    struct program program = look_at(fd);
    return program.is_of_machine && program.has_copy;
}

/* Whether the program in FD could use the library. What is no such file (a script) could: it may
 * run one. */
static bool can_use(int fd)
{
    struct program program = look_at(fd);
    return !program.is_elf || (program.is_of_machine && program.is_dynamic && !program.has_copy);
}

/*
 * AddressSanitizer's own library ends a program in which another one stands before it, which may
 * have functions of the C library that it wants to be asked first. Ours asks it: its functions call
 * what comes next. The sanitizer is told so by an option that it has for this. Programs that are
 * started by this one need it as well.
 */
static void tell_sanitizer(void)
{
    static const char option[] = "verify_asan_link_order=0";
    const char *others = getenv("ASAN_OPTIONS");
    bool has_others = others && *others;
    if (has_others && strstr(others, "verify_asan_link_order"))
        return;
    char *all = memory_format("%s%s%s", has_others ? others : "", has_others ? ":" : "", option);
    setenv("ASAN_OPTIONS", all, 1);
    free(all);
}

static bool has_section(const struct elf_view *file, const char *wanted)
{
    Elf64_Shdr header;
    for (uint64_t i = 0; i < file->count && elf_view_section(file, i, &header); i++) {
        const char *name = elf_view_name(file, &header);
        if (name && !strcmp(name, wanted))
            return true;
    }
    return false;
}

/* Whether the file FD has notes for tracers, and sdtlink has not made them, which leaves its table
 * of sites beside them: that program brings the library, or does without. */
static bool is_stock(int fd)
{
    struct elf_view file;
    bool is_elf = elf_view_map_fd(&file, fd);
    bool is_stock =
        is_elf && has_section(&file, ".note.stapsdt") && !has_section(&file, "sdt_sites");
    elf_view_unmap(&file);
    return is_stock;
}

void preload_for_notes(const char *program)
{
    int fd = open_program(program);
    if (fd >= 0 && is_stock(fd))
        preload_set(program);
    if (fd >= 0)
        close(fd);
}

void preload_set(const char *program)
{
    int fd = open_program(program);
    bool is_useful = fd >= 0 && can_use(fd);
    char *library = is_useful ? find_library("libsdt.so.0", "../runtime/libsdt.so.0") : NULL;
    if (fd >= 0)
        close(fd);
    if (!library)
        return;
    const char *others = getenv("LD_PRELOAD");
    char *all =
        others && *others ? memory_format("%s:%s", others, library) : memory_format("%s", library);
    setenv("LD_PRELOAD", all, 1);
    free(all);
    tell_sanitizer();
    setenv("SDT_STOCK", "1", 0); /* stock binaries, unless the user does not want it */
    free(library);
}
