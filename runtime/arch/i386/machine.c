/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See ../machine.h. Sites are x86-64's call sites, byte for byte (../x86_64/forms.c); stubs and
 * loaders are this machine's, since its code has no addresses relative to the program counter.
 */
#include <arch/machine.h>
#include <machine/layout.h>
#include <machine/registers.h>

#include <string.h>

_Static_assert(SITE_THUNK == SDT_THUNK_SIZE, "machine/site.h");

enum { CALL = 0xe8, JMP = 0xe9, OPERAND_SIZE_PREFIX = 0x66, DS_PREFIX = 0x3e };

/* ---- Sites. ---- */

/* No kind that has an entry, nor those of freestanding sets, which lead to a runtime of their own.
 */
const struct sdt_form *machine_form(unsigned kind)
{
    return kind_has_entry(kind) || kind >= SDT_KIND_DIRECT_CALL ? NULL : sdt_x86_64_form(kind);
}

enum sdt_state machine_state(unsigned kind, const uint8_t *site)
{
    return sdt_x86_64_state(kind, site);
}

void machine_encode_off(unsigned kind, uint8_t *site)
{
    sdt_x86_64_encode_off(kind, SDT_X86_64_MM, site);
}

/* Byte 1 of a call site begins a NOP of four bytes; a tail site's is the one that is patched. */
site_word machine_off_word(const struct sdt_form *form)
{
    return form->trap == form->patch ? form->off : OPERAND_SIZE_PREFIX;
}

/* What would be armed for it has an entry. */
unsigned machine_note_kind(uintptr_t address, const uint8_t *code, size_t size)
{
    (void)address;
    (void)code;
    (void)size;
    return 0;
}

/* ---- Code that leads to a probe. ---- */

/* LABEL plus the distance at FIELD. */
static uintptr_t away(const uint8_t *label, const uint8_t *field)
{
    uint32_t distance;
    memcpy(&distance, field, sizeof distance);
    return (uintptr_t)label + distance;
}

/* mov (%esp),%eax; sub $5,%eax; nop; call 1f; 1: pop %ecx; add $PROBE - 1b,%ecx */
bool machine_is_stub(const uint8_t *stub, uintptr_t probe)
{
    static const uint8_t start[] = {0x8b, 0x04, 0x24, 0x83, 0xe8, 0x05, 0x66, 0x90,
                                    CALL, 0,    0,    0,    0,    0x59, 0x81, 0xc1};
    enum { LABEL = 13 };
    return memcmp(stub, start, sizeof start) == 0 &&
           away(stub + LABEL, stub + sizeof start) == probe;
}

/* call 1f; 1: pop %eax; add $PATCH - 1b,%eax; jmp STUB + SDT_STUB_AT */
bool machine_is_loader(const uint8_t *loader, uintptr_t patch, uintptr_t stub)
{
    static const uint8_t start[] = {CALL, 0, 0, 0, 0, 0x58, 0x05};
    enum { LABEL = 5, JUMP = 11 };
    return memcmp(loader, start, sizeof start) == 0 &&
           away(loader + LABEL, loader + sizeof start) == patch && loader[JUMP] == JMP &&
           machine_branch_target(loader + JUMP) == stub + SDT_STUB_AT;
}

bool machine_is_entry(const uint8_t *code, const struct sdt_entry *entry)
{
    (void)code;
    (void)entry;
    return false;
}

void machine_make_entry(uint8_t *code, uintptr_t address, const struct sdt_entry *entry)
{
    (void)address;
    (void)entry;
    memset(code, 0xcc, SDT_ENTRY_SIZE); /* never asked for */
}

uintptr_t machine_kept_target(const uint8_t *field)
{
    return (uintptr_t)sdt_x86_64_target((uintptr_t)field, field);
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

/* Addresses have 32 bits: a displacement reaches all of them. */
bool machine_can_reach(uint64_t field, uint64_t target)
{
    (void)field;
    (void)target;
    return true;
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
    return now == SITE_RETURN || now == SITE_NOP ||
           ((now == OPERAND_SIZE_PREFIX || now == DS_PREFIX) && load(byte - 1) == SITE_NOP);
}

uintptr_t machine_retry(uintptr_t address)
{
    return address;
}

/* Who asks watches the loader for stock binaries. */
uintptr_t machine_empty_return(uintptr_t place)
{
    (void)place;
    return 0;
}

/* ---- What sites with entries would need. ---- */

uint64_t vector_low(unsigned number)
{
    (void)number;
    return 0;
}
