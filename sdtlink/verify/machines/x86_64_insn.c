/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an x86 instruction does, from its mnemonic and operands as LLVM prints them (AT&T syntax).
 */
#include "x86_64.h"

#include <string.h>

/* "addr32 callq" since LLVM 19, "callq" before. The prefix changes nothing about a branch, and what
 * we print about an instruction should not depend on the version. */
void x86_64_tidy(struct insn *insn)
{
    static const char prefix[] = "addr32 ";
    char *found = strstr(insn->text, prefix);
    if (found)
        memmove(found, found + strlen(prefix), strlen(found + strlen(prefix)) + 1);
}

bool x86_64_is_mnemonic(const struct insn *insn, const char *mnemonic)
{
    const char *text = insn->text;
    size_t length = strlen(mnemonic);
    if (insn->length == 0)
        return false;
    if (strncmp(text, "ds ", 3) == 0)
        text += 3;
    return strncmp(text, mnemonic, length) == 0 && (text[length] == ' ' || text[length] == 0);
}

/* Prefixes that LLVM prints before a branch's mnemonic. */
static const char *skip_prefixes(const char *text)
{
    static const char *const prefixes[] = {"bnd ",    "notrack ", "repne ", "rep ", "data16 ",
                                           "addr32 ", "cs ",      "ds ",    "lock "};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(text, prefixes[i], length) == 0)
            return skip_prefixes(text + length);
    }
    return text;
}

static bool is_branch(const struct insn *insn)
{
    const char *text = skip_prefixes(insn->text);
    return insn->length != 0 && (*text == 'j' || strncmp(text, "call", 4) == 0);
}

static bool is_conditional(const struct insn *insn)
{
    const char *text = skip_prefixes(insn->text);
    return insn->length != 0 && *text == 'j' && strncmp(text, "jmp", 3) != 0;
}

static bool is_indirect(const struct insn *insn)
{
    const char *text = skip_prefixes(insn->text);
    bool is_far = strncmp(text, "lcall", 5) == 0 || strncmp(text, "ljmp", 4) == 0;
    return is_far || (is_branch(insn) && strchr(text, '*'));
}

static bool begins(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strncmp(text, *words, strlen(*words)) == 0)
            return true;
    return false;
}

static bool is_end(const struct insn *insn)
{
    static const char *const ends[] = {"ret", "jmp", "ud2", "hlt", "lret", "ljmp", "iret", NULL};
    return begins(skip_prefixes(insn->text), ends);
}

static bool touches_vectors(const struct insn *insn)
{
    /* No other instruction begins with an f than those of x87 and fxsave. */
    static const char *const mnemonics[] = {"f",       "emms",     "wait",  "ldmxcsr",
                                            "stmxcsr", "vldmxcsr", "xsave", "xrstor",
                                            "vzero",   "vstmxcsr", "tile",  NULL};
    static const char *const registers[] = {"%xmm", "%ymm", "%zmm", "%mm", "%st", "%k", "%tmm"};
    if (begins(skip_prefixes(insn->text), mnemonics))
        return true;
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        if (strstr(insn->text, registers[i]))
            return true;
    return false;
}

static bool leaves(const struct insn *insn)
{
    static const char *const others[] = {"loop", "xbegin", NULL};
    return is_indirect(insn) || is_branch(insn) || begins(insn->text, others);
}

static bool is_idle(const struct insn *insn)
{
    static const char *const idle[] = {"nop", "test", NULL};
    return begins(skip_prefixes(insn->text), idle);
}

static bool is_return(const struct insn *insn)
{
    return strncmp(skip_prefixes(insn->text), "ret", 3) == 0;
}

bool x86_64_has(const struct insn *insn, enum property property)
{
    switch (property) {
    case INSN_BRANCH:
        return is_branch(insn);
    case INSN_CALL:
        return insn->length != 0 && strncmp(skip_prefixes(insn->text), "call", 4) == 0;
    case INSN_CONDITIONAL:
        return is_conditional(insn);
    case INSN_INDIRECT:
        return is_indirect(insn);
    case INSN_LEAVES:
        return leaves(insn);
    case INSN_END:
        return is_end(insn);
    case INSN_IDLE:
        return is_idle(insn);
    case INSN_RETURN:
        return is_return(insn);
    case INSN_VECTORS:
        return touches_vectors(insn);
    }
    return false;
}
