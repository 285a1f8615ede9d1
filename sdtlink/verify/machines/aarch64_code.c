/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sites, loaders, entries and stubs as sequences of instructions, written as what a disassembler
 * must answer (x86_64_code.c says why).
 *
 * A step's text is a whole instruction. In it "~" at the end is a PC-relative operand, or the rest
 * of an address, which is judged by where it leads; "+8" is a branch over as many bytes; "|" stands
 * between two that are both right.
 */
#include "../records.h"
#include "aarch64.h"

#include "../disasm.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
/* Linkers that find the address within 1 MiB make of the two `nop; adr`. */
#define PROBE_PAGE {"adrp x10, ~", "nop|adr x10, ~", 4, 0}
#define PROBE_LOW {"add x10, x10, ~", "adr x10, ~|nop", 4, 0}
/* The word of a moved site leads to the `ret` of its loader. */
#define TAIL_STEPS {{"b +12", NULL, 4, 0}}
#define ANSWER_STEPS                                                                               \
    {{"mov w0, #0", NULL, 4, 0}, {"b +8", NULL, 4, 0}, {"mov w0, #1", NULL, 4, 0},                 \
     {"ret", NULL, 4, 0}}

const struct form aarch64_forms[] = {
    [SDT_KIND_CALL] = {"nop", .steps = {{"nop", NULL, 4, 0}}},
    [SDT_KIND_INLINE] = {"nop", .steps = {{"nop", NULL, 4, 0}}},
    [SDT_KIND_TAIL] = {"b .+12", .has_loader = true, .steps = TAIL_STEPS},
    [SDT_KIND_JCC] = {"b .+12", .has_loader = true, .steps = TAIL_STEPS},
    [SDT_KIND_ENABLED] = {"mov w0, #0, b .+8, mov w0, #1, ret", .patch = 4,
                          .steps = ANSWER_STEPS},
    [SDT_KIND_ENABLED_TAIL] = {"mov w0, #0, b .+8, mov w0, #1, ret", .patch = 4,
                               .steps = ANSWER_STEPS},
    [SDT_KIND_NOP1] = {"nop", .steps = {{"nop", NULL, 4, 0}}},
};
const struct form aarch64_companion_call = {"a call of the probe's stub",
                                            .steps = {{"bl ~", NULL, 4, 0}}};

const struct step aarch64_stub[] = {
    {"bti c", NULL, 4, 0}, {"sub x11, x30, #4", NULL, 4, 0}, PROBE_PAGE, PROBE_LOW,
    {"ldr x16, [x10]", NULL, 4, 0}, {"cbz x16, +8", NULL, 4, 0}, {"br x16", NULL, 4, 0},
    {"ret", NULL, 4, 0}, {NULL, NULL, 0, 0}};
const struct step aarch64_answer[] = {
    {"bti c", NULL, 4, 0}, {"sub x11, x30, #4", NULL, 4, 0}, PROBE_PAGE, PROBE_LOW,
    {"mov w0, #0", NULL, 4, 0}, {"ret", NULL, 4, 0}, {NULL, NULL, 0, 0}};
const struct step aarch64_loader[] = {
    {"adr x11, ~", NULL, 4, 0}, {"b ~", NULL, 4, 0}, {"ret", NULL, 4, 0}, {NULL, NULL, 0, 0}};
const struct step aarch64_entry[] = {
    {"str x30, [sp, #-16]!", NULL, 4, 0}, {"adrp x30, ~", NULL, 4, 0},
    {"ldr x30, [x30~", NULL, 4, 0}, {"blr x30", NULL, 4, 0}, {"ldr x30, [sp], #16", NULL, 4, 0},
    {"b ~", NULL, 4, 0}, {NULL, NULL, 0, 0}};
/* clang-format on */

/* INSN against the LENGTH characters of one expectation. */
static bool is_one(const char *text, size_t length, const struct insn *insn)
{
    const char *plus = memchr(text, '+', length);
    if (plus) { /* "cbz x16, +8"; LLVM prints the address */
        size_t head = (size_t)(plus - text);
        return strncmp(insn->text, text, head) == 0 && insn->has_target &&
               insn->target == insn->address + strtoul(plus + 1, NULL, 10);
    }
    if (text[length - 1] == '~')
        return strncmp(insn->text, text, length - 1) == 0;
    return strlen(insn->text) == length && memcmp(insn->text, text, length) == 0;
}

bool aarch64_is_step(const struct step *step, const struct insn *insn)
{
    if (insn->length != step->length)
        return false;
    for (const char *text = step->text;;) {
        size_t length = strcspn(text, "|");
        if (is_one(text, length, insn))
            return true;
        if (text[length] == 0)
            return false;
        text += length + 1;
    }
}

/* A tail call or question may have become conditional, since then both are branches that stay. */
bool aarch64_is_kept(const struct insn *insn, unsigned kind)
{
    bool is_call = insn_is(insn, "bl"), is_jump = insn_is(insn, "b");
    switch (kind) {
    case SDT_KIND_TAIL:
        return is_jump;
    case SDT_KIND_JCC:
        return aarch64_has(insn, INSN_CONDITIONAL);
    case SDT_KIND_ENABLED:
        return is_call;
    case SDT_KIND_ENABLED_TAIL:
        return is_jump || aarch64_has(insn, INSN_CONDITIONAL);
    default:
        return false;
    }
}

bool aarch64_can_be_moved(const struct record *record)
{
    unsigned kind = record->kind;
    bool must_be = kind == SDT_KIND_TAIL || kind == SDT_KIND_JCC || kind == SDT_KIND_ENABLED ||
                   kind == SDT_KIND_ENABLED_TAIL;
    return record->is_moved == must_be;
}
