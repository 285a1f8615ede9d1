/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing an archive with other contents.
 *
 * A linker pulls a member out of an archive because the symbol table says that it defines something
 * that is missing. For a link to take the same members as before, the table has to say the same:
 * so it is not made anew from the processed members, which also define symbols of ours, but copied,
 * and only the offsets in it are changed. An archive without a table gets none.
 */
#include "archive.h"
#include "base/diag.h"
#include "base/mapping.h"
#include "base/output.h"

#include <ar.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A member: where it was, and where and how big it will be. */
struct item {
    struct archive_member member;
    size_t header; /* in the output */
    size_t size;   /* of the contents there, with a stored name */
    size_t name;   /* of a thin archive's file: in the new table of names */
    const char *replacement;
};

struct copy {
    const char *path;
    struct archive archive;
    struct item *items;
    size_t count, capacity;
    struct bytes names; /* thin: the new table of long names */
    size_t names_at;    /* thin: the item before which it is written */
    struct output output;
    size_t at;
};

static int damaged(const struct copy *copy)
{
    return diag_error("%s: the archive is damaged; create it again: ar rcs", copy->path);
}

static struct item *add_item(struct copy *copy)
{
    copy->items = memory_with_room(copy->items, copy->count, &copy->capacity, sizeof *copy->items);
    struct item *item = &copy->items[copy->count++];
    *item = (struct item){.replacement = NULL};
    return item;
}

/* How big the contents of a file member will be. */
static int measure(const struct copy *copy, struct item *item)
{
    struct stat status;
    if (item->replacement && stat(item->replacement, &status) != 0)
        return diag_errno("%s: cannot read %s", copy->path, item->replacement);
    item->size =
        item->member.stored + (item->replacement ? (size_t)status.st_size : item->member.size);
    return 0;
}

/* All members, and the new names of a thin archive. */
static int read_members(struct copy *copy, const char *const *members)
{
    struct archive_member member;
    int result;
    while ((result = archive_next(&copy->archive, &member)) == 1) {
        if (copy->archive.is_thin && member.kind == MEMBER_NAMES)
            continue;
        struct item *item = add_item(copy);
        item->member = member;
        item->size = member.size + member.stored;
        if (member.kind != MEMBER_FILE) {
            copy->names_at = copy->count;
            continue;
        }
        item->replacement = *members++;
        if (measure(copy, item) != 0)
            return -1;
        if (copy->archive.is_thin) {
            item->name = bytes_append(&copy->names, item->replacement, strlen(item->replacement));
            bytes_append(&copy->names, "/\n", 2);
        }
    }
    return result == 0 ? 0 : damaged(copy);
}

static size_t even(size_t size)
{
    return size + (size & 1);
}

static bool has_contents(const struct copy *copy, const struct item *item)
{
    return !copy->archive.is_thin || item->member.kind != MEMBER_FILE;
}

static void place_members(struct copy *copy)
{
    size_t at = SARMAG;
    for (size_t i = 0; i < copy->count; i++) {
        if (copy->archive.is_thin && i == copy->names_at)
            at += sizeof(struct ar_hdr) + even(copy->names.size);
        copy->items[i].header = at;
        at += sizeof(struct ar_hdr);
        if (has_contents(copy, &copy->items[i]))
            at += even(copy->items[i].size);
    }
}

static int put(struct copy *copy, const void *data, size_t size)
{
    if (output_put(&copy->output, data, size, copy->at) != 0)
        return -1;
    copy->at += size;
    return 0;
}

static int pad(struct copy *copy)
{
    return copy->at & 1 ? put(copy, "\n", 1) : 0;
}

/* TEXT, blanks after it, into a field of a header. */
static void set_field(char *field, size_t width, const char *text)
{
    size_t length = strlen(text);
    memset(field, ' ', width);
    memcpy(field, text, length < width ? length : width);
}

static void set_size(struct ar_hdr *header, size_t size)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", size);
    set_field(header->ar_size, sizeof header->ar_size, text);
}

static int put_header(struct copy *copy, const struct item *item)
{
    struct ar_hdr header;
    memcpy(&header, copy->archive.image + item->member.header, sizeof header);
    set_size(&header, item->size);
    if (copy->archive.is_thin && item->member.kind == MEMBER_FILE) {
        char name[32];
        snprintf(name, sizeof name, "/%zu", item->name);
        set_field(header.ar_name, sizeof header.ar_name, name);
    }
    return put(copy, &header, sizeof header);
}

static int put_names(struct copy *copy)
{
    struct ar_hdr header;
    memset(&header, ' ', sizeof header);
    set_field(header.ar_name, sizeof header.ar_name, "//");
    set_size(&header, copy->names.size);
    memcpy(header.ar_fmag, ARFMAG, sizeof header.ar_fmag);
    if (put(copy, &header, sizeof header) != 0 ||
        put(copy, copy->names.data, copy->names.size) != 0)
        return -1;
    return pad(copy);
}

static int compare_headers(const void *a, const void *b)
{
    const struct item *one = a, *other = b;
    return (one->member.header > other->member.header) -
           (one->member.header < other->member.header);
}

/* Where the member is now that began at OLD; 0: none did. */
static size_t translate(const struct copy *copy, uint64_t old)
{
    struct item key = {.member.header = old};
    const struct item *item = bsearch(&key, copy->items, copy->count, sizeof key, compare_headers);
    return item ? item->header : 0;
}

/* A number of WIDTH bytes in a symbol table, replaced by the place of the member that it gave. */
static int translate_at(const struct copy *copy, uint8_t *field, enum archive_kind kind)
{
    uint32_t word;
    uint64_t old;
    memcpy(&word, field, sizeof word);
    old = kind == MEMBER_SYMDEF ? le32toh(word) : be32toh(word);
    if (kind == MEMBER_SYMBOLS64) {
        memcpy(&old, field, sizeof old);
        old = be64toh(old);
    }
    uint64_t new = translate(copy, old);
    if (new == 0)
        return damaged(copy);
    if (kind != MEMBER_SYMBOLS64 && new > UINT32_MAX)
        return diag_error("%s: with processed members the archive is too big for its symbol table; "
                          "split it in two",
                          copy->path);
    uint64_t wide = htobe64(new);
    word = kind == MEMBER_SYMDEF ? htole32((uint32_t) new) : htobe32((uint32_t) new);
    if (kind == MEMBER_SYMBOLS64)
        memcpy(field, &wide, sizeof wide);
    else
        memcpy(field, &word, sizeof word);
    return 0;
}

/* GNU: the number of offsets, the offsets, names. BSD: the bytes of pairs, pairs (name, offset). */
static int put_symbols(struct copy *copy, const struct archive_member *member)
{
    enum archive_kind kind = member->kind;
    size_t width = kind == MEMBER_SYMBOLS64 ? 8 : 4, step = kind == MEMBER_SYMDEF ? 8 : width;
    size_t size = member->size, first = width + (kind == MEMBER_SYMDEF ? 4 : 0);
    uint64_t count = 0;
    uint8_t *table = memory_zeroed(size, 1);
    int result = 0;
    memcpy(table, member->data, size);
    for (size_t i = 0; i < width && i < size; i++)
        count =
            kind == MEMBER_SYMDEF ? count | (uint64_t)table[i] << (8 * i) : count << 8 | table[i];
    if (kind == MEMBER_SYMDEF)
        count /= 8;
    if (size < width || count > (size - width) / step)
        result = damaged(copy);
    for (uint64_t i = 0; result == 0 && i < count; i++)
        result = translate_at(copy, table + first + i * step, kind);
    if (result == 0)
        result = put(copy, member->data - member->stored, member->stored);
    if (result == 0)
        result = put(copy, table, size);
    free(table);
    return result;
}

/* The bytes of a replacement, of which there must be as many as measured. */
static int put_file(struct copy *copy, const char *path, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), result;
    if (fd < 0)
        return diag_errno("cannot open %s", path);
    result = output_copy(&copy->output, fd, (struct byte_range){0, size}, copy->at);
    copy->at += size;
    close(fd);
    return result;
}

static int put_contents(struct copy *copy, const struct item *item)
{
    const struct archive_member *member = &item->member;
    int result;
    if (!has_contents(copy, item))
        return 0;
    if (member->kind != MEMBER_FILE && member->kind != MEMBER_NAMES)
        result = put_symbols(copy, member);
    else
        result = put(copy, member->data - member->stored,
                     member->stored + (item->replacement ? 0 : member->size));
    if (result == 0 && item->replacement)
        result = put_file(copy, item->replacement, item->size - member->stored);
    return result == 0 ? pad(copy) : -1;
}

static int write_members(struct copy *copy)
{
    if (put(copy, copy->archive.image, SARMAG) != 0)
        return -1;
    for (size_t i = 0; i < copy->count; i++) {
        if (copy->archive.is_thin && i == copy->names_at && put_names(copy) != 0)
            return -1;
        if (put_header(copy, &copy->items[i]) != 0 || put_contents(copy, &copy->items[i]) != 0)
            return -1;
    }
    return output_finish(&copy->output, copy->at);
}

static int write_mapped(struct copy *copy, const char *const *members, const char *output)
{
    int result = -1;
    if (read_members(copy, members) == 0 && output_open(&copy->output, output, 0) == 0) {
        place_members(copy);
        if (write_members(copy) == 0)
            result = output_commit(&copy->output);
        output_abandon(&copy->output);
    }
    bytes_free(&copy->names);
    free(copy->items);
    return result;
}

int archive_write(const char *path, const char *const *members, const char *output)
{
    struct copy copy = {.path = path, .output = {.fd = -1}};
    struct mapping file;
    if (!mapping_open(&file, path))
        return diag_errno("cannot open %s", path);
    archive_open(&copy.archive, file.data, file.size);
    int result = write_mapped(&copy, members, output);
    mapping_close(&file);
    return result;
}
