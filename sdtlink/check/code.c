/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The instruction at a probe's address, as the kernel's uprobes see it: whether the kernel accepts
 * a probe there, and what a hit costs. Which instructions are good is up to the machine
 * (machine.h).
 *
 * The bytes come from the file, like the kernel's copy; a debug file has none, and is not judged.
 */
#include "check.h"

#include "base/memory.h"
#include "list/elf_follow.h"

/* The bytes at the probe; false: there are none. */
static bool read_code(const struct check *check, const struct list_note *note, struct code *code)
{
    const struct list_elf *elf = check->elf;
    struct list_place place = note->place[NOTE_PC];
    if (!note->is_relocated[NOTE_PC]) {
        place.section = list_elf_section_at(elf, note->pc);
        place.offset = note->pc - elf->sections[place.section].header.sh_addr;
    }
    const struct list_section *section = &elf->sections[place.section];
    if (place.section == 0 || place.offset >= section->size)
        return false;
    uint64_t left = section->size - place.offset;
    code->bytes = section->data + place.offset;
    code->count = left < CODE_LONGEST ? (size_t)left : CODE_LONGEST;
    code->page_offset = check->is_object ? 0 : note->pc % CODE_PAGE;
    return true;
}

static char *hex(const uint8_t *bytes, size_t count)
{
    struct bytes text = {0};
    char one[4] = "";
    for (size_t i = 0; i < count; i++) {
        static const char digits[] = "0123456789abcdef";
        one[0] = digits[bytes[i] >> 4];
        one[1] = digits[bytes[i] & 15];
        one[2] = ' ';
        bytes_append(&text, one, i + 1 < count ? 3 : 2);
    }
    return bytes_take_text(&text);
}

void check_code(struct check *check, const struct list_note *note)
{
    struct code code = {0};
    size_t shown;
    if (!read_code(check, note, &code) || !check->machine || !check->machine->judge ||
        check->is_debug)
        return;
    const char *rule = check->machine->judge(&code, &shown);
    if (rule)
        finding_add(check, rule, SCOPE_SITE, note, hex(code.bytes, shown));
}
