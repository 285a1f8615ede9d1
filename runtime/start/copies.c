/* SPDX-License-Identifier: BSD-2-Clause */
/* See copies.h. */
#define _GNU_SOURCE
#include "copies.h"

#include "process/loaded.h"
#include "process/peek.h"

#include <link.h>
#include <stddef.h>
#include <string.h>

struct walk {
    copy_visitor *visit;
    void *data;
    const struct dl_phdr_info *object; /* whose notes are being read */
};

/* What every version agrees on. */
struct any_copy {
    uint32_t version;
    uint32_t size;
    const struct copy *leader;
};

struct note {
    uint32_t name_size, descriptor_size, type;
    char name[8];
    uint32_t version;
    int32_t distance; /* from here to the copy */
};

/* What looks like our note at ADDRESS: visit its copy, if there is one. */
static void visit_note(const struct note *note, uintptr_t address, const struct walk *walk)
{
    static const struct note ours = {8, 8, COPY_NOTE_TYPE, "sdtlink", 0, 0};
    struct any_copy copy = {0, 0, NULL};
    if (memcmp(note, &ours, offsetof(struct note, version)) != 0)
        return;
    uintptr_t place =
        address + offsetof(struct note, distance) + (uintptr_t)(intptr_t)note->distance;
    if (place % _Alignof(struct copy) == 0 &&
        loaded_segment(walk->object, place, sizeof copy, PF_R | PF_W) &&
        peek_mapped(&copy, place, sizeof copy) && copy.version == note->version &&
        copy.size >= sizeof copy)
        walk->visit((struct copy *)place, walk->data);
}

/*
 * Look for our note at every word instead of stepping from note to note: mold puts notes of 4- and
 * 8-byte alignment into one segment, where the distance between them cannot be determined. No more
 * than a page is read at once, so that one that is missing hides no other.
 */
static void walk_notes(uintptr_t notes, size_t size, const struct walk *walk)
{
    enum { PAGE = 4096 };
    struct note note;
    char bytes[sizeof note + PAGE];
    size_t kept = 0;
    while (size) {
        size_t n = PAGE - notes % PAGE;
        n = n < size ? n : size;
        if (!peek_mapped(bytes + kept, notes, n))
            return;
        size_t at = 0, end = kept + n;
        for (; at + sizeof note <= end; at += 4) {
            memcpy(&note, bytes + at, sizeof note);
            visit_note(&note, notes - kept + at, walk);
        }
        kept = end - at;
        memmove(bytes, bytes + at, kept);
        notes += n;
        size -= n;
    }
}

static int walk_object(struct dl_phdr_info *object, size_t size, void *data)
{
    struct walk walk = *(const struct walk *)data;
    walk.object = object;
    (void)size;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t notes = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_NOTE)
            continue;
        const ElfW(Phdr) *in = loaded_segment(object, notes, 1, PF_R);
        size_t mapped = in ? object->dlpi_addr + in->p_vaddr + in->p_memsz - notes : 0;
        walk_notes(notes, mapped < segment->p_memsz ? mapped : segment->p_memsz, &walk);
    }
    return 0;
}

void copies_visit(copy_visitor *visit, void *data)
{
    struct walk walk = {visit, data, NULL};
    loaded_visit(walk_object, &walk);
}

static void find_other_version(struct copy *copy, void *data)
{
    if (copy->version != COPY_VERSION)
        *(bool *)data = true;
}

bool copies_have_other_version(void)
{
    bool has = false;
    copies_visit(find_other_version, &has);
    return has;
}
