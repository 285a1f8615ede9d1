/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See described.h. The tools report errors of the file; here it is either correct or not used.
 */
#include "described.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As much of the file as a description may have, and a byte. Returns the length, or -1. */
static ssize_t read_file(const char *path, char *text, size_t room)
{
    size_t length = 0;
    ssize_t got = 1;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    while (fd >= 0 && got != 0 && length < room) {
        got = read(fd, text + length, room - length);
        if (got < 0 && errno != EINTR)
            break;
        length += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0)
        close(fd);
    return fd < 0 || got < 0 ? -1 : (ssize_t)length;
}

int described_load(const char *path, struct description **description)
{
    struct describe_error error;
    char *text = malloc(DESCRIBE_MAX_BYTES + 1);
    if (!text)
        return -ENOMEM;
    ssize_t length = read_file(path, text, DESCRIBE_MAX_BYTES + 1);
    *description = length < 0 ? NULL : describe_parse(text, (size_t)length, &error);
    free(text);
    return *description ? 0 : -EBADMSG;
}

/* CTF has one name space for the fields, and for the lengths of blocks of bytes. */
static bool has_name(const struct event_class *class, unsigned count, const struct field *field)
{
    static const char length[] = "_length";
    size_t suffix = sizeof length - 1;
    if (field->name_length > suffix && field->name[0] == '_' &&
        !memcmp(field->name + field->name_length - suffix, length, suffix))
        return true;
    for (unsigned i = 0; i < count; i++)
        if (class->fields[i].name_length == field->name_length &&
            !memcmp(class->fields[i].name, field->name, field->name_length))
            return true;
    return false;
}

static bool has_distinct_names(const struct event_class *class)
{
    for (unsigned i = 0; i < class->count; i++)
        if (has_name(class, i, &class->fields[i]))
            return false;
    return true;
}

static void take_names(const struct describe_probe *probe, struct event_class *class)
{
    const struct event_class before = *class;
    for (unsigned i = 0; i < probe->count && i < class->count; i++)
        if (probe->fields[i].name) {
            class->fields[i].name = probe->fields[i].name;
            class->fields[i].name_length = (uint8_t)strlen(probe->fields[i].name);
        }
    if (!has_distinct_names(class)) /* an unnamed argument, beside one called arg1 */
        *class = before;
}

void described_apply(const struct description *description, struct event_class *class)
{
    const struct describe_probe *probe = describe_find(description, class->provider, class->name);
    uint8_t kinds[SDT_MAX_ARGS], sizes[SDT_MAX_ARGS];
    if (!probe)
        return;
    take_names(probe, class);
    for (unsigned i = 0; i < class->count; i++) {
        kinds[i] = class->fields[i].kind;
        sizes[i] = class->fields[i].size;
    }
    unsigned fitting = describe_fitting(probe, kinds, sizes, class->count);
    for (unsigned i = 0; i < probe->count && i < class->count; i++) {
        const struct describe_field *field = &probe->fields[i];
        if (!(fitting >> i & 1))
            continue;
        class->described[i] = field;
        if (field->kind) {
            class->fields[i].kind = field->kind;
            class->fields[i].size = field->size;
        }
    }
}
