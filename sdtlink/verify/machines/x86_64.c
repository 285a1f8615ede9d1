/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * x86-64: its relocations (psABI, section 4.4), and the parts of struct arch put together.
 *
 * A displacement ends its instruction and counts from the byte after it: four bytes after the
 * address that a relocation's P is, hence the addend -4 of all branches.
 */
#include "x86_64.h"
#include "../records.h"

#include <elf.h>
#include <llvm-c/Target.h>
#include <string.h>

static void prepare(void)
{
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
}

static enum meaning meaning(uint32_t type)
{
    switch (type) {
    case R_X86_64_NONE:
        return RELOC_NONE;
    case R_X86_64_PC32:
        return RELOC_DISTANCE;
    case R_X86_64_PLT32:
        return RELOC_BRANCH;
    case R_X86_64_GOTPCREL:
        return RELOC_GOT;
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
        return RELOC_GOT_CODE;
    case R_X86_64_64:
        return RELOC_ADDRESS;
    case R_X86_64_JUMP_SLOT:
    case R_X86_64_GLOB_DAT:
        return RELOC_NAMED;
    case R_X86_64_RELATIVE:
        return RELOC_RELATIVE;
    case R_X86_64_IRELATIVE:
        return RELOC_CHOSEN;
    default:
        return RELOC_OTHER;
    }
}

static bool is_kept(const struct insn *insn, unsigned kind)
{
    (void)kind;
    return x86_64_has(insn, INSN_CONDITIONAL);
}

static bool can_be_moved(const struct record *record)
{
    return record->is_moved == (record->kind == SDT_KIND_JCC) ||
           record->kind == SDT_KIND_ENABLED_TAIL;
}

/* `call *12(%rip)`. */
static bool word_of(const struct image *image, struct place place, const struct insn *insn,
                    uint64_t *address)
{
    (void)image;
    (void)place;
    *address = insn->target;
    return insn->has_target && strstr(insn->text, "(%rip)");
}

const struct arch x86_64 = {
    .machine = EM_X86_64,
    .llvm_family = "x86",
    .llvm_triple = "x86_64-unknown-linux-gnu",
    .llvm_features = "",
    .llvm_prepare = prepare,
    .longest = 16, /* 15, in fact */
    .align = 1,
    .meaning = meaning,
    .none_name = "R_X86_64_NONE",
    .distance_name = "R_X86_64_PC32",
    .counts_from = 4,
    .field_from_end = 4,
    .sled = 11,
    .tidy = x86_64_tidy,
    .has = x86_64_has,
    .has_promises = true,
    .is_step = x86_64_is_step,
    .forms = x86_64_forms,
    .nforms = X86_64_FORMS,
    .companion_call = &x86_64_companion_call,
    .companion_tail = &x86_64_companion_tail,
    .kept_length = 6, /* 0f 8x rel32 */
    .kept_field = 2,
    .kept_words = "conditional jump",
    .is_kept = is_kept,
    .can_be_moved = can_be_moved,
    .moved_words = "jcc and enabled-tail sites only, and at each jcc",
    .is_harmless_prefix = x86_64_is_harmless_prefix,
    .stub = x86_64_stub,
    .answer = x86_64_answer,
    .loader = x86_64_loader,
    .entry = {x86_64_entry, .call = 1, .jump = 3},
    .stub_probe = 2,
    .loader_patch = 0,
    .loader_jump = 1,
    .next_suspect = x86_64_next_suspect,
    .is_branch = x86_64_is_branch,
    .is_jump = x86_64_is_jump,
    .is_filler = x86_64_is_filler,
    .next_disabled = x86_64_next_disabled,
    .parse_operand = x86_64_parse_operand,
    .word_of = word_of,
    .freestanding = x86_64_freestanding,
};
