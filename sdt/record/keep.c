/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See keep.h. A file is opened as soon as its name is known, since its process may end at any
 * moment; it is copied at the end of the recording, when nothing else has to be written in time. Of
 * a copy, only sections are there that reports read: the rest is a hole, so that all places remain
 * the same.
 */
#include "keep.h"

#include "base/memory.h"
#include "target/process_file.h"
#include "trace/metadata.h"
#include "trace/module_file.h"

#include <fcntl.h>
#include <limits.h>
#include <ring/storage.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME ".file-"

/* ---- Which are wanted. ---- */

/* What one reading of the metadata has found. */
struct looking {
    struct kept_files *files;
    int recording;
    pid_t pid;
    char **wanted; /* build IDs */
    size_t count;
};

static bool is_kept(const struct kept_files *files, const char *id)
{
    for (size_t i = 0; i < files->count; i++)
        if (!strcmp(files->list[i].id, id))
            return true;
    return false;
}

static bool is_wanted(const struct looking *looking, const char *id)
{
    for (size_t i = 0; i < looking->count; i++)
        if (!strcmp(looking->wanted[i], id))
            return true;
    return false;
}

/* The file with build ID, if it is not at PATH. */
static void want(struct looking *looking, const char *id, const char *path)
{
    struct elf_view file;
    bool is_file = path && (*path == '/' || !*path); /* none: the program, where /proc is missing */
    if (!id || !is_file || !*id || id[strspn(id, "0123456789abcdef")] ||
        is_kept(looking->files, id) || is_wanted(looking, id))
        return;
    bool is_here = elf_view_map(&file, path) && module_file_has_id(&file, id);
    elf_view_unmap(&file);
    if (is_here)
        return;
    looking->wanted = memory_resize(looking->wanted, looking->count + 1, sizeof *looking->wanted);
    looking->wanted[looking->count++] = memory_format("%s", id);
}

/* Whether LINE is a comment that begins with WORD; what follows is *REST, without its end. */
static bool begins(char *line, const char *word, char **rest)
{
    size_t length = strlen(word);
    char *end = strstr(line, " */");
    if (strncmp(line, word, length) != 0 || !end)
        return false;
    *end = '\0';
    *rest = line + length;
    return true;
}

static void read_line(struct looking *looking, char *line)
{
    char *rest;
    if (begins(line, "/* sdt-process ", &rest) && !looking->pid) {
        looking->pid = (pid_t)strtol(rest, NULL, 10);
    } else if (begins(line, "/* sdt-file ", &rest)) {
        const char *id = metadata_word(&rest);
        want(looking, id, metadata_word(&rest));
    } else if (begins(line, "/* sdt-module ", &rest)) {
        for (int i = 0; i < 3; i++) /* addresses */
            metadata_word(&rest);
        const char *id = metadata_word(&rest);
        want(looking, id, metadata_word(&rest));
    }
}

/* ---- Finding them. ---- */

static void keep(const struct looking *looking, const char *id, int fd)
{
    struct kept_files *files = looking->files;
    char name[PATH_MAX], here[64];
    files->list = memory_resize(files->list, files->count + 1, sizeof *files->list);
    files->list[files->count++] = (struct kept_file){memory_format("%s", id), fd};
    snprintf(name, sizeof name, NAME "%s", id);
    snprintf(here, sizeof here, "/proc/self/fd/%d", fd);
    if (files->are_linked && symlinkat(here, looking->recording, name) != 0)
        return; /* then there are no names */
}

/* The build ID of the file in FD that is wanted; NULL: it has none. */
static const char *wanted_id(const struct looking *looking, int fd)
{
    struct elf_view file;
    const char *id = NULL;
    bool is_elf = elf_view_map_fd(&file, fd);
    for (size_t i = 0; i < looking->count && is_elf && !id; i++)
        if (!is_kept(looking->files, looking->wanted[i]) &&
            module_file_has_id(&file, looking->wanted[i]))
            id = looking->wanted[i];
    elf_view_unmap(&file);
    return id;
}

/* Among all that the process has mapped: the names that it has for its files say nothing here. */
static void find(const struct looking *looking)
{
    struct process_maps maps;
    process_maps_read(&maps, looking->pid);
    for (size_t i = 0; i < maps.count; i++) {
        if (i && process_map_is_same_file(&maps.list[i], &maps.list[i - 1]))
            continue;
        int fd = process_file_open(&maps, &maps.list[i]);
        const char *id = fd < 0 ? NULL : wanted_id(looking, fd);
        if (id)
            keep(looking, id, fd);
        else if (fd >= 0)
            close(fd);
    }
    process_maps_free(&maps);
}

/* The bytes of FD from FROM on, up to the end of a line, with a NUL; NULL: there are none. */
static char *read_rest(int fd, size_t from, size_t *length)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= (off_t)from)
        return NULL;
    size_t size = (size_t)status.st_size - from;
    char *text = memory_zeroed(size + 1, 1);
    ssize_t n = pread(fd, text, size, (off_t)from);
    const char *end = n > 0 ? memrchr(text, '\n', (size_t)n) : NULL;
    *length = end ? (size_t)(end - text) + 1 : 0;
    text[*length] = '\0';
    return text;
}

void keep_look(struct kept_files *files, int recording, int trace, pid_t pid, size_t *looked)
{
    struct looking looking = {.files = files, .recording = recording, .pid = pid};
    size_t length = 0;
    int fd = openat(trace, "metadata", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    char *text = fd < 0 ? NULL : read_rest(fd, *looked, &length);
    if (fd >= 0)
        close(fd);
    char *line = text;
    for (char *end; line && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        read_line(&looking, line);
    }
    *looked += length;
    if (looking.count && looking.pid)
        find(&looking);
    for (size_t i = 0; i < looking.count; i++)
        free(looking.wanted[i]);
    free(looking.wanted);
    free(text);
}

/* ---- Writing them. ---- */

/* Whether reports read section NAME: symbols, and what sdtlink/dwarf reads. */
static bool is_read(const char *name)
{
    static const char *const sections[] = {
        ".symtab",     ".strtab",       ".dynsym",    ".dynstr",         ".shstrtab",
        ".debug_info", ".debug_abbrev", ".debug_str", ".debug_line_str", ".debug_str_offsets"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (name && !strcmp(name, sections[i]))
            return true;
    return false;
}

static bool put(int to, const struct elf_view *file, uint64_t offset, uint64_t size)
{
    const char *data = (const char *)file->image + offset;
    for (uint64_t done = 0; done < size;) {
        ssize_t n = pwrite(to, data + done, size - done, (off_t)(offset + done));
        if (n <= 0)
            return false;
        done += (uint64_t)n;
    }
    return true;
}

static bool put_all(int to, const struct elf_view *file)
{
    Elf64_Shdr header;
    uint64_t table = file->header.e_shoff, count = file->count, room = file->size - table;
    if (table > file->size || count > room / sizeof header || storage_limit(file->size) != 0 ||
        ftruncate(to, (off_t)file->size) != 0)
        return false;
    bool is_put =
        put(to, file, 0, sizeof file->header) && put(to, file, table, count * sizeof header);
    for (uint64_t i = 0; i < count && is_put && elf_view_section(file, i, &header); i++)
        if (elf_view_data(file, &header) &&
            (header.sh_type == SHT_NOTE || is_read(elf_view_name(file, &header))))
            is_put = put(to, file, header.sh_offset, header.sh_size);
    return is_put;
}

/* Renamed when it is complete. */
static void write_file(int recording, const struct kept_file *kept)
{
    static const char new[] = ".file";
    struct elf_view file;
    char name[PATH_MAX];
    snprintf(name, sizeof name, NAME "%s", kept->id);
    if (faccessat(recording, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        return;
    unlinkat(recording, new, 0);
    int to = openat(recording, new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    bool is_put = to >= 0 && elf_view_map_fd(&file, kept->fd) && put_all(to, &file);
    if (to >= 0) {
        elf_view_unmap(&file);
        close(to);
    }
    if (!is_put || renameat(recording, new, recording, name) != 0)
        unlinkat(recording, new, 0);
}

void keep_write(struct kept_files *files, int recording)
{
    for (size_t i = 0; i < files->count && !files->are_linked; i++)
        write_file(recording, &files->list[i]);
}

void keep_free(struct kept_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        close(files->list[i].fd);
        free(files->list[i].id);
    }
    free(files->list);
    *files = (struct kept_files){0};
}
