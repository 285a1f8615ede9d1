/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A thin layer over llvm-c/Disassembler.h.
 *
 * LLVM prints branch operands as raw displacements. Where they lead is told to the symbol look-up
 * callback, so that is where this file takes it from, rather than from the bytes.
 */
#include "disasm.h"

#include <ctype.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <string.h>

static LLVMDisasmContextRef context;
static struct insn *current; /* what the callback fills in */

static const char *look_up(void *data, uint64_t value, uint64_t *type, uint64_t pc,
                           const char **name)
{
    (void)data;
    (void)pc;
    if (*type == LLVMDisassembler_ReferenceType_In_Branch ||
        *type == LLVMDisassembler_ReferenceType_In_PCrel_Load) {
        current->has_target = true;
        current->target = value;
    }
    *type = LLVMDisassembler_ReferenceType_InOut_None;
    *name = NULL;
    return NULL;
}

int disasm_open(void)
{
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    context = LLVMCreateDisasm("x86_64-unknown-linux-gnu", NULL, 0, NULL, look_up);
    return context ? 0 : -1;
}

void disasm_close(void)
{
    if (context)
        LLVMDisasmDispose(context);
    context = NULL;
}

/* LLVM writes "\tmovl\t$0, %eax": one blank instead of each run of white space, none around. */
static void squeeze(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (!isspace((unsigned char)*from))
            *to++ = *from;
        else if (to != text && to[-1] != ' ')
            *to++ = ' ';
    }
    while (to != text && to[-1] == ' ')
        to--;
    *to = 0;
}

/* "addr32 callq" since LLVM 19, "callq" before. The prefix changes nothing about a branch, and what
 * we print about an instruction should not depend on the version. */
static void drop_addr32(char *text)
{
    static const char prefix[] = "addr32 ";
    char *found = strstr(text, prefix);
    if (found)
        memmove(found, found + strlen(prefix), strlen(found + strlen(prefix)) + 1);
}

void disasm_one(const uint8_t *bytes, uint64_t available, uint64_t address, struct insn *insn)
{
    *insn = (struct insn){0};
    current = insn;
    if (available > 16)
        available = 16; /* the longest instruction has 15 bytes */
    insn->length = (unsigned)LLVMDisasmInstruction(context, (uint8_t *)(uintptr_t)bytes, available,
                                                   address, insn->text, sizeof insn->text);
    if (insn->length > available)
        insn->length = 0;
    squeeze(insn->text);
    drop_addr32(insn->text);
}

bool insn_is(const struct insn *insn, const char *mnemonic)
{
    const char *text = insn->text;
    size_t length = strlen(mnemonic);
    if (insn->length == 0)
        return false;
    if (strncmp(text, "ds ", 3) == 0)
        text += 3;
    return strncmp(text, mnemonic, length) == 0 && (text[length] == ' ' || text[length] == 0);
}

/* Prefixes that LLVM prints in front of a branch's mnemonic. */
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

bool insn_is_branch(const struct insn *insn)
{
    const char *text = skip_prefixes(insn->text);
    return insn->length != 0 && (*text == 'j' || strncmp(text, "call", 4) == 0);
}

bool insn_is_conditional(const struct insn *insn)
{
    const char *text = skip_prefixes(insn->text);
    return insn->length != 0 && *text == 'j' && strncmp(text, "jmp", 3) != 0;
}

bool insn_is_indirect(const struct insn *insn)
{
    const char *text = skip_prefixes(insn->text);
    bool is_far = strncmp(text, "lcall", 5) == 0 || strncmp(text, "ljmp", 4) == 0;
    return is_far || (insn_is_branch(insn) && strchr(text, '*'));
}

bool insn_is_call(const struct insn *insn)
{
    return insn->length != 0 && strncmp(skip_prefixes(insn->text), "call", 4) == 0;
}

static bool begins(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strncmp(text, *words, strlen(*words)) == 0)
            return true;
    return false;
}

bool insn_is_end(const struct insn *insn)
{
    static const char *const ends[] = {"ret", "jmp", "ud2", "hlt", "lret", "ljmp", "iret", NULL};
    return begins(skip_prefixes(insn->text), ends);
}

bool insn_touches_vectors(const struct insn *insn)
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
