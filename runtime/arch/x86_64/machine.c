/* SPDX-License-Identifier: BSD-2-Clause */
/* See ../machine.h. What sites look like is in forms.c, which the tool also links. */
#include <arch/machine.h>
#include <machine/layout.h>

#include "forms.h"

#include <string.h>

_Static_assert(SITE_THUNK == SDT_THUNK_SIZE, "machine/site.h");

enum { CALL = 0xe8, JMP = 0xe9, JMP_SHORT = 0xeb, OPERAND_SIZE_PREFIX = 0x66, DS_PREFIX = 0x3e };
enum { TEST_EAX = 0xa9 };

/* ---- Sites. ---- */

const struct sdt_form *machine_form(unsigned kind)
{
    return sdt_x86_64_form(kind);
}

enum sdt_state machine_state(unsigned kind, const uint8_t *site)
{
    return sdt_x86_64_state(kind, site);
}

void machine_encode_off(unsigned kind, uint8_t *site)
{
    sdt_x86_64_encode_off(kind, SDT_X86_64_MM, site);
}

/* Byte 1 of a call site begins a NOP of four bytes; a tail site's is the one that is patched, or,
 * in a freestanding set, follows the opcode. */
site_word machine_off_word(const struct sdt_form *form)
{
    if (form->trap == form->patch)
        return form->off;
    return form->trap ? OPERAND_SIZE_PREFIX : JMP_SHORT;
}

unsigned machine_note_kind(uintptr_t address, const uint8_t *code, size_t size)
{
    return sdt_x86_64_note_kind(address, code, size);
}

/* ---- Code that leads to a probe. ---- */

/* mov (%rsp),%r11; sub $5,%r11; lea PROBE(%rip),%r10 */
bool machine_is_stub(const uint8_t *stub, uintptr_t probe)
{
    static const uint8_t start[] = {0x4c, 0x8b, 0x1c, 0x24, 0x49, 0x83,
                                    0xeb, 0x05, 0x4c, 0x8d, 0x15};
    return memcmp(stub, start, sizeof start) == 0 &&
           machine_kept_target(stub + sizeof start) == probe;
}

/* lea PATCH(%rip),%r11; jmp STUB + SDT_STUB_AT */
bool machine_is_loader(const uint8_t *loader, uintptr_t patch, uintptr_t stub)
{
    static const uint8_t lea[] = {0x4c, 0x8d, 0x1d};
    return memcmp(loader, lea, sizeof lea) == 0 && machine_kept_target(loader + 3) == patch &&
           loader[7] == JMP && machine_kept_target(loader + 8) == stub + SDT_STUB_AT;
}

bool machine_is_entry(const uint8_t *code, const struct sdt_entry *entry)
{
    return sdt_x86_64_is_entry((uintptr_t)code, code, entry);
}

/* The distance to TARGET at byte FIELD of CODE, which counts from BASE bytes after it. */
static void put_distance(uint8_t *code, uintptr_t address, size_t field, size_t base,
                         uintptr_t target)
{
    int32_t value = (int32_t)(intptr_t)(target - (address + field + base));
    memcpy(code + field, &value, sizeof value);
}

void machine_make_entry(uint8_t *code, uintptr_t address, const struct sdt_entry *entry)
{
    memcpy(code, sdt_x86_64_entry_code, SDT_ENTRY_SIZE);
    put_distance(code, address, SDT_ENTRY_ENTER, 4, entry_from(entry));
    put_distance(code, address, SDT_ENTRY_JUMP, 4, entry->pc + machine_form(entry->kind)->length);
    put_distance(code, address, SDT_ENTRY_RECORD, 0, entry->record);
    put_distance(code, address, SDT_ENTRY_PROBE, 0, entry->probe);
}

uintptr_t machine_kept_target(const uint8_t *field)
{
    return sdt_x86_64_target((uintptr_t)field, field);
}

bool machine_is_branch(const uint8_t *pc)
{
    return pc[0] == CALL || pc[0] == JMP;
}

uintptr_t machine_branch_target(const uint8_t *pc)
{
    return machine_kept_target(pc + 1);
}

/* ---- Thunk windows. ---- */

const uint8_t *machine_mms(size_t *n)
{
    *n = SDT_X86_64_MM_COUNT;
    return sdt_x86_64_mms;
}

int64_t machine_thunk_distance(uint8_t mm)
{
    return sdt_x86_64_thunk_distance(mm);
}

void machine_encode_thunk(uint64_t address, uint64_t target, uint8_t thunk[SITE_THUNK])
{
    sdt_x86_64_encode_jump(address, target, thunk);
}

bool machine_can_reach(uint64_t field, uint64_t target)
{
    return sdt_x86_64_can_reach(field, target);
}

/* ---- Breakpoints. ---- */

static uint8_t load(const uint8_t *byte)
{
    return __atomic_load_n(byte, __ATOMIC_RELAXED);
}

bool machine_is_disarmed(uintptr_t address)
{
    const uint8_t *byte = (const uint8_t *)address;
    uint8_t now = load(byte);
    return now == SITE_RETURN || now == SITE_NOP || now == TEST_EAX ||
           ((now == OPERAND_SIZE_PREFIX || now == DS_PREFIX) && load(byte - 1) == SITE_NOP);
}

uintptr_t machine_retry(uintptr_t address)
{
    return address;
}

/* Whether BYTE is padding between functions: the first one of a NOP, or an int3. */
static bool is_padding(const uint8_t *byte)
{
    enum { FUNCTION_ALIGNMENT = 16 };
    static const uint8_t nops[] = {0x66, 0x90, 0x0f, 0x2e, 0xcc};
    return (uintptr_t)byte % FUNCTION_ALIGNMENT != 0 && memchr(nops, *byte, sizeof nops);
}

uintptr_t machine_empty_return(uintptr_t place)
{
    static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    if (memcmp((const void *)place, endbr64, sizeof endbr64) == 0)
        place += sizeof endbr64;
    const uint8_t *code = (const uint8_t *)place;
    return code[0] == SITE_RETURN && is_padding(&code[1]) ? place : 0;
}
