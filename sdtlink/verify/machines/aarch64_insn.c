/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an aarch64 instruction does, from its mnemonic and operands as LLVM prints them.
 */
#include "aarch64.h"

#include "../disasm.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*
 * "adrp x10, 1 // 0x11000" has its target in a comment, "adr x11, #-4" in its operand: LLVM's
 * callback calls neither a branch nor a load.
 */
void aarch64_tidy(struct insn *insn)
{
    char *comment = strstr(insn->text, " //");
    if (comment) {
        *comment = 0;
        if (insn_is(insn, "adrp")) {
            insn->has_target = true;
            insn->target = strtoull(comment + 3, NULL, 16);
        }
    }
    const char *operand = strchr(insn->text, '#');
    if (insn_is(insn, "adr") && operand) {
        insn->has_target = true;
        insn->target = insn->address + (uint64_t)strtoll(operand + 1, NULL, 0);
    }
}

/* `b.eq`; with FEAT_HBC also `bc.eq`. */
static bool is_conditional(const struct insn *insn)
{
    static const char *const names[] = {"cbz", "cbnz", "tbz", "tbnz", NULL};
    bool has_condition = strncmp(insn->text, "b.", 2) == 0 || strncmp(insn->text, "bc.", 3) == 0;
    return insn->length != 0 && (has_condition || insn_is_one_of(insn, names));
}

static bool is_indirect_call(const struct insn *insn)
{
    static const char *const names[] = {"blr", "blraa", "blraaz", "blrab", "blrabz", NULL};
    return insn_is_one_of(insn, names);
}

static bool is_indirect(const struct insn *insn)
{
    static const char *const names[] = {"br", "braa", "braaz", "brab", "brabz", NULL};
    return is_indirect_call(insn) || insn_is_one_of(insn, names);
}

static bool is_branch(const struct insn *insn)
{
    static const char *const names[] = {"b", "bl", NULL};
    return insn_is_one_of(insn, names) || is_conditional(insn) || is_indirect(insn);
}

static bool is_end(const struct insn *insn)
{
    static const char *const names[] = {"b",     "br",    "braa", "braaz", "brab", "brabz", "ret",
                                        "retaa", "retab", "eret", "brk",   "hlt",  "udf",   NULL};
    return insn_is_one_of(insn, names);
}

/* `v0`, `q1`, `z2`, `p3` and parts of them: a letter and at most two digits. */
static bool is_vector_register(const char *word, size_t length)
{
    if (length < 2 || !strchr("vqdshbzp", word[0]) || !isdigit((unsigned char)word[1]))
        return false;
    return length == 2 || (length == 3 && isdigit((unsigned char)word[2]));
}

static bool touches_vectors(const struct insn *insn)
{
    static const char *const states[] = {"FPCR", "FPSR", "SVCR", "FPMR", NULL};
    static const char *const names[] = {"smstart", "smstop", "setffr", "rdffr", "wrffr", NULL};
    if (insn_is_one_of(insn, names))
        return true;
    for (const char *at = insn->text + strcspn(insn->text, " "); *at;) {
        size_t length = 0;
        while (isalnum((unsigned char)at[length]) || at[length] == '_')
            length++;
        if (is_vector_register(at, length))
            return true;
        for (const char *const *state = states; *state; state++)
            if (length == strlen(*state) && strncmp(at, *state, length) == 0)
                return true;
        at += length ? length : 1;
    }
    return false;
}

bool aarch64_has(const struct insn *insn, enum property property)
{
    switch (property) {
    case INSN_BRANCH:
        return is_branch(insn);
    case INSN_CALL:
        return insn_is(insn, "bl") || is_indirect_call(insn);
    case INSN_CONDITIONAL:
        return is_conditional(insn);
    case INSN_INDIRECT:
        return is_indirect(insn);
    case INSN_LEAVES:
        return is_branch(insn);
    case INSN_END:
        return is_end(insn);
    case INSN_IDLE:
        return insn_is(insn, "nop");
    case INSN_RETURN:
        return insn_is(insn, "ret");
    case INSN_VECTORS:
        return touches_vectors(insn);
    }
    return false;
}
