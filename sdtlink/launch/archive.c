/* SPDX-License-Identifier: BSD-2-Clause */
#include "archive.h"

#include <ar.h>
#include <string.h>

static const char thin_magic[] = "!<thin>\n";

bool archive_is_thin(const uint8_t *image, size_t size)
{
    return size >= SARMAG && !memcmp(image, thin_magic, SARMAG);
}

bool archive_is(const uint8_t *image, size_t size)
{
    return size >= SARMAG && (!memcmp(image, ARMAG, SARMAG) || archive_is_thin(image, size));
}

void archive_open(struct archive *archive, const uint8_t *image, size_t size)
{
    *archive = (struct archive){
        .image = image, .size = size, .next = SARMAG, .is_thin = archive_is_thin(image, size)};
}

/* A decimal number at the start of a field of WIDTH bytes, blanks after it. */
static bool read_number(const char *field, size_t width, size_t *number)
{
    size_t i = 0;
    for (*number = 0; i < width && field[i] >= '0' && field[i] <= '9'; i++)
        *number = *number * 10 + (size_t)(field[i] - '0');
    return i > 0;
}

/* The entry of the long names' table at OFFSET: it ends in "/\n", or in "\n". */
static struct slice long_name(const struct archive *archive, size_t offset)
{
    if (offset >= archive->names.length)
        return (struct slice){0};
    const char *start = archive->names.text + offset;
    size_t room = archive->names.length - offset;
    const char *end = memchr(start, '\n', room);
    size_t length = end ? (size_t)(end - start) : room;
    if (length > 0 && start[length - 1] == '/')
        length--;
    return (struct slice){start, length};
}

static struct slice short_name(const char *field, size_t width)
{
    const char *slash = memrchr(field, '/', width);
    if (slash && slash > field)
        return (struct slice){field, (size_t)(slash - field)};
    while (width > 0 && field[width - 1] == ' ')
        width--;
    return (struct slice){field, width};
}

/* BSD's "#1/LENGTH": the name is the first LENGTH bytes of the contents. */
static bool is_name_stored(const char *field, size_t *length)
{
    enum { WIDTH = sizeof((struct ar_hdr *)0)->ar_name };
    return !strncmp(field, "#1/", 3) && read_number(field + 3, WIDTH - 3, length);
}

/* Filled up with NULs. */
static int take_stored_name(struct archive_member *member, size_t length)
{
    if (length > member->size)
        return -1;
    member->name = (struct slice){(const char *)member->data, length};
    while (member->name.length > 0 && !member->name.text[member->name.length - 1])
        member->name.length--;
    member->stored = length;
    member->data += length;
    member->size -= length;
    return 0;
}

static enum archive_kind special_kind(struct slice name)
{
    static const struct {
        const char *name;
        enum archive_kind kind;
    } special[] = {{"/", MEMBER_SYMBOLS},
                   {"//", MEMBER_NAMES},
                   {"/SYM64/", MEMBER_SYMBOLS64},
                   {"__.SYMDEF", MEMBER_SYMDEF},
                   {"__.SYMDEF SORTED", MEMBER_SYMDEF}};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (slice_is(name, special[i].name))
            return special[i].kind;
    return MEMBER_FILE;
}

/* What stands in the field for the name, without the blanks after it. */
static struct slice field_name(const char *field)
{
    size_t width = sizeof((struct ar_hdr *)0)->ar_name;
    while (width > 0 && field[width - 1] == ' ')
        width--;
    return (struct slice){field, width};
}

static int read_name(const struct archive *archive, const char *field,
                     struct archive_member *member)
{
    enum { WIDTH = sizeof((struct ar_hdr *)0)->ar_name };
    size_t number;
    member->name = field_name(field);
    member->kind = special_kind(member->name);
    if (member->kind != MEMBER_FILE)
        return 0;
    if (field[0] == '/' && read_number(field + 1, WIDTH - 1, &number)) {
        member->name = long_name(archive, number);
        member->is_nested = archive->is_thin && memchr(field, ':', WIDTH) != NULL;
        return member->name.length ? 0 : -1;
    }
    if (!archive->is_thin && is_name_stored(field, &number)) {
        if (take_stored_name(member, number) != 0)
            return -1;
        member->kind = special_kind(member->name);
        return 0;
    }
    member->name = short_name(field, WIDTH);
    return 0;
}

bool archive_measure(const struct ar_hdr *header, struct archive_extent *extent)
{
    *extent = (struct archive_extent){.is_file =
                                          special_kind(field_name(header->ar_name)) == MEMBER_FILE};
    if (!is_name_stored(header->ar_name, &extent->stored))
        extent->stored = 0;
    return memcmp(header->ar_fmag, ARFMAG, 2) == 0 &&
           read_number(header->ar_size, sizeof header->ar_size, &extent->size);
}

int archive_next(struct archive *archive, struct archive_member *member)
{
    struct ar_hdr header;
    struct archive_extent extent;
    size_t at = archive->next;
    if (at >= archive->size)
        return 0;
    if (archive->size - at < sizeof header)
        return -1;
    memcpy(&header, archive->image + at, sizeof header);
    *member = (struct archive_member){.header = at, .data = archive->image + at + sizeof header};
    if (!archive_measure(&header, &extent))
        return -1;
    size_t room = archive->size - at - sizeof header, size = extent.size;
    member->size = size;
    const char *name = (const char *)archive->image + at;
    if (size > room && !archive->is_thin)
        return -1;
    if (read_name(archive, name, member) != 0)
        return -1;
    if (archive->is_thin && member->kind == MEMBER_FILE) {
        member->data = NULL;
        size = 0;
    } else if (size > room) {
        return -1;
    }
    if (member->kind == MEMBER_NAMES)
        archive->names = (struct slice){(const char *)member->data, member->size};
    archive->next = at + sizeof header + size + (size & 1);
    return 1;
}

char *archive_member_path(const char *path, const struct archive_member *member)
{
    const char *slash = strrchr(path, '/');
    int length = slash && member->name.text[0] != '/' ? (int)(slash - path) + 1 : 0;
    return memory_format("%.*s%.*s", length, path, (int)member->name.length, member->name.text);
}
