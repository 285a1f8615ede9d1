/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aarch64: its relocations (AAELF64, 5.7), and the parts of struct arch put together.
 *
 * An instruction is one word, its field is the whole of it, and distances are counted from its
 * first byte. An address further away is made by two: `adrp` has the page, the next one the rest.
 */
#include "aarch64.h"

#include <elf.h>
#include <llvm-c/Target.h>

static void prepare(void)
{
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64Disassembler();
}

static enum meaning meaning(uint32_t type)
{
    switch (type) {
    case R_AARCH64_NONE:
        return RELOC_NONE;
    case R_AARCH64_PREL32:
        return RELOC_DISTANCE;
    case R_AARCH64_CALL26:
    case R_AARCH64_JUMP26:
    case R_AARCH64_CONDBR19:
    case R_AARCH64_TSTBR14:
        return RELOC_BRANCH;
    case R_AARCH64_ADR_PREL_PG_HI21:
        return RELOC_PAGE;
    case R_AARCH64_ADD_ABS_LO12_NC:
    case R_AARCH64_LDST64_ABS_LO12_NC:
        return RELOC_LOW;
    case R_AARCH64_ABS64:
        return RELOC_ADDRESS;
    case R_AARCH64_JUMP_SLOT:
    case R_AARCH64_GLOB_DAT:
        return RELOC_NAMED;
    case R_AARCH64_RELATIVE:
        return RELOC_RELATIVE;
    case R_AARCH64_IRELATIVE:
        return RELOC_CHOSEN;
    default:
        return RELOC_OTHER;
    }
}

static bool is_harmless_prefix(uint8_t byte, unsigned kind)
{
    (void)byte;
    (void)kind;
    return false;
}

const struct arch aarch64 = {
    .machine = EM_AARCH64,
    .llvm_family = "AArch64",
    .llvm_triple = "aarch64-unknown-linux-gnu",
    .llvm_features = "+v8.6a,+sve2",
    .llvm_prepare = prepare,
    .longest = 4,
    .sled = 32,
    .align = 4,
    .unit = 4,
    .pair = 4,
    .meaning = meaning,
    .none_name = "R_AARCH64_NONE",
    .distance_name = "R_AARCH64_PREL32",
    .counts_from = 0,
    .field_from_end = 4,
    .reach = aarch64_reach,
    .tidy = aarch64_tidy,
    .has = aarch64_has,
    .has_promises = true,
    .is_step = aarch64_is_step,
    .forms = aarch64_forms,
    .nforms = AARCH64_FORMS,
    .companion_call = &aarch64_companion_call,
    .companions_move = true,
    .kept_length = 4,
    .kept_field = 0,
    .kept_words = "branch of its kind",
    .is_kept = aarch64_is_kept,
    .can_be_moved = aarch64_can_be_moved,
    .moved_words = "tail, conditional, enabled and enabled-tail sites, and only there",
    .is_harmless_prefix = is_harmless_prefix,
    .stub = aarch64_stub,
    .answer = aarch64_answer,
    .loader = aarch64_loader,
    .entry = {aarch64_entry, .call = 1, .jump = 5},
    .stub_probe = 2,
    .has_near_stubs = true,
    .loader_patch = 0,
    .loader_jump = 1,
    .next_suspect = aarch64_next_suspect,
    .next_veneer = aarch64_next_veneer,
    .next_pad = aarch64_next_pad,
    .pad_jump = 4,
    .is_branch = aarch64_is_branch,
    .is_jump = aarch64_is_jump,
    .is_filler = aarch64_is_filler,
    .next_disabled = aarch64_next_disabled,
    .parse_operand = aarch64_parse_operand,
    .word_of = aarch64_word_of,
};
