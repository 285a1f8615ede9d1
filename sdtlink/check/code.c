/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The instruction at a probe's address, as the kernel's uprobes see it.
 *
 * A 1-byte nop is emulated everywhere. What else is there decides whether the kernel takes the
 * probe at all, what a hit costs, and, since Linux 6.18, whether it rewrites the instruction: a NOP
 * of five bytes becomes a call, which pushes its return address where a leaf function may keep
 * data.
 */
#include "check.h"

#include "../memory.h"

#include <inttypes.h>
#include <string.h>

enum { LONGEST = 15, PAGE = 4096 };

/* The bytes at the probe; returns how many there are. */
static size_t bytes_at(const struct check *check, const struct list_note *note,
                       const uint8_t **bytes, uint64_t *page_offset)
{
    const struct list_elf *elf = check->elf;
    struct list_place place = note->place[NOTE_PC];
    if (!note->is_relocated[NOTE_PC]) {
        place.section = list_elf_section_at(elf, note->pc);
        place.offset = note->pc - elf->sections[place.section].header.sh_addr;
    }
    const struct list_section *section = &elf->sections[place.section];
    *page_offset = check->is_object ? 0 : note->pc % PAGE;
    if (place.section == 0 || place.offset >= section->size)
        return 0;
    *bytes = section->data + place.offset;
    uint64_t left = section->size - place.offset;
    return left < LONGEST ? (size_t)left : LONGEST;
}

static bool is_legacy_prefix(uint8_t byte)
{
    return byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 || byte == 0x64 ||
           byte == 0x65;
}

/* Prefixes that the kernel refuses in front of any instruction: es, cs, ss, ds, lock. */
static bool is_refused_prefix(uint8_t byte)
{
    return byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0xf0;
}

/* One-byte opcodes that it refuses: traps, I/O, interrupts, far branches, and what is invalid in 64
 * bits. Each was tried on Linux 6.18. */
static bool is_refused_opcode(uint8_t byte, bool is_64)
{
    static const uint8_t always[] = {0x6c, 0x6d, 0x6e, 0x6f, 0xcc, 0xcd, 0xcf, 0xe4, 0xe5, 0xe6,
                                     0xe7, 0xec, 0xed, 0xee, 0xef, 0xf1, 0xf4, 0xfa, 0xfb};
    static const uint8_t in_64[] = {0x06, 0x07, 0x0e, 0x9a, 0xce, 0xd6, 0xea};
    return memchr(always, byte, sizeof always) || (is_64 && memchr(in_64, byte, sizeof in_64));
}

/* The length of the NOP at BYTES, of which COUNT exist; 0: it is none. `66`* then 90, or 0f 1f with
 * its operand. A NOP with a refused prefix does not come here. */
static size_t nop_length(const uint8_t *bytes, size_t count)
{
    size_t at = 0;
    while (at < count && (bytes[at] == 0x66 || bytes[at] == 0x67))
        at++;
    if (at < count && bytes[at] == 0x90)
        return at + 1;
    if (at + 3 > count || bytes[at] != 0x0f || bytes[at + 1] != 0x1f)
        return 0;
    uint8_t modrm = bytes[at + 2], mode = modrm >> 6, base = modrm & 7;
    size_t length = at + 3;
    if (mode == 3)
        return length;
    if (base == 4) {
        if (length == count)
            return 0;
        base = bytes[length++] & 7;
    }
    if (mode == 1)
        length += 1;
    else if (mode == 2 || base == 5)
        length += 4;
    return length <= count ? length : 0;
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
    bytes_append(&text, "", 1);
    return (char *)text.data;
}

static void add(struct check *check, const char *id, const struct list_note *note,
                const uint8_t *bytes, size_t count)
{
    finding_add(check, id, SCOPE_SITE, note, hex(bytes, count));
}

/* Like all NOPs of five bytes, it is rewritten unless it crosses a page. */
static bool is_rewritten(const struct check *check, size_t length, uint64_t page_offset)
{
    return strcmp(check->machine, "x86-64") == 0 && length == 5 && PAGE - page_offset >= 5;
}

static void check_x86(struct check *check, const struct list_note *note, const uint8_t *bytes,
                      size_t count, uint64_t page_offset)
{
    static const uint8_t combo[] = {0x90, 0x0f, 0x1f, 0x44, 0x00, 0x00};
    bool is_64 = strcmp(check->machine, "x86-64") == 0;
    size_t opcode = 0, length = nop_length(bytes, count), shown = count < 6 ? count : 6;
    bool is_refused = false;
    for (; opcode < count; opcode++) {
        is_refused = is_refused || is_refused_prefix(bytes[opcode]);
        if (!is_legacy_prefix(bytes[opcode]) && !is_refused_prefix(bytes[opcode]))
            break;
    }
    if (is_refused || (opcode < count && is_refused_opcode(bytes[opcode], is_64)))
        add(check, "pc-unprobeable", note, bytes, shown);
    else if (length == 0)
        add(check, "pc-not-nop", note, bytes, shown);
    else if (length >= 9)
        add(check, "pc-nop-long", note, bytes, length);
    else if (is_rewritten(check, length, page_offset))
        add(check, "pc-nop5", note, bytes, length);
    else if (length > 1)
        add(check, "pc-nop-multibyte", note, bytes, length);
    else if (is_64 && count >= sizeof combo && memcmp(bytes, combo, sizeof combo) == 0 &&
             is_rewritten(check, 5, (page_offset + 1) % PAGE))
        add(check, "pc-nop-nop5", note, bytes, sizeof combo);
}

void check_code(struct check *check, const struct list_note *note)
{
    const uint8_t *bytes;
    uint64_t page_offset;
    size_t count = bytes_at(check, note, &bytes, &page_offset);
    if (count == 0 || !check->machine || check->is_debug)
        return;
    if (strcmp(check->machine, "x86-64") == 0 || strcmp(check->machine, "i386") == 0)
        check_x86(check, note, bytes, count, page_offset);
    else if (strcmp(check->machine, "aarch64") == 0 && count >= 4 &&
             memcmp(bytes, "\x1f\x20\x03\xd5", 4) != 0) /* instructions are little-endian always */
        add(check, "pc-not-nop", note, bytes, 4);
}
