/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sites, loaders, entries and stubs as sequences of instructions, written as what a disassembler
 * must answer (x86_64_code.c says why).
 *
 * A step's text is a whole instruction, in which "~" stands for any number: a part of a distance,
 * which is judged by where it leads. A step without text is a distance, in bytes that are no code.
 * The length tells whether it is a compressed instruction.
 *
 * A note's site is only a NOP, and all registers are live there. So the way back from its entry is
 * such a distance as well, which the function that the entry calls reads.
 *
 * HALF_JUMP are two bytes that are not executed while a tail site is off: after `ret` comes the
 * second half of what will be `jr ~(t2)`, which is a part of the distance and 4 bits of the
 * register's number. NOTHING are four zeros.
 */
#include "riscv64.h"

#include <ctype.h>
#include <string.h>

#define HALF_JUMP "half of jr ~(t2)"
#define NOTHING "nothing"

/* clang-format off */
const struct form riscv64_forms[] = {
    [SDT_KIND_CALL] = {"auipc ra and addi zero, ra", .patch = 4, .is_pair = true,
                       .calls_stub = true,
                       .steps = {{"auipc ra, ~", NULL, 4, 0}, {"addi zero, ra, ~", NULL, 4, 0}}},
    [SDT_KIND_INLINE] = {"auipc t1 and addi zero, t1", .patch = 4, .is_pair = true,
                         .steps = {{"auipc t1, ~", NULL, 4, 0}, {"addi zero, t1, ~", NULL, 4, 0}}},
    [SDT_KIND_TAIL] = {"auipc t2, c.jr ra and half a jr by t2", .patch = 4, .is_pair = true,
                       .has_loader = true,
                       .steps = {{"auipc t2, ~", NULL, 4, 0}, {"ret", NULL, 2, 0},
                                 {HALF_JUMP, NULL, 2, 0}}},
    [SDT_KIND_ENABLED] = {"nop and li a0, 0, of four bytes each", .patch = 6,
                          .steps = {{"nop", NULL, 4, 0}, {"li a0, 0", NULL, 4, 0}}},
    [SDT_KIND_ENABLED_TAIL] = {"nop of four bytes, c.li a0, 0 and c.jr ra", .patch = 4,
                               .steps = {{"nop", NULL, 4, 0}, {"li a0, 0", NULL, 2, 0},
                                         {"ret", NULL, 2, 0}}},
    [SDT_KIND_NOP1] = {"c.nop", .steps = {{"nop", NULL, 2, 0}}},
};
const struct form riscv64_companion_call = {
    "auipc and jalr by ra, to the probe's stub",
    .steps = {{"auipc ra, ~", NULL, 4, 0}, {"jalr ~(ra)", NULL, 4, 0}}};
const struct form riscv64_companion_tail = {
    "auipc and jr by t1, to the probe's stub",
    .steps = {{"auipc t1, ~", NULL, 4, 0}, {"jr ~(t1)", NULL, 4, 0}}};

const struct step riscv64_stub[] = {
    {"mv t2, ra", NULL, 2, 0}, {"addi t2, t2, -4", NULL, 2, 0}, {"j 4", NULL, 2, 0},
    {"ret", NULL, 2, 0}, {"auipc t0, 0", NULL, 4, 0}, {"lw t1, 20(t0)", NULL, 4, 0},
    {"add t0, t0, t1", NULL, 2, 0}, {"ld t1, 0(t0)", NULL, 4, 0}, {"beqz t1, -16", NULL, 4, 0},
    {"jr 0(t1)", NULL, 2, 0}, {NULL, NULL, 4, SDT_STUB_AT}, {NULL, NULL, 0, 0}};
const struct step riscv64_answer[] = {
    {"mv t2, ra", NULL, 2, 0}, {"addi t2, t2, -4", NULL, 2, 0}, {"j 4", NULL, 2, 0},
    {"ret", NULL, 2, 0}, {"auipc t0, 0", NULL, 4, 0}, {"lw t1, 20(t0)", NULL, 4, 0},
    {"li a0, 0", NULL, 2, 0}, {"ret", NULL, 2, 0}, {"nop", NULL, 4, 0}, {"nop", NULL, 4, 0},
    {NULL, NULL, 4, SDT_STUB_AT}, {NULL, NULL, 0, 0}};
const struct step riscv64_loader[] = {
    {"auipc t2, 0", NULL, 4, 0}, {"lw t1, 20(t2)", NULL, 4, 0}, {"add t2, t2, t1", NULL, 2, 0},
    {"nop", NULL, 2, 0}, {"auipc t1, ~", NULL, 4, 0}, {"jr ~(t1)", NULL, 4, 0},
    {NULL, NULL, 4, 0}, {NULL, NULL, 0, 0}};
const struct step riscv64_entry[] = {
    {"auipc t1, ~", NULL, 4, 0}, {"ld t1, ~(t1)", NULL, 4, 0}, {"jalr t1, 0(t1)", NULL, 4, 0},
    {"auipc t1, ~", NULL, 4, 0}, {"jr ~(t1)", NULL, 4, 0}, {"nop", NULL, 4, 0},
    {NULL, NULL, 0, 0}};
const struct step riscv64_note_entry[] = {
    {"addi sp, sp, -16", NULL, 2, 0}, {"sd t1, 8(sp)", NULL, 2, 0}, {"auipc t1, ~", NULL, 4, 0},
    {"ld t1, ~(t1)", NULL, 4, 0}, {"jalr t1, 0(t1)", NULL, 4, 0}, {NULL, NULL, 4, 16},
    {NOTHING, NULL, 4, 0}, {NULL, NULL, 0, 0}};
/* clang-format on */

/* TEXT against EXPECTED, which has at most one "~". */
static bool is_like(const char *text, const char *expected)
{
    size_t head = strcspn(expected, "~");
    if (strncmp(text, expected, head) != 0 || expected[head] == 0)
        return strcmp(text, expected) == 0;
    text += head;
    text += *text == '-';
    if (!isdigit((unsigned char)*text))
        return false;
    return strcmp(text + strspn(text, "0123456789"), expected + head + 1) == 0;
}

bool riscv64_is_step(const struct step *step, const struct insn *insn)
{
    if (strcmp(step->text, HALF_JUMP) == 0)
        return (insn->bytes[0] & 0xf) == 3; /* t2 is x7 */
    if (strcmp(step->text, NOTHING) == 0) {
        static const uint8_t zeros[4];
        return insn->available == sizeof zeros && memcmp(insn->bytes, zeros, sizeof zeros) == 0;
    }
    return insn->length == step->length && is_like(insn->text, step->text);
}
