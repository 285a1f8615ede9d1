/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sites, loaders, entries and stubs as sequences of instructions.
 *
 * The tool compares bytes with a table of bytes. Doing the same here would repeat its mistakes, so
 * the expectation is written as what a disassembler must answer: mnemonics (operands where they
 * matter), lengths and where a PC-relative operand leads. That also accepts every spelling of the
 * four-byte NOP that the format allows, and no other.
 *
 * A step's text is a mnemonic, or with a blank the whole instruction, in which "~" is a PC-relative
 * operand, "*" after nopw any displacement, and "+2" a branch over two bytes.
 */
#include "x86_64.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
const struct form x86_64_forms[] = {
    [SDT_KIND_CALL] = {"nop and a 4-byte nop",
                       .steps = {{"nop", NULL, 1, 0}, {"nopw", NULL, 4, 0}}},
    [SDT_KIND_CALL6] = {"nop and a 5-byte nop", .patch = 1,
                         .steps = {{"nop", NULL, 1, 0}, {"nopw", NULL, 5, 0}}},
    [SDT_KIND_INLINE] = {"nop and a 9-byte nop with e9 as its SIB byte", .patch = 4, .way = 6,
                         .steps = {{"nop", NULL, 1, 0}, {"nopw *(%rcx,%rbp,8)", NULL, 9, 0}}},
    [SDT_KIND_TAIL] = {"ret and a displacement", .way = 1, .has_loader = true,
                       .steps = {{"retq", NULL, 1, 0}, {NULL, NULL, 4, 0}}},
    [SDT_KIND_TAIL6] = {"ret, a displacement and int3", .way = 1, .has_loader = true,
                        .steps = {{"retq", NULL, 1, 0}, {NULL, NULL, 4, 0}, {"int3", NULL, 1, 0}}},
    [SDT_KIND_JCC] = {"ret and 4 zero bytes before a loader", .way = 1, .has_loader = true,
                      .steps = {{"retq", NULL, 1, 0}, {NULL, NULL, 4, 0}}},
    [SDT_KIND_ENABLED] = {"mov $0,%eax", .patch = 1, .steps = {{"movl $0, %eax", NULL, 5, 0}}},
    [SDT_KIND_ENABLED6] = {"mov $0,%eax and nop", .patch = 1,
                           .steps = {{"movl $0, %eax", NULL, 5, 0}, {"nop", NULL, 1, 0}}},
    [SDT_KIND_ENABLED_TAIL] = {"push $0, pop %rax, ret, int3", .patch = 1,
                               .steps = {{"pushq $0", NULL, 2, 0},
                                         {"popq %rax", NULL, 1, 0}, {"retq", NULL, 1, 0},
                                         {"int3", NULL, 1, 0}}},
    [SDT_KIND_ENABLED_TAIL6] = {"push $0, pop %rax, ret, int3, int3", .patch = 1,
                                .steps = {{"pushq $0", NULL, 2, 0},
                                          {"popq %rax", NULL, 1, 0}, {"retq", NULL, 1, 0},
                                          {"int3", NULL, 1, 0}, {"int3", NULL, 1, 0}}},
    [SDT_KIND_NOP1] = {"nop", .steps = {{"nop", NULL, 1, 0}}},
    [SDT_KIND_NOP11] = {"nop and a 10-byte nop", .patch = 5,
                        .steps = {{"nop", NULL, 1, 0}, {"nopw %cs:(%rax,%rax)", NULL, 10, 0}}},
    [SDT_KIND_FUNCTION] = {"test %eax with the displacement of the entry", .way = 1,
                           .steps = {{"testl", NULL, 5, 0}}},
    [SDT_KIND_FUNCTION6] = {"nop and test %eax with the displacement of the entry", .patch = 1,
                            .way = 2, .steps = {{"nop", NULL, 1, 0}, {"testl", NULL, 5, 0}}},
    [SDT_KIND_FUNCTION_RETURN] = {"ret and the displacement of the entry", .way = 1,
                                  .steps = {{"retq", NULL, 1, 0}, {NULL, NULL, 4, 0}}},
};
const struct form x86_64_companion_call = {"a call of the probe's stub",
                                           .steps = {{"callq", NULL, 5, 1}}};
const struct form x86_64_companion_tail = {"a jump to the probe's stub",
                                           .steps = {{"jmp", NULL, 5, 1}}};

const struct step x86_64_stub[] = {
    {"movq (%rsp), %r11", NULL, 4, 0}, {"subq $5, %r11", NULL, 4, 0}, {"leaq ~, %r10", NULL, 7, 3},
    {"movq (%r10), %rax", NULL, 3, 0}, {"testq %rax, %rax", NULL, 3, 0},
    {"je +2", NULL, 2, 0}, {"jmpq *%rax", NULL, 2, 0}, {"retq", NULL, 1, 0}, {NULL, NULL, 0, 0}};
/* The stub of a companion's is-enabled calls: the same two entries, and the answer is no. */
const struct step x86_64_answer[] = {
    {"movq (%rsp), %r11", NULL, 4, 0}, {"subq $5, %r11", NULL, 4, 0}, {"leaq ~, %r10", NULL, 7, 3},
    {"xorl %eax, %eax", NULL, 2, 0}, {"retq", NULL, 1, 0}, {NULL, NULL, 0, 0}};
const struct step x86_64_loader[] = {
    {"leaq ~, %r11", NULL, 7, 3}, {"jmp", NULL, 5, 1}, {NULL, NULL, 0, 0}};
const struct step x86_64_entry[] = {
    {"leaq -128(%rsp), %rsp", NULL, 5, 0}, {"callq *~", NULL, 6, 2},
    {"leaq 128(%rsp), %rsp", NULL, 8, 0}, {"jmp", NULL, 5, 1}, {NULL, NULL, 0, 0}};
/* clang-format on */

/* `nopw 12(%rcx,%rbp,8)` against `nopw *(%rcx,%rbp,8)`. */
static bool has_any_displacement(const char *text, const char *expected)
{
    const char *mark = strchr(expected, '*'), *operand = strchr(text, '(');
    return operand && strncmp(text, expected, (size_t)(mark - expected)) == 0 &&
           strcmp(operand, mark + 1) == 0;
}

/* `leaq 12(%rip), %r10` against `leaq ~, %r10`. */
static bool is_pc_relative(const char *text, const char *expected)
{
    const char *mark = strchr(expected, '~'), *operand = strstr(text, "(%rip)");
    return operand && strncmp(text, expected, (size_t)(mark - expected)) == 0 &&
           strcmp(operand + strlen("(%rip)"), mark + 1) == 0;
}

/*
 * `66 0f 1f /0` is a NOP; other values of the register field are reserved, and the runtime knows
 * only the forms without displacement, which the length of the instruction has established.
 */
static bool is_plain_nop(const struct insn *insn)
{
    return (insn->bytes[insn->length - 1] & 0x38) == 0;
}

bool x86_64_is_step(const struct step *step, const struct insn *insn)
{
    if (insn->length != step->length)
        return false;
    const char *plus = strchr(step->text, '+');
    if (plus) /* "je +2": a branch over two bytes */
        return strncmp(insn->text, step->text, (size_t)(plus - step->text)) == 0 &&
               insn->has_target &&
               insn->target == insn->address + step->length + strtoul(plus, NULL, 10);
    if (strchr(step->text, '~'))
        return is_pc_relative(insn->text, step->text);
    if (strchr(step->text, '*') && strncmp(step->text, "nopw", 4) == 0)
        return has_any_displacement(insn->text, step->text);
    if (strchr(step->text, ' '))
        return strcmp(insn->text, step->text) == 0;
    return x86_64_is_mnemonic(insn, step->text) &&
           (strcmp(step->text, "nopw") != 0 || is_plain_nop(insn));
}

/*
 * Not harmless: an operand size (66) before a ret, a push or a mov, and REX.B, which makes of the
 * NOP an exchange of %rax and %r8.
 */
bool x86_64_is_harmless_prefix(uint8_t byte, unsigned kind)
{
    bool is_nop = kind == SDT_KIND_CALL || kind == SDT_KIND_CALL6;
    switch (byte) {
    case 0x26: /* segments */
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
    case 0x67: /* address size */
    case 0xf2: /* bnd */
    case 0xf3:
        return true;
    case 0x66:
        return is_nop;
    default:
        return is_nop && (byte & 0xf1) == 0x40;
    }
}
