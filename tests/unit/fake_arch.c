/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The made-up machine of fake_arch.h, and the only one: this file takes the place of
 * sdtlink/arch/tool_arch.c, so what is linked with it has no other.
 */
#include "fake_arch.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#define WORD(operation) operation, 0, 0, 0

/* ---- uses ---- */

static const char *relocation_name(uint32_t type)
{
    return type == FAKE_R_BRANCH ? "R_FAKE_BRANCH" : "R_FAKE_OTHER";
}

static bool is_word(const uint8_t *code, uint8_t operation)
{
    const uint8_t word[] = {WORD(operation)};
    return memcmp(code, word, sizeof word) == 0;
}

static unsigned kind_of(const struct arch_use *use, const uint8_t *code)
{
    if (use->use == SDT_USE_INLINE)
        return use->offset >= FAKE_WORD && is_word(code - FAKE_WORD, FAKE_NOP) &&
                       is_word(code, FAKE_PROBE)
                   ? SDT_KIND_INLINE
                   : 0;
    if (is_word(code, FAKE_CALL))
        return use->use == SDT_USE_ENABLED ? SDT_KIND_ENABLED : SDT_KIND_CALL;
    return is_word(code, FAKE_JUMP) && use->use == SDT_USE_CALL ? SDT_KIND_TAIL : 0;
}

static enum arch_verdict judge(const struct arch_use *use, struct arch_site *site)
{
    bool is_inside = use->data && use->size >= FAKE_WORD && use->offset <= use->size - FAKE_WORD;
    if (use->type == FAKE_R_ADDRESS && !use->is_text)
        return ARCH_ADDRESS;
    if (use->type != FAKE_R_BRANCH || !use->is_text || use->addend || !is_inside)
        return ARCH_REFUSED;
    unsigned kind = kind_of(use, use->data + use->offset);
    if (!kind)
        return ARCH_REFUSED;
    site->kind = (uint8_t)kind;
    site->length = fake_form(kind)->length;
    site->offset = use->offset + FAKE_WORD - site->length;
    site->is_moved = false;
    site->branch_type = 0;
    return ARCH_SITE;
}

static const struct arch_refusal *explain(const struct arch_use *use)
{
    static const struct arch_refusal strange = {"a strange word", "a call", "do not"};
    (void)use;
    return &strange;
}

/* ---- sites ---- */

static struct arch_made companion(unsigned kind, bool is_moved)
{
    bool can_be = kind != SDT_KIND_INLINE && !is_moved;
    return (struct arch_made){can_be ? (uint8_t)kind : 0, false};
}

static unsigned note_kind(uint64_t offset, const uint8_t *code, uint64_t size)
{
    bool is_nop = offset % FAKE_WORD == 0 && size >= FAKE_WORD && is_word(code, FAKE_NOP);
    return is_nop ? SDT_KIND_NOP1 : 0;
}

/* ---- added code ---- */

static const uint8_t stub[FAKE_STUB_SIZE] = {WORD(FAKE_HIGH), WORD(FAKE_LOW), WORD(0x51),
                                             WORD(0x52), WORD(FAKE_RETURN)};
static const uint8_t enabled_stub[FAKE_STUB_SIZE] = {WORD(FAKE_HIGH), WORD(FAKE_LOW),
                                                     WORD(FAKE_SET), WORD(FAKE_RETURN)};
static const uint8_t loader[FAKE_LOADER_SIZE] = {WORD(FAKE_HIGH), WORD(FAKE_LOW), WORD(FAKE_JUMP)};
static const uint8_t entry[FAKE_ENTRY_SIZE] = {WORD(0x61), WORD(0x62), WORD(0x63), WORD(FAKE_JUMP)};
static const uint8_t taken[] = {WORD(FAKE_RETURN)};
static const uint8_t taken_enabled[] = {WORD(FAKE_SET), WORD(FAKE_RETURN)};
static const uint8_t constructor[] = {WORD(0x71), WORD(FAKE_HIGH), WORD(FAKE_LOW), WORD(0x72)};
static const uint8_t plain_cie[] = {12, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 4, 0x78, 30, 0};
static const uint8_t entry_cie[] = {12, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 4, 0x78, 31, 0};

static bool is_stub(const uint8_t *code)
{
    return is_word(code, FAKE_HIGH) && is_word(code + FAKE_WORD, FAKE_LOW);
}

/* Nothing is linked for this machine, so nothing of it is followed. */
static uint64_t nowhere(uint64_t address, const uint8_t *code)
{
    (void)code;
    return address;
}

static uint64_t kept_branch(unsigned kind, uint64_t address, const uint8_t *site)
{
    (void)kind;
    return nowhere(address, site);
}

static bool is_loader(uint64_t address, const uint8_t *code, uint64_t patch, uint64_t to)
{
    return nowhere(address, code) == patch && patch == to;
}

static bool is_entry(uint64_t address, const uint8_t *code, const struct sdt_entry *of)
{
    return nowhere(address, code) == of->pc;
}

/* ---- operands ---- */

enum { REGISTERS = 8, CALL_REGISTERS = 4 };

static bool is_plain(const char *operand, uint8_t *reg)
{
    bool is_register = operand[0] == 'x' && operand[1] >= '0' && operand[1] < '0' + REGISTERS;
    *reg = is_register ? (uint8_t)(operand[1] - '0') : ARCH_NO_REGISTER;
    return is_register && operand[2] == '\0';
}

static size_t put_register(char *to, uint8_t reg)
{
    to[0] = 'x';
    to[1] = (char)('0' + reg);
    return 2;
}

static size_t put_call_place(char *to, unsigned i, bool is_tail)
{
    if (i < CALL_REGISTERS)
        return put_register(to, (uint8_t)i);
    char text[ARCH_PLACE_SIZE + 1];
    int length = snprintf(text, sizeof text, "[sp,%u]", 8 * (i - CALL_REGISTERS) + is_tail);
    memcpy(to, text, (size_t)length);
    return (size_t)length;
}

static char operand_size(const char *operand, size_t length)
{
    return length && operand[0] == 'w' ? '4' : '8';
}

static void parse_operand(const char *text, struct operand *operand)
{
    *operand = (struct operand){.kind = *text == 'w' ? OPERAND_REGISTER : OPERAND_UNKNOWN};
}

static const struct operand_syntax operands = {.parse = parse_operand, .size = operand_size};

/* ---- the machine ---- */

static const struct arch_refusal no = {"not on this machine", NULL, NULL};

#define TWO_WORDS(at, place)                                                                       \
    {at, place, 0, FAKE_R_HIGH},                                                                   \
    {                                                                                              \
        (at) + FAKE_WORD, place, 0, FAKE_R_LOW                                                     \
    }

static const struct tool_arch fake = {
    .name = "fake",
    .multiarch = "fake-linux-gnu",
    .machine = FAKE_MACHINE,
    .word = 8,
    .other_class = &no,
    .relocations = {.none = FAKE_R_NONE,
                    .distance = FAKE_R_DISTANCE,
                    .address = FAKE_R_ADDRESS,
                    .got = FAKE_R_GOT,
                    .branch_type = FAKE_R_BRANCH,
                    .bias = 0},
    .relocation_name = relocation_name,
    .judge = judge,
    .explain = explain,
    .context = 0,
    .form = fake_form,
    .encode_off = fake_encode_off,
    .silence = fake_encode_off,
    .state = fake_state,
    .moved_branch_size = FAKE_WORD,
    .as_compiled = SDT_STATE_CALL,
    .companion = companion,
    .companion_moved = &no,
    .companion_got = &no,
    .companion_inline = &no,
    .companion_enabled = &no,
    .note_kind = note_kind,
    .not_nop1 = "no such word",
    .same_nop1 = "the same word",
    .code.stub = {stub, sizeof stub, 2, {TWO_WORDS(0, ARCH_PLACE_PROBE)}},
    .code.enabled_stub = {enabled_stub, sizeof enabled_stub, 2, {TWO_WORDS(0, ARCH_PLACE_PROBE)}},
    .code.loader = {loader,
                    sizeof loader,
                    3,
                    {TWO_WORDS(0, ARCH_PLACE_PATCH), {8, ARCH_PLACE_STUB, 4, FAKE_R_BRANCH}}},
    .code.entry = {entry,
                   sizeof entry,
                   3,
                   {{4, ARCH_PLACE_PROBE, 0, FAKE_R_DISTANCE},
                    {12, ARCH_PLACE_RETURN, 0, FAKE_R_BRANCH},
                    {20, ARCH_PLACE_PROBE, 0, FAKE_R_DISTANCE}}},
    .entry_record = {16, ARCH_PLACE_RECORD, 0, FAKE_R_DISTANCE},
    .code.taken_call = {taken, sizeof taken, 0, {{0}}},
    .code.taken_enabled = {taken_enabled, sizeof taken_enabled, 0, {{0}}},
    .constructor = {constructor,
                    sizeof constructor,
                    3,
                    {{0, ARCH_PLACE_REGISTER, 0, FAKE_R_GOT}, TWO_WORDS(4, ARCH_PLACE_DSO)}},
    .stub_align = FAKE_WORD,
    .loader_align = FAKE_WORD,
    .entry_align = FAKE_WORD,
    .code_align = FAKE_WORD,
    .plain_cie = {plain_cie, sizeof plain_cie},
    .entry_cie = {entry_cie, sizeof entry_cie},
    .unwind_type = SHT_PROGBITS,
    .is_stub = is_stub,
    .stub_probe = nowhere,
    .kept_branch = kept_branch,
    .is_loader = is_loader,
    .is_entry = is_entry,
    .is_plain = is_plain,
    .put_register = put_register,
    .put_call_place = put_call_place,
    .operands = &operands,
};

const struct tool_arch *tool_arch_of(unsigned machine)
{
    static struct tool_arch narrow;
    if (machine == FAKE_NARROW) {
        narrow = fake;
        narrow.machine = FAKE_NARROW;
        narrow.word = 4;
        return &narrow;
    }
    return machine == FAKE_MACHINE ? &fake : NULL;
}

const struct tool_arch *tool_arch_usual(void)
{
    return &fake;
}

const char *tool_arch_machine_name(unsigned machine)
{
    return machine == FAKE_MACHINE ? "fake" : "another machine";
}
