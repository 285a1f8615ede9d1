/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Changing a file in place so that it is valid at every moment, at a cost that does not grow with
 * its size.
 *
 *   1. The notes that stay are appended, after everything that the file has. Nothing refers to
 *      them yet.
 *   2. One write of a few section headers makes them the section's contents. Up to here the file
 *      is unchanged, and if anything fails it is truncated to its old length.
 *   3. If the section still has its temporary name, three letters of the name are changed.
 *
 * A copy and a rename would be as safe, but would read and write the whole file, which is mostly
 * debug information. Nothing that is loaded is written to, so the file may be in use (except as a
 * running program, which the kernel does not allow).
 */
#include "base/diag.h"
#include "base/elf_view.h"
#include "base/reading.h"
#include "passes.h"
#include "rewrite/notes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char last_name[] = ".note"; /* in the place of .line */

struct target {
    int fd;
    const char *path;
    struct elf_view view; /* of the file as it is */
    Elf64_Shdr *table;    /* all section headers, as they should be */
    uint32_t first, last; /* those that change */
    uint32_t notes;       /* the section that gets the notes */
    uint64_t name;        /* where its name is to be changed; 0: not at all */
};

static int write_at(const struct target *target, const void *data, size_t size, uint64_t offset)
{
    while (size > 0) {
        ssize_t written = pwrite(target->fd, data, size, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written == 0)
            errno = EIO;
        if (written <= 0)
            return diag_errno("cannot write %s", target->path);
        data = (const uint8_t *)data + written;
        size -= (size_t)written;
        offset += (size_t)written;
    }
    return 0;
}

static void extend(uint64_t *end, uint64_t offset, uint64_t size)
{
    if (offset + size > *end)
        *end = offset + size;
}

/* After a file's sections there may be something that is found by its distance from the end. */
static int check_end(const struct list_elf *elf, const Elf64_Ehdr *header)
{
    uint64_t end = sizeof *header;
    extend(&end, header->e_phoff, elf->segment_count * sizeof(Elf64_Phdr));
    extend(&end, header->e_shoff, elf->count * sizeof(Elf64_Shdr));
    for (uint32_t i = 1; i < elf->count; i++)
        if (elf->sections[i].data)
            extend(&end, elf->sections[i].header.sh_offset, elf->sections[i].size);
    for (size_t i = 0; i < elf->segment_count; i++)
        extend(&end, elf->segments[i].p_offset, elf->segments[i].p_filesz);
    if (end >= elf->size)
        return 0;
    return diag_error("%s: after its last section there are %" PRIu64
                      " bytes that another tool has "
                      "appended; finalize the file before that",
                      elf->path, elf->size - end);
}

static bool read_file(void *from, uint64_t offset, void *to, size_t size)
{
    const struct list_elf *elf = from;
    return reading_all(elf->fd, to, size, offset) == 0;
}

static int read_table(struct list_elf *elf, struct target *target)
{
    struct elf_view *view = &target->view;
    *view = (struct elf_view){.read = read_file, .from = elf, .size = elf->size};
    bool is_whole = read_file(elf, 0, &view->header, sizeof view->header) &&
                    view->header.e_shentsize == sizeof(Elf64_Shdr) && elf_view_start(view);
    target->table = memory_zeroed(elf->count, sizeof(Elf64_Shdr));
    for (uint32_t i = 0; is_whole && i < elf->count; i++)
        is_whole = elf_view_section(view, i, &target->table[i]);
    if (!is_whole)
        return diag_error("%s: its section headers cannot be read", elf->path);
    target->first = elf->count;
    return 0;
}

static Elf64_Shdr *change(struct target *target, uint32_t section)
{
    if (section < target->first)
        target->first = section;
    if (section > target->last)
        target->last = section;
    return &target->table[section];
}

static void empty(struct target *target, uint32_t section)
{
    Elf64_Shdr *header = change(target, section);
    header->sh_size = 0;
    if (header->sh_type == SHT_NOTE)
        header->sh_type = SHT_PROGBITS; /* readelf warns of a note section without notes */
}

/* What --emit-relocs has left for a section of notes is about other bytes from now on. */
static void empty_relocations(const struct list_elf *elf, struct target *target, uint32_t section)
{
    for (uint32_t i = 1; section && i < elf->count; i++)
        if (target->table[i].sh_type == SHT_RELA && target->table[i].sh_info == section &&
            !(target->table[i].sh_flags & SHF_ALLOC))
            empty(target, i);
}

/* Both sections become one: .note.stapsdt, if it is there. */
static void plan_headers(const struct list_elf *elf, const struct finalized_notes *notes,
                         uint64_t offset, struct target *target)
{
    target->notes = notes->named ? notes->named : notes->late;
    if (notes->kept.size) {
        Elf64_Shdr *header = change(target, target->notes);
        header->sh_size = notes->kept.size;
        header->sh_offset = offset;
    } else {
        empty(target, target->notes);
    }
    if (notes->late && notes->late != target->notes)
        empty(target, notes->late);
    empty_relocations(elf, target, notes->named);
    empty_relocations(elf, target, notes->late);
}

/* Where its name stands, the first letters of which are not part of another section's name. */
static int find_name(const struct list_elf *elf, struct target *target)
{
    uint32_t at = target->table[target->notes].sh_name;
    if (target->view.names >= elf->count)
        return diag_error("%s: its section headers cannot be read", elf->path);
    target->name = target->table[target->view.names].sh_offset + at;
    for (uint32_t i = 1; i < elf->count; i++) {
        uint32_t other = target->table[i].sh_name;
        if (i != target->notes && other >= at && other - at < sizeof last_name - 1)
            return diag_error("%s: another section shares its name with %s", elf->path,
                              NOTES_LATE_SECTION);
    }
    return 0;
}

static int write_changes(const struct list_elf *elf, const struct finalized_notes *notes,
                         uint64_t offset, const struct target *target)
{
    size_t first = target->first * sizeof(Elf64_Shdr);
    size_t size = (target->last - target->first + 1) * sizeof(Elf64_Shdr);
    if (write_at(target, notes->kept.data, notes->kept.size, offset) != 0 ||
        write_at(target, &target->table[target->first], size,
                 target->view.header.e_shoff + first) != 0) {
        if (ftruncate(target->fd, (off_t)elf->size) != 0)
            diag_errno("cannot truncate %s", elf->path);
        return -1;
    }
    return target->name ? write_at(target, last_name, sizeof last_name - 1, target->name) : 0;
}

int finalize_write(struct list_elf *elf, const struct finalized_notes *notes, bool is_dry_run)
{
    struct target target = {.fd = -1, .path = elf->path};
    uint64_t offset = (elf->size + 3) & ~UINT64_C(3);
    int result = read_table(elf, &target);
    if (result == 0)
        result = check_end(elf, &target.view.header);
    if (result == 0) {
        plan_headers(elf, notes, offset, &target);
        if (target.notes == notes->late && notes->kept.size)
            result = find_name(elf, &target);
    }
    if (result == 0 && !is_dry_run) {
        signal(SIGXFSZ, SIG_IGN); /* beyond RLIMIT_FSIZE a write then fails */
        target.fd = open(elf->path, O_WRONLY | O_CLOEXEC);
        if (target.fd < 0)
            result = diag_errno("cannot write %s", elf->path);
    }
    if (result == 0 && !is_dry_run)
        result = write_changes(elf, notes, offset, &target);
    if (target.fd >= 0 && close(target.fd) != 0 && result == 0)
        result = diag_errno("cannot write %s", elf->path);
    free(target.table);
    return result;
}
