/* SPDX-License-Identifier: BSD-2-Clause */
/* See ../machine.h. What sites look like is in forms.c, which the tool also links. */
#include <arch/machine.h>
#include <arch/operand.h>
#include <machine/layout.h>
#include <machine/registers.h>

#include <string.h>

/* What assembly of this machine knows beside <arch/layout.h>. */
_Static_assert(SITE_ENTRY_RETURN + ENTRY_PROBE == SDT_ENTRY_PROBE, "<machine/layout.h>");
_Static_assert(sizeof(struct registers) <= REGISTERS_SIZE && REGISTERS_SIZE % 16 == 0,
               "<machine/layout.h>");

const struct operand_syntax *const operand_syntax = &sdt_aarch64_operands;

/* ---- Sites. ---- */

const struct sdt_form *machine_form(unsigned kind)
{
    return sdt_aarch64_form(kind);
}

enum sdt_state machine_state(unsigned kind, const uint8_t *site)
{
    return sdt_aarch64_state(kind, site);
}

void machine_encode_off(unsigned kind, uint8_t *site)
{
    sdt_aarch64_encode_off(kind, site);
}

site_word machine_off_word(const struct sdt_form *form)
{
    return site_off(form); /* breakpoint and branch are the same word */
}

/* ---- Code that leads to a probe. ---- */

bool machine_is_stub(const uint8_t *stub, uintptr_t probe)
{
    return sdt_aarch64_is_stub(stub) && sdt_aarch64_stub_probe((uintptr_t)stub, stub) == probe;
}

bool machine_is_loader(const uint8_t *loader, uintptr_t patch, uintptr_t stub)
{
    return sdt_aarch64_is_loader((uintptr_t)loader, loader, patch, stub);
}

bool machine_is_entry(const uint8_t *code, const struct sdt_entry *entry)
{
    return sdt_aarch64_is_entry((uintptr_t)code, code, entry);
}

void machine_make_entry(uint8_t *code, uintptr_t address, const struct sdt_entry *entry)
{
    sdt_aarch64_make_entry(code, address, entry);
}

/* A site that was moved comes directly before its loader, and falls through when it is armed. */
uintptr_t machine_kept_target(const uint8_t *field)
{
    return (uintptr_t)field + sizeof(site_word);
}

/* The calls of companions, before start-up has made NOPs of them. */
bool machine_is_branch(const uint8_t *pc)
{
    return sdt_aarch64_is_branch(sdt_aarch64_word(pc));
}

uintptr_t machine_branch_target(const uint8_t *pc)
{
    return sdt_aarch64_target((uintptr_t)pc, sdt_aarch64_word(pc));
}

uintptr_t machine_companion_branch(const uint8_t *place)
{
    return sdt_aarch64_companion_branch((uintptr_t)place, place);
}

/* One word, and branches as before and after (for conditional ones see decision 41). */
size_t machine_reaim(const uint8_t *place, uintptr_t target, unsigned step,
                     struct machine_edit edits[SITE_REAIM_MOST])
{
    uint32_t branch = sdt_aarch64_reaim((uintptr_t)place, place, target);
    (void)step;
    edits[0] = (struct machine_edit){0, sdt_aarch64_word(place), branch};
    return branch != 0;
}

/* Where a branch does not reach its stub, the site gets a breakpoint. */
bool machine_can_reach(uint64_t field, uint64_t target)
{
    return sdt_aarch64_can_reach(field, target);
}

/* ---- Breakpoints. ---- */

bool machine_is_disarmed(uintptr_t address)
{
    const site_word *word = (const site_word *)address;
    if (address % sizeof *word != 0)
        return false;
    site_word now = __atomic_load_n(word, __ATOMIC_RELAXED);
    return now == SITE_NOP || now == site_off(sdt_aarch64_form(SDT_KIND_TAIL));
}

/*
 * What arming and disarming write is done for the thread, not left to the CPU: that may go on with
 * the breakpoint until sync_text(), and would come back as often. In an emulator with a thread for
 * each CPU (qemu 7.2) it does for ever, if it translated the word while another CPU wrote it.
 */
uintptr_t machine_retry(uintptr_t address)
{
    const site_word *word = (const site_word *)address;
    if (address % sizeof *word != 0)
        return address;
    site_word now = __atomic_load_n(word, __ATOMIC_RELAXED);
    if (now == SITE_NOP)
        return address + sizeof now;
    bool is_jump = (now & ~0x03ffffffu) == SDT_AARCH64_B;
    return is_jump ? (uintptr_t)sdt_aarch64_target(address, now) : address;
}

/* ---- Foreign calls. ---- */

size_t machine_find_calls(uintptr_t place, uintptr_t begin, uintptr_t end, uintptr_t *calls,
                          size_t max)
{
    const uintptr_t word = sizeof(site_word);
    size_t n = 0;
    for (uintptr_t at = (begin + word - 1) & -word; at + word <= end; at += word) {
        const uint8_t *pc = (const uint8_t *)at;
        if (!machine_is_branch(pc) || machine_branch_target(pc) != place)
            continue;
        if (n < max)
            calls[n] = at;
        n++;
    }
    return n;
}

site_word machine_redirected(uintptr_t call, uintptr_t target)
{
    site_word now = sdt_aarch64_word((const uint8_t *)call);
    return sdt_aarch64_encode_branch(now & ~0x03ffffffu, call, target);
}

/* The function begins with `bti c`, which x16 may lead to. */
void machine_make_far_jump(uint8_t code[SITE_FAR_JUMP], uintptr_t target)
{
    static const uint32_t jump[] = {0x58000050 /* ldr x16, .+8 */, 0xd61f0200 /* br x16 */};
    memcpy(code, jump, sizeof jump);
    memcpy(code + sizeof jump, &target, sizeof target);
}
