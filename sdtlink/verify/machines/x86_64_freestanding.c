/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sites of freestanding sets, and what they lead to: see x86_64_code.c for how they are written.
 * No branch is indirect, and no way ends in a return: functions of the runtime are named instead.
 */
#include "x86_64.h"

#include "../records.h"

#include <string.h>

/* clang-format off */
const struct form x86_64_freestanding_forms[] = {
    [SDT_KIND_INLINE] = {"nop and a 9-byte nop with e9 as its SIB byte", .patch = 4, .way = 6,
                         .steps = {{"nop", NULL, 1, 0}, {"nopw *(%rcx,%rbp,8)", NULL, 9, 0}}},
    [SDT_KIND_ENABLED] = {"mov $0,%eax", .patch = 1, .steps = {{"movl $0, %eax", NULL, 5, 0}}},
    [SDT_KIND_DIRECT_CALL] = {"test %eax with the displacement of the stub", .way = 1,
                              .calls_stub = true, .steps = {{"testl", NULL, 5, 0}}},
    [SDT_KIND_DIRECT_TAIL] = {"a jump over a loader", .patch = 1, .has_loader = true,
                              .steps = {{"jmp +12", NULL, 2, 0}}},
    [SDT_KIND_DIRECT_ENABLED_TAIL] = {"mov $0,%eax and a jump", .patch = 1, .finish = 1,
                                      .steps = {{"movl $0, %eax", NULL, 5, 0},
                                                {"jmp", NULL, 5, 1}}},
};
static const struct step stub[] = {
    {"movq (%rsp), %r11", NULL, 4, 0}, {"subq $5, %r11", NULL, 4, 0}, {"leaq ~, %r10", NULL, 7, 3},
    {"jmp", NULL, 5, 1}, {NULL, NULL, 0, 0}};
static const struct step loader[] = {
    {"leaq ~, %r11", NULL, 7, 3}, {"jmp", NULL, 5, 1}, {"jmp", NULL, 5, 1}, {NULL, NULL, 0, 0}};
static const struct step entry[] = {
    {"leaq -128(%rsp), %rsp", NULL, 5, 0}, {"callq", NULL, 6, 2},
    {"leaq 128(%rsp), %rsp", NULL, 8, 0}, {"jmp", NULL, 5, 1}, {NULL, NULL, 0, 0}};
/* clang-format on */

static bool is_kept(const struct insn *insn, unsigned kind)
{
    (void)kind;
    return x86_64_has(insn, INSN_BRANCH) && !x86_64_has(insn, INSN_CALL);
}

static bool can_be_moved(const struct record *record)
{
    return record->is_moved ==
           (record->kind == SDT_KIND_DIRECT_TAIL || record->kind == SDT_KIND_DIRECT_ENABLED_TAIL);
}

/* A disabled call has the displacement of a branch: without its record it is found by that. */
enum { TEST_EAX = 0xa9, TEST_LENGTH = 5 };

static bool is_disabled_call(const struct insn *insn)
{
    return insn->length == TEST_LENGTH && insn->bytes[0] == TEST_EAX;
}

static bool has(const struct insn *insn, enum property property)
{
    return x86_64_has(insn, property) || (is_disabled_call(insn) && property == INSN_BRANCH);
}

static void tidy(struct insn *insn)
{
    int32_t distance;
    x86_64_tidy(insn);
    if (!is_disabled_call(insn))
        return;
    memcpy(&distance, insn->bytes + 1, sizeof distance);
    insn->has_target = true;
    insn->target = insn->address + TEST_LENGTH + (uint64_t)(int64_t)distance;
}

static bool is_branch(const struct image *image, struct place field, unsigned *before)
{
    *before = 1;
    return (field.offset && image->sections[field.section].data[field.offset - 1] == TEST_EAX) ||
           x86_64_is_branch(image, field, before);
}

const struct arch *x86_64_freestanding(void)
{
    static struct arch arch;
    arch = x86_64;
    arch.forms = x86_64_freestanding_forms;
    arch.nforms = X86_64_FREESTANDING_FORMS;
    arch.keeps_jumps = true;
    arch.kept_words = "jump";
    arch.is_kept = is_kept;
    arch.can_be_moved = can_be_moved;
    arch.moved_words = "direct-tail and direct-enabled-tail sites, and only there";
    arch.stub = stub;
    arch.stub_jump = 3;
    arch.stub_callee = RUNTIME_ENTER_CALL;
    arch.loader = loader;
    arch.loader_finish = 2;
    arch.entry = (struct entry_form){entry, .call = 1, .jump = 3, .callee = RUNTIME_ENTER};
    arch.has = has;
    arch.tidy = tidy;
    arch.is_branch = is_branch;
    return &arch;
}
