/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Members of archives in lld's second link. It has to take the same ones as the first link: all
 * that bitcode needed there, since the bitcode is gone here, and none that is bitcode itself.
 */
#include "elf/add.h"
#include "elf/writer.h"
#include "lto.h"

#include "archive.h"
#include "base/diag.h"
#include "base/mapping.h"
#include "elf/intermediate.h"
#include "scan.h"
#include "temporary.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The archive that is mapped now: consecutive questions are about the same one. */
struct member_reader {
    char *path;
    struct mapping file; /* empty: it cannot be read */
};

static void reader_close(struct member_reader *reader)
{
    mapping_close(&reader->file);
    free(reader->path);
    *reader = (struct member_reader){.path = NULL};
}

static void reader_open(struct member_reader *reader, const char *path, size_t length)
{
    if (reader->path && strlen(reader->path) == length && !strncmp(reader->path, path, length))
        return;
    reader_close(reader);
    reader->path = memory_format("%.*s", (int)length, path);
    mapping_open(&reader->file, reader->path);
}

static bool is_bitcode_file(const char *path)
{
    uint8_t head[4];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    bool answer = read(fd, head, sizeof head) == (ssize_t)sizeof head &&
                  intermediate_is_bitcode(head, sizeof head);
    close(fd);
    return answer;
}

static bool is_bitcode_member(const struct member_reader *reader,
                              const struct archive_member *member)
{
    if (member->data)
        return intermediate_is_bitcode(member->data, member->size);
    char *path = archive_member_path(reader->path, member);
    bool answer = is_bitcode_file(path);
    free(path);
    return answer;
}

/* lld shows the last part of a member's name. */
static bool has_name(const struct archive_member *member, const char *name, size_t length)
{
    const char *slash = memrchr(member->name.text, '/', member->name.length);
    size_t skipped = slash ? (size_t)(slash + 1 - member->name.text) : 0;
    return member->name.length - skipped == length &&
           !memcmp(member->name.text + skipped, name, length);
}

/* Is NAME, "file" or "archive(member)", bitcode? */
static bool names_bitcode(struct member_reader *reader, const char *name)
{
    struct archive archive;
    struct archive_member member;
    const char *inner = strrchr(name, '(');
    if (!inner || access(name, F_OK) == 0)
        return is_bitcode_file(name);
    reader_open(reader, name, (size_t)(inner - name));
    if (!reader->file.data || !archive_is(reader->file.data, reader->file.size))
        return false;
    archive_open(&archive, reader->file.data, reader->file.size);
    while (archive_next(&archive, &member) == 1)
        if (member.kind == MEMBER_FILE && has_name(&member, inner + 1, strcspn(inner + 1, ")")) &&
            is_bitcode_member(reader, &member))
            return true;
    return false;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Lines of the file: who asked, the member that was taken, and the symbol, between tabs. */
void lto_read_extractions(const char *path, struct words *symbols)
{
    struct member_reader reader = {.path = NULL};
    char *text = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "re");
    while (file && getline(&text, &capacity, file) > 0) {
        char *rest = text, *reference = strsep(&rest, "\t"), *extracted = strsep(&rest, "\t");
        if (rest && names_bitcode(&reader, reference) && !names_bitcode(&reader, extracted))
            words_add(symbols, words_keep(memory_format("%.*s", (int)strcspn(rest, "\n"), rest)));
    }
    if (file)
        fclose(file);
    free(text);
    reader_close(&reader);
    if (symbols->count)
        qsort(symbols->list, symbols->count, sizeof *symbols->list, compare_names);
}

int lto_write_references(const char *path, const struct tool_arch *arch,
                         const struct words *symbols)
{
    struct object object;
    object_create(&object, path, arch);
    for (size_t i = 0; i < symbols->count; i++)
        if (i == 0 || strcmp(symbols->list[i], symbols->list[i - 1]) != 0)
            object_add_symbol(&object, symbols->list[i], STB_GLOBAL, STT_NOTYPE, STV_DEFAULT,
                              SHN_UNDEF, 0, 0);
    return writer_write_created(&object, path);
}

/* ---- --whole-archive ---- */

static bool has_whole_archives(const struct line *line)
{
    for (size_t i = 1; i < line->words.count; i++) {
        const char *word = line->words.list[i];
        if (word[0] == '-' && !strcmp(word + strspn(word, "-"), "whole-archive"))
            return true;
    }
    return false;
}

/* What archive_write() wants to know: EMPTY for bitcode, and every name in a thin archive. */
static void list_members(const struct member_reader *reader, char *empty, struct words *members)
{
    struct archive archive;
    struct archive_member member;
    archive_open(&archive, reader->file.data, reader->file.size);
    while (archive_next(&archive, &member) == 1) {
        if (member.kind != MEMBER_FILE)
            continue;
        char *path = archive.is_thin ? archive_member_path(reader->path, &member) : NULL;
        char *full = path ? words_keep(realpath(path, NULL)) : NULL;
        words_add(members, is_bitcode_member(reader, &member) ? empty : full);
        free(path);
    }
}

static int empty_members(struct line_input *input, char *empty)
{
    const char *path = input->replacement ? input->replacement : input->path;
    struct member_reader reader = {.path = NULL};
    struct words members = {0};
    char *output = temporary_path(input->path);
    int result = -1;
    reader_open(&reader, path, strlen(path));
    if (!reader.file.data)
        diag_errno("cannot open %s", path);
    else if (output) {
        list_members(&reader, empty, &members);
        result = archive_write(path, (const char *const *)members.list, output);
        input->replacement = output;
    }
    free(members.list);
    reader_close(&reader);
    return result;
}

int lto_empty_archives(struct line *line)
{
    struct words none = {0};
    char *empty = NULL;
    if (!has_whole_archives(line))
        return 0;
    for (size_t i = 0; i < line->input_count; i++) {
        struct line_input *input = &line->inputs[i];
        if (!(input->found & SCAN_BITCODE) || !(input->found & SCAN_ARCHIVE))
            continue;
        if (!empty && (!(empty = temporary_path("lto.empty")) ||
                       lto_write_references(empty, line->arch, &none)))
            return -1;
        if (empty_members(input, empty) != 0)
            return -1;
    }
    return 0;
}
