/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * riscv64: its relocations (RISC-V ELF psABI, "Relocations"), and the parts of struct arch put
 * together.
 *
 * Instructions are two or four bytes, so functions are read from their beginning, as on x86-64; but
 * a field is the whole instruction, as on aarch64. A distance of more than 1 MiB takes two of them:
 * `auipc` has the upper 20 bits, the next one the rest. One relocation is for both if they are a
 * branch; otherwise the second one has its own, which names the first by a label.
 */
#include "riscv64.h"
#include "../records.h"

#include <elf.h>
#include <llvm-c/Target.h>

/* Not in every <elf.h>. */
enum { RISCV_32_PCREL = 57, RISCV_IRELATIVE = 58 };

static void prepare(void)
{
    LLVMInitializeRISCVTargetInfo();
    LLVMInitializeRISCVTargetMC();
    LLVMInitializeRISCVDisassembler();
}

static enum meaning meaning(uint32_t type)
{
    switch (type) {
    case R_RISCV_NONE:
        return RELOC_NONE;
    case R_RISCV_RELAX:
    case R_RISCV_ALIGN:
        return RELOC_SHORTEN;
    case RISCV_32_PCREL:
        return RELOC_DISTANCE;
    case R_RISCV_ADD32:
        return RELOC_PLUS;
    case R_RISCV_SUB32:
        return RELOC_MINUS;
    case R_RISCV_CALL:
    case R_RISCV_CALL_PLT:
        return RELOC_CALL;
    case R_RISCV_JAL:
    case R_RISCV_BRANCH:
    case R_RISCV_RVC_JUMP:
    case R_RISCV_RVC_BRANCH:
        return RELOC_BRANCH;
    case R_RISCV_PCREL_HI20:
        return RELOC_PAGE;
    case R_RISCV_PCREL_LO12_I:
        return RELOC_REST;
    case R_RISCV_64:
        return RELOC_ADDRESS;
    case R_RISCV_JUMP_SLOT:
        return RELOC_NAMED;
    case R_RISCV_RELATIVE:
        return RELOC_RELATIVE;
    case RISCV_IRELATIVE:
        return RELOC_CHOSEN;
    default:
        return RELOC_OTHER;
    }
}

/* In an object that is rewritten, `auipc` and what follows it stay where they are. */
static bool can_be_moved(const struct record *record)
{
    bool is_tail = record->kind == SDT_KIND_TAIL || record->kind == SDT_KIND_ENABLED_TAIL;
    return record->is_moved == (record->is_companion && is_tail);
}

static bool is_harmless_prefix(uint8_t byte, unsigned kind)
{
    (void)byte;
    (void)kind;
    return false;
}

/* No linker fills gaps with code that is jumped over. */
static bool is_filler(const uint8_t *bytes, uint64_t count)
{
    (void)bytes;
    (void)count;
    return false;
}

const struct arch riscv64 = {
    .machine = EM_RISCV,
    .llvm_family = "RISC-V",
    .llvm_triple = "riscv64-unknown-linux-gnu",
    .llvm_features = "+m,+a,+f,+d,+c",
    .llvm_prepare = prepare,
    .longest = 4,
    .align = 2,
    .pair = 4,
    .meaning = meaning,
    .none_name = "R_RISCV_NONE",
    .distance_name = "R_RISCV_32_PCREL",
    .shorten_name = "R_RISCV_RELAX or R_RISCV_ALIGN",
    .counts_from = 0,
    .field_from_end = 0,
    .reach = riscv64_reach,
    .tidy = riscv64_tidy,
    .has = riscv64_has,
    .begins_branch = riscv64_begins_branch,
    .is_step = riscv64_is_step,
    .forms = riscv64_forms,
    .nforms = RISCV64_FORMS,
    .companion_call = &riscv64_companion_call,
    .companion_tail = &riscv64_companion_tail,
    .companions_move = true,
    .can_be_moved = can_be_moved,
    .moved_words = "tail and enabled-tail sites of companions, and only there",
    .is_harmless_prefix = is_harmless_prefix,
    .stub = riscv64_stub,
    .answer = riscv64_answer,
    .loader = riscv64_loader,
    .entry = {riscv64_entry, .call = 0, .jump = 3},
    .note_entry = {riscv64_note_entry, .call = 2, .jump = 5},
    .stub_probe = 10,
    .stub_own_jump = 4,
    .loader_patch = 6,
    .loader_jump = 4,
    .next_suspect = riscv64_next_suspect,
    .is_branch = riscv64_is_branch,
    .is_jump = riscv64_is_jump,
    .is_filler = is_filler,
    .next_disabled = riscv64_next_disabled,
    .parse_operand = riscv64_parse_operand,
};
