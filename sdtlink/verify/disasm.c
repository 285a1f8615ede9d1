/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A thin layer over llvm-c/Disassembler.h.
 *
 * LLVM prints branch operands as raw displacements. It passes their targets to the symbol look-up
 * callback, so this file takes them from there, rather than from the bytes.
 */
#include "disasm.h"

#include <ctype.h>
#include <llvm-c/Disassembler.h>
#include <string.h>

enum { MOST = 8 };
static struct {
    const struct arch *arch;
    LLVMDisasmContextRef context;
} opened[MOST]; /* one for each machine */

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

int disasm_open(const struct arch *arch)
{
    size_t i = 0;
    while (i < MOST && opened[i].arch)
        i++;
    if (i == MOST)
        return -1;
    arch->llvm_prepare();
    opened[i].context = LLVMCreateDisasmCPUFeatures(arch->llvm_triple, "", arch->llvm_features,
                                                    NULL, 0, NULL, look_up);
    opened[i].arch = opened[i].context ? arch : NULL;
    return opened[i].context ? 0 : -1;
}

void disasm_close(void)
{
    for (size_t i = 0; i < MOST && opened[i].arch; i++) {
        LLVMDisasmDispose(opened[i].context);
        opened[i].arch = NULL;
    }
}

static LLVMDisasmContextRef context_of(const struct arch *arch)
{
    size_t i = 0;
    while (opened[i].arch->machine != arch->machine) /* main() has opened all that images have */
        i++;
    return opened[i].context;
}

/* LLVM writes "\tcall\tname": one blank instead of each run of white space, none around. */
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

bool disasm_at(const struct image *image, struct place place, struct insn *insn)
{
    uint64_t available;
    const uint8_t *bytes = image_bytes(image, place, &available);
    if (!bytes)
        return false;
    if (available > image->arch->longest)
        available = image->arch->longest;
    *insn = (struct insn){.bytes = bytes,
                          .available = (unsigned)available,
                          .address = image->sections[place.section].address + place.offset};
    current = insn;
    insn->length =
        (unsigned)LLVMDisasmInstruction(context_of(image->arch), (uint8_t *)(uintptr_t)bytes,
                                        available, insn->address, insn->text, sizeof insn->text);
    if (insn->length > available)
        insn->length = 0;
    squeeze(insn->text);
    image->arch->tidy(insn);
    return true;
}

bool insn_is(const struct insn *insn, const char *mnemonic)
{
    size_t length = strlen(mnemonic);
    return insn->length != 0 && strncmp(insn->text, mnemonic, length) == 0 &&
           (insn->text[length] == ' ' || insn->text[length] == 0);
}

bool insn_is_one_of(const struct insn *insn, const char *const *mnemonics)
{
    for (; *mnemonics; mnemonics++)
        if (insn_is(insn, *mnemonics))
            return true;
    return false;
}
