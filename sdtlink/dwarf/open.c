/* SPDX-License-Identifier: BSD-2-Clause */
/* See dwarf.h: the files. */
#include "dwarf.h"

#include "base/debug_file.h"
#include "base/memory.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <shared/build_id.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void close_file(struct dwarf_file *file)
{
    dwarf_end(file->information);
    elf_end(file->elf);
    if (file->fd >= 0)
        close(file->fd);
    *file = (struct dwarf_file){.fd = -1};
}

/* The sections of an object are not complete without their relocations. */
static bool is_linked(Elf *elf)
{
    GElf_Ehdr header;
    return gelf_getehdr(elf, &header) && (header.e_type == ET_EXEC || header.e_type == ET_DYN);
}

static void open_file(struct dwarf_file *file, const char *path)
{
    elf_version(EV_CURRENT);
    *file = (struct dwarf_file){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    file->elf = file->fd >= 0 ? elf_begin(file->fd, ELF_C_READ_MMAP, NULL) : NULL;
    if (!file->elf)
        close_file(file);
}

static void open_information(struct dwarf_file *file)
{
    file->information = file->elf ? dwarf_begin_elf(file->elf, DWARF_C_READ, NULL) : NULL;
    if (file->information)
        dwarf_new_oom_handler(file->information, memory_is_exhausted);
}

/* Of the file with this build ID, as distributions install it. */
static void open_debug_file(struct dwarf_file *file, const char *build_id)
{
    char *path = debug_file_path(build_id);
    if (path) {
        open_file(file, path);
        open_information(file);
    }
    free(path);
}

/* LENGTH is libdw's: 0 or less, if there is none. */
static void write_build_id(char text[41], const void *build_id, ssize_t length)
{
    build_id_digits(build_id, length > 0 ? (size_t)length : 0, text, 41);
}

static bool has_units(Dwarf *information)
{
    Dwarf_CU *unit = NULL;
    return information && dwarf_get_units(information, NULL, &unit, NULL, NULL, NULL, NULL) == 0;
}

/* What INFORMATION shares with other files. False: that is not there. */
static bool open_shared(struct dwarf *dwarf)
{
    const char *name;
    const void *build_id = NULL;
    char text[41];
    ssize_t length = dwelf_dwarf_gnu_debugaltlink(dwarf->information, &name, &build_id);
    if (length <= 0)
        return true;
    write_build_id(text, build_id, length);
    open_debug_file(&dwarf->shared, text);
    dwarf_setalt(dwarf->information, dwarf->shared.information);
    return dwarf->shared.information != NULL;
}

void dwarf_open(struct dwarf *dwarf, const char *path)
{
    const void *build_id = NULL;
    *dwarf = (struct dwarf){.separate.fd = -1, .shared.fd = -1};
    open_file(&dwarf->file, path);
    if (!dwarf->file.elf || !is_linked(dwarf->file.elf))
        return;
    open_information(&dwarf->file);
    ssize_t length = dwelf_elf_gnu_build_id(dwarf->file.elf, &build_id);
    write_build_id(dwarf->build_id, build_id, length);
    dwarf->information = dwarf->file.information;
    if (!has_units(dwarf->information) && *dwarf->build_id) {
        open_debug_file(&dwarf->separate, dwarf->build_id);
        dwarf->information = dwarf->separate.information;
    }
    if (dwarf->information && !open_shared(dwarf))
        dwarf->information = NULL;
}

void dwarf_open_object(struct dwarf *dwarf, const char *path)
{
    static const Dwfl_Callbacks callbacks = {.section_address = dwfl_offline_section_address};
    Dwarf_Addr bias;
    *dwarf = (struct dwarf){.file.fd = -1, .separate.fd = -1, .shared.fd = -1};
    dwarf->objects = dwfl_begin(&callbacks);
    if (!dwarf->objects)
        return;
    Dwfl_Module *module = dwfl_report_offline(dwarf->objects, path, path, -1);
    if (dwfl_report_end(dwarf->objects, NULL, NULL) == 0 && module)
        dwarf->information = dwfl_module_getdwarf(module, &bias);
}

/* An entry has some ten bytes, which compression makes a third of. */
uint64_t dwarf_most_entries(const struct dwarf *dwarf)
{
    const int files[] = {dwarf->file.fd, dwarf->separate.fd, dwarf->shared.fd};
    uint64_t bytes = 0;
    struct stat status;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        bytes += fstat(files[i], &status) == 0 ? (uint64_t)status.st_size : 0;
    return 4 * bytes;
}

const char *dwarf_problem(const struct dwarf *dwarf)
{
    int error = dwarf_errno();
    return error ? dwarf_errmsg(error) : dwarf->information ? NULL : "it cannot be opened";
}

void dwarf_close(struct dwarf *dwarf)
{
    close_file(&dwarf->file);
    close_file(&dwarf->separate);
    close_file(&dwarf->shared);
    dwfl_end(dwarf->objects);
    dwarf->objects = NULL;
    dwarf->information = NULL;
}
