/* SPDX-License-Identifier: BSD-2-Clause */
/* See build_id.h. Notes are aligned to 4 bytes, also where the section says 8 (gABI). */
#include "build_id.h"

#include <elf.h>
#include <string.h>

static size_t padded(uint32_t length)
{
    return ((size_t)length + 3) & ~(size_t)3;
}

size_t build_id_find(const uint8_t *notes, size_t size, const uint8_t **id)
{
    Elf64_Nhdr note;
    while (size >= sizeof note) {
        memcpy(&note, notes, sizeof note);
        size_t name = padded(note.n_namesz), content = padded(note.n_descsz);
        notes += sizeof note;
        size -= sizeof note;
        if (name > size || content > size - name)
            return 0;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(notes, "GNU", 4)) {
            *id = notes + name;
            return note.n_descsz;
        }
        notes += name + content;
        size -= name + content;
    }
    return 0;
}

void build_id_digits(const uint8_t *id, size_t length, char *text, size_t room)
{
    static const char digits[] = "0123456789abcdef";
    if (2 * length >= room)
        length = 0;
    for (size_t i = 0; i < length; i++) {
        text[2 * i] = digits[id[i] >> 4];
        text[2 * i + 1] = digits[id[i] & 15];
    }
    text[2 * length] = '\0';
}

void build_id_text(const uint8_t *notes, size_t size, char *text, size_t room)
{
    const uint8_t *id = NULL;
    size_t length = build_id_find(notes, size, &id);
    build_id_digits(id, length, text, room);
}
