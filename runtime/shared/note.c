/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See note.h. How many addresses there are: with two, the third word is the beginning of the
 * provider, and both names are not empty. With three, it is 0 or an address. As letters, an address
 * of 64 bits would end in two zeros, between which a name would be empty; so the two cannot be
 * confused. One of 32 bits could be four letters: then the reader must know that it leads somewhere
 * in the file.
 */
#include "note.h"

#include <string.h>

static uint64_t align4(uint64_t size)
{
    return (size + 3) & ~UINT64_C(3);
}

bool note_has_head(const struct note_walk *walk)
{
    return walk->notes && walk->size - walk->at >= sizeof(Elf64_Nhdr);
}

bool note_next_as(struct note_walk *walk, const Elf64_Nhdr *head, struct note *note)
{
    uint64_t owner = walk->at + sizeof *head;
    *note = (struct note){.at = walk->at,
                          .description = owner + align4(head->n_namesz),
                          .size = head->n_descsz,
                          .type = head->n_type};
    if (note->description > walk->size || note->size > walk->size - note->description)
        return false;
    note->owner = (struct slice){(const char *)walk->notes + owner, head->n_namesz};
    uint64_t next = note->description + align4(note->size);
    walk->at = next < walk->size ? next : walk->size;
    return true;
}

bool note_next(struct note_walk *walk, struct note *note)
{
    Elf64_Nhdr head;
    if (!note_has_head(walk))
        return false;
    memcpy(&head, walk->notes + walk->at, sizeof head);
    return note_next_as(walk, &head, note);
}

bool note_is_stapsdt(struct slice owner)
{
    static const char stapsdt[] = "stapsdt";
    return owner.length == sizeof stapsdt && memcmp(owner.text, stapsdt, sizeof stapsdt) == 0;
}

/* The string at *AT of TEXT, which ends before SIZE; *AT moves after it. */
static bool take_string(const uint8_t *text, size_t size, size_t *at, struct slice *string)
{
    const uint8_t *nul = *at < size ? memchr(text + *at, 0, size - *at) : NULL;
    if (!nul)
        return false;
    *string = (struct slice){(const char *)text + *at, (size_t)(nul - text) - *at};
    *at += string->length + 1;
    return true;
}

bool note_read_strings(const uint8_t *text, size_t size, size_t head, struct note_strings *strings)
{
    size_t at = head;
    if (!take_string(text, size, &at, &strings->provider) ||
        !take_string(text, size, &at, &strings->name) ||
        !take_string(text, size, &at, &strings->args))
        return false;
    strings->left = size - at;
    return true;
}

static bool is_name(struct slice string)
{
    for (size_t i = 0; i < string.length; i++)
        if ((uint8_t)string.text[i] <= ' ' || (uint8_t)string.text[i] >= 0x7f)
            return false;
    return string.length > 0;
}

size_t note_head_size(const uint8_t *text, size_t size, size_t word, bool has_third)
{
    struct note_strings strings;
    bool has_two = !has_third && note_read_strings(text, size, 2 * word, &strings) &&
                   strings.left == 0 && is_name(strings.provider) && is_name(strings.name);
    return (has_two ? 2 : 3) * word;
}
