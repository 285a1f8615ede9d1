/* SPDX-License-Identifier: BSD-2-Clause */
/* See ../machine.h. What sites look like is in forms.c, which the tool also links. */
#include <arch/machine.h>
#include <arch/operand.h>
#include <machine/layout.h>
#include <machine/registers.h>

#include <string.h>

/* What assembly of this machine knows beside <arch/layout.h>; the plan of a site (argument.h) keeps
 * the place of a register in a byte. */
_Static_assert(SITE_ENTRY_RETURN + ENTRY_PROBE == SDT_ENTRY_PROBE, "<machine/layout.h>");
_Static_assert(SDT_RISCV64_NOTE_ENTRY_AFTER + NOTE_PROBE == SDT_ENTRY_PROBE, "<machine/layout.h>");
_Static_assert(sizeof(struct registers) <= REGISTERS_SIZE && REGISTERS_SIZE % 16 == 0,
               "<machine/layout.h>");
_Static_assert(REGISTERS_GENERAL + 31 * sizeof(uint64_t) <= UINT8_MAX, "argument.h, place");

const struct operand_syntax *const operand_syntax = &sdt_riscv64_operands;

/* ---- Sites. ---- */

const struct sdt_form *machine_form(unsigned kind)
{
    return sdt_riscv64_form(kind);
}

enum sdt_state machine_state(unsigned kind, const uint8_t *site)
{
    return sdt_riscv64_state(kind, site);
}

void machine_encode_off(unsigned kind, uint8_t *site)
{
    sdt_riscv64_encode_off(kind, site);
}

site_word machine_off_word(const struct sdt_form *form)
{
    return site_off(form); /* breakpoint and branch are the same word */
}

/* ---- Code that leads to a probe. ---- */

bool machine_is_stub(const uint8_t *stub, uintptr_t probe)
{
    return sdt_riscv64_is_stub(stub) && sdt_riscv64_stub_probe((uintptr_t)stub, stub) == probe;
}

bool machine_is_loader(const uint8_t *loader, uintptr_t patch, uintptr_t stub)
{
    return sdt_riscv64_is_loader((uintptr_t)loader, loader, patch, stub);
}

bool machine_is_entry(const uint8_t *code, const struct sdt_entry *entry)
{
    return sdt_riscv64_is_entry((uintptr_t)code, code, entry);
}

void machine_make_entry(uint8_t *code, uintptr_t address, const struct sdt_entry *entry)
{
    sdt_riscv64_make_entry(code, address, entry);
}

/* A foreign breakpoint may cover the first instruction, and so a part of the distance. */
uintptr_t machine_kept_target(const uint8_t *field)
{
    if (sdt_riscv64_is_breakpoint(sdt_riscv64_parcel(field), sdt_riscv64_parcel(field + 2)))
        return 0;
    return sdt_riscv64_target((uintptr_t)field, field);
}

/* A companion's calls are the same as compiled and armed. */
bool machine_is_branch(const uint8_t *pc)
{
    return sdt_riscv64_state(SDT_KIND_CALL, pc) == SDT_STATE_ON;
}

uintptr_t machine_branch_target(const uint8_t *pc)
{
    return sdt_riscv64_target((uintptr_t)pc, pc);
}

uintptr_t machine_companion_branch(const uint8_t *place)
{
    return sdt_riscv64_companion_branch((uintptr_t)place, place);
}

size_t machine_reaim(const uint8_t *place, uintptr_t target, unsigned step,
                     struct machine_edit edits[SITE_REAIM_MOST])
{
    uint8_t at[SITE_REAIM_MOST];
    uint16_t values[SITE_REAIM_MOST];
    unsigned n = sdt_riscv64_reaim((uintptr_t)place, place, target, step, at, values);
    for (unsigned i = 0; i < n; i++)
        edits[i] = (struct machine_edit){at[i], sdt_riscv64_parcel(place + at[i]), values[i]};
    return n;
}

bool machine_can_reach(uint64_t field, uint64_t target)
{
    return sdt_riscv64_can_reach(field, target);
}

/* ---- Breakpoints. ---- */

bool machine_is_disarmed(uintptr_t address)
{
    const site_word *word = (const site_word *)address;
    if (address % sizeof *word != 0)
        return false;
    site_word now = __atomic_load_n(word, __ATOMIC_RELAXED);
    return now == SDT_RISCV64_ADDI_RA || now == SDT_RISCV64_ADDI_T1 || now == SDT_RISCV64_RETURN ||
           now == SDT_RISCV64_NOP2;
}

uintptr_t machine_retry(uintptr_t address)
{
    return address;
}

/* ---- Foreign calls. ---- */

/* How long the instruction is that begins with PARCEL; 2 also for what is longer than any that is
 * standard. */
static size_t instruction_length(uint16_t parcel)
{
    return (parcel & 3) == 3 && (parcel & 0x1c) != 0x1c ? 4 : 2;
}

/* The distance in WORD, a jal: bits 20, 10 to 1, 11 and 19 to 12. */
static int64_t jump_distance(uint32_t word)
{
    uint32_t distance = (word >> 31 & 1) << 20 | (word >> 21 & 0x3ff) << 1 |
                        (word >> 20 & 1) << 11 | (word & 0xff000);
    return (int64_t)((uint64_t)distance << 43) >> 43;
}

/*
 * Only `jal` is looked for, which linkers make of every call in reach; in a dynamic linker all are.
 *
 * Instructions begin at every other parcel, or not. So they are followed from BEGIN on. Where data
 * lies between them, the next ones might be misread: then what looks like a call is in the middle
 * of one, and if there is any such, nothing has been found.
 */
size_t machine_find_calls(uintptr_t place, uintptr_t begin, uintptr_t end, uintptr_t *calls,
                          size_t max)
{
    size_t n = 0;
    uintptr_t next = begin;
    for (uintptr_t at = begin; at + SITE_CALL <= end; at += sizeof(site_word)) {
        const uint8_t *pc = (const uint8_t *)at;
        bool is_instruction = at == next;
        if (is_instruction)
            next += instruction_length(sdt_riscv64_parcel(pc));
        uint32_t word = sdt_riscv64_word(pc);
        if ((word & 0x7f) != 0x6f /* jal */ || at + (uint64_t)jump_distance(word) != place)
            continue;
        if (!is_instruction || (word >> 7 & 31) != 1) /* the return address does not go to ra */
            return 0;
        if (n < max)
            calls[n] = at;
        n++;
    }
    return n;
}

/* Four bytes cannot be changed at once where they lie across two words. */
site_word machine_redirected(uintptr_t call, uintptr_t target)
{
    (void)call;
    (void)target;
    return SITE_BREAKPOINT;
}

void machine_make_far_jump(uint8_t code[SITE_FAR_JUMP], uintptr_t target)
{
    (void)target;
    memset(code, 0, SITE_FAR_JUMP); /* never made */
}
