/* SPDX-License-Identifier: BSD-2-Clause */
/* Build IDs among notes that are right, cut off and wrong. */
#include "check.h"

#include <elf.h>
#include <shared/build_id.h>
#include <string.h>

static uint8_t notes[512];
static size_t size;

static void put(const void *data, size_t length)
{
    memcpy(notes + size, data, length);
    size += length;
}

/* A note whose NAME has its NUL, padded to 4 bytes. */
static void add(const char *name, uint32_t type, const void *data, uint32_t length)
{
    Elf64_Nhdr note = {.n_namesz = (uint32_t)strlen(name) + 1, .n_descsz = length, .n_type = type};
    put(&note, sizeof note);
    put(name, note.n_namesz);
    size = (size + 3) & ~(size_t)3;
    put(data, length);
    size = (size + 3) & ~(size_t)3;
}

static const char *text(size_t length, size_t room)
{
    static char result[200];
    uint8_t copy[512]; /* so that a sanitizer sees what is read after it */
    memset(result, 'x', sizeof result);
    memcpy(copy, notes, sizeof copy);
    build_id_text(copy, length, result, room);
    return result;
}

int main(void)
{
    const uint8_t *id;
    CHECK(strcmp(text(0, 41), "") == 0);
    add("Linux", 7, "abcde", 5); /* both lengths need padding */
    add("Go", NT_GNU_BUILD_ID, "other", 5);
    add("GNX", NT_GNU_BUILD_ID, "other", 5);
    add("GNU", NT_GNU_ABI_TAG, "other", 5);
    CHECK(build_id_find(notes, size, &id) == 0);
    size_t before = size;
    add("GNU", NT_GNU_BUILD_ID, "\x01\x2f\xf0\xff\x9a\xa9", 6);
    CHECK(build_id_find(notes, size, &id) == 6 && id == notes + before + 16);
    CHECK(strcmp(text(size, 41), "012ff0ff9aa9") == 0);
    CHECK(strcmp(text(size, 13), "012ff0ff9aa9") == 0);
    CHECK(strcmp(text(size, 12), "") == 0); /* no room: none rather than a part */
    for (size_t cut = before; cut < size; cut++)
        CHECK(strcmp(text(cut, 41), "") == 0);
    size_t end = size;
    add("GNU", NT_GNU_BUILD_ID, "zz", 2);
    CHECK(strcmp(text(size, 41), "012ff0ff9aa9") == 0); /* the first */
    for (size_t field = 0; field < 2; field++) {        /* lengths that wrap when they are padded */
        uint32_t huge = 0xffffffff, kept;
        memcpy(&kept, notes + before + 4 * field, 4);
        memcpy(notes + before + 4 * field, &huge, 4);
        CHECK(strcmp(text(end, 41), "") == 0);
        memcpy(notes + before + 4 * field, &kept, 4);
    }
    return check_failures != 0;
}
