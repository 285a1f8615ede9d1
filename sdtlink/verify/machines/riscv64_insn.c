/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a RISC-V instruction does, from its mnemonic and operands as LLVM prints them.
 *
 * LLVM has aliases for some of what sites consist of, by the value of a distance: these are taken
 * back, so that the distance is always there. Compressed instructions have the text of what they
 * stand for; their length tells.
 */
#include "riscv64.h"

#include "../disasm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Branches that have their distance in themselves: the last operand. */
static bool is_direct(const struct insn *insn)
{
    static const char *const names[] = {"j",    "jal",  "beq",  "bne",  "blt",  "bge",  "bltu",
                                        "bgeu", "beqz", "bnez", "blez", "bgez", "bltz", "bgtz",
                                        "bgt",  "ble",  "bgtu", "bleu", NULL};
    return insn_is_one_of(insn, names);
}

/* `jr 8(t1)`, `jalr 8(ra)`, `jalr t1, 0(t1)`; `ret` is not a call. */
static bool is_indirect(const struct insn *insn)
{
    return insn_is(insn, "jr") || insn_is(insn, "jalr");
}

/* `jr t1` is `jr 0(t1)`, `jalr t1, t1` is `jalr t1, 0(t1)`. */
static void spell_jump(struct insn *insn)
{
    char text[sizeof insn->text];
    const char *base = strrchr(insn->text, ' ');
    if (!base || strchr(insn->text, '('))
        return;
    int head = (int)(base + 1 - insn->text);
    snprintf(text, sizeof text, "%.*s0(%s)", head, insn->text, base + 1);
    memcpy(insn->text, text, sizeof text);
}

/*
 * What LLVM does not know may be an instruction all the same, of an extension; its length is in its
 * first bits (The RISC-V Instruction Set Manual, volume I, 1.5). Zeros are no instruction, and no
 * extension has one of more than four bytes.
 */
static unsigned length_of(const struct insn *insn)
{
    const uint8_t *bytes = insn->bytes;
    bool is_none = insn->available < 2 || (bytes[0] | bytes[1]) == 0 || (bytes[0] & 0x1f) == 0x1f;
    unsigned length = (bytes[0] & 3) == 3 ? 4 : 2;
    return is_none || length > insn->available ? 0 : length;
}

void riscv64_tidy(struct insn *insn)
{
    if (insn->length == 0) {
        insn->length = length_of(insn);
        memcpy(insn->text, "unknown", sizeof "unknown");
        return;
    }
    if (insn_is(insn, "mv") && strncmp(insn->text, "mv zero,", 8) == 0) {
        /* `mv zero, ra` is `addi zero, ra, 0`. */
        char text[sizeof insn->text];
        snprintf(text, sizeof text, "addi %s, 0", insn->text + strlen("mv "));
        memcpy(insn->text, text, sizeof text);
    }
    if (is_indirect(insn))
        spell_jump(insn);
    const char *operand = strrchr(insn->text, ' ');
    if (is_direct(insn) && operand) { /* LLVM's callback is not asked */
        insn->has_target = true;
        insn->target = insn->address + (uint64_t)strtoll(operand + 1, NULL, 0);
    }
}

bool riscv64_has(const struct insn *insn, enum property property)
{
    static const char *const idle[] = {"nop", "c.nop", NULL};
    switch (property) {
    case INSN_BRANCH:
        return is_direct(insn) || is_indirect(insn);
    case INSN_IDLE:
        return insn_is_one_of(insn, idle);
    case INSN_RETURN:
        return insn_is(insn, "ret") || strcmp(insn->text, "c.jr 0(ra)") == 0;
    default:
        return false;
    }
}
