/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <arch/machine.h> for the machine of fake_code.h, in the place of the host's. The code that leads
 * to a probe begins with a word that says what it is; then come distances of 32 bits, from
 * themselves: of a stub, the probe; of a loader, the site and the stub.
 */
#include <arch/machine.h>

#include <string.h>

enum { STUB = 0x51, LOADER = 0x52, ENTRY = 0x53 };

static uintptr_t distant(const uint8_t *field)
{
    int32_t distance;
    memcpy(&distance, field, sizeof distance);
    return (uintptr_t)field + (uintptr_t)(intptr_t)distance;
}

void machine_prepare(void) {}

/* ---- Sites. ---- */

const struct sdt_form *machine_form(unsigned kind)
{
    return fake_form(kind);
}

enum sdt_state machine_state(unsigned kind, const uint8_t *site)
{
    return fake_state(kind, site);
}

void machine_encode_off(unsigned kind, uint8_t *site)
{
    fake_encode_off(kind, site);
}

site_word machine_off_word(const struct sdt_form *form)
{
    return site_off(form);
}

/* ---- Code that leads to a probe. ---- */

bool machine_is_stub(const uint8_t *stub, uintptr_t probe)
{
    return fake_half(stub) == STUB && distant(stub + FAKE_WORD) == probe;
}

bool machine_is_loader(const uint8_t *loader, uintptr_t patch, uintptr_t stub)
{
    return fake_half(loader) == LOADER && distant(loader + FAKE_WORD) == patch &&
           distant(loader + 2 * FAKE_WORD) == stub;
}

bool machine_is_entry(const uint8_t *code, const struct sdt_entry *entry)
{
    return fake_half(code) == ENTRY && distant(code + SDT_ENTRY_RECORD) == entry->record &&
           distant(code + SDT_ENTRY_PROBE) == entry->probe;
}

/* Only what comes without records needs entries made; this machine has none such. */
void machine_make_entry(uint8_t *code, uintptr_t address, const struct sdt_entry *entry)
{
    (void)address;
    (void)entry;
    memset(code, 0, SDT_ENTRY_SIZE);
}

uintptr_t machine_kept_target(const uint8_t *field)
{
    int16_t words;
    if (fake_half(field) == FAKE_BREAK)
        return 0;
    memcpy(&words, field + 2, sizeof words);
    return (uintptr_t)field + (uintptr_t)((intptr_t)words * FAKE_WORD);
}

bool machine_is_branch(const uint8_t *pc)
{
    return fake_half(pc) == FAKE_CALL || fake_half(pc) == FAKE_JUMP;
}

uintptr_t machine_branch_target(const uint8_t *pc)
{
    return machine_kept_target(pc);
}

bool machine_can_reach(uint64_t field, uint64_t target)
{
    int64_t distance = (int64_t)(target - field);
    return distance == (int64_t)(int16_t)(distance / FAKE_WORD) * FAKE_WORD;
}

/* ---- Breakpoints. ---- */

bool machine_is_disarmed(uintptr_t address)
{
    uint16_t half = address % FAKE_WORD ? 0 : fake_half((const uint8_t *)address);
    return half == FAKE_SKIP || half == FAKE_RETURN || half == FAKE_NO_JUMP;
}

uintptr_t machine_retry(uintptr_t address)
{
    return address;
}
