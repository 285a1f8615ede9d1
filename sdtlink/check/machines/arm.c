/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aarch64 and arm.
 *
 * Tracers take `x0` to `x30` and `sp`. A `w` register is the lower half of an `x` register; libbpf,
 * bcc and perf do not know its name. Instructions are little-endian even where data is big-endian,
 * so the NOP is compared byte by byte. Of arm only the names of registers are known.
 */
#include "machines.h"

#include <elf.h>
#include <string.h>

static enum register_class of_aarch64(struct slice name)
{
    if (is_numbered(name, "x", 31, "") || is_one_of(name, "sp"))
        return REGISTER_GENERAL;
    if (is_numbered(name, "w", 31, "") || is_one_of(name, "wsp wzr"))
        return REGISTER_HALF;
    bool is_vector = is_numbered(name, "v", 32, "") || is_numbered(name, "q", 32, "") ||
                     is_numbered(name, "d", 32, "") || is_numbered(name, "s", 32, "");
    return is_vector ? REGISTER_VECTOR : REGISTER_UNKNOWN;
}

static enum register_class of_arm(struct slice name)
{
    bool is_general = is_numbered(name, "r", 11, "") || is_one_of(name, "fp ip sp lr pc");
    return is_general ? REGISTER_GENERAL : REGISTER_UNKNOWN;
}

/* Instructions are little-endian always. */
static const char *judge_aarch64(const struct code *code, size_t *shown)
{
    static const uint8_t nop[] = {0x1f, 0x20, 0x03, 0xd5};
    *shown = sizeof nop;
    return code->count >= sizeof nop && memcmp(code->bytes, nop, sizeof nop) != 0 ? "pc-not-nop"
                                                                                  : NULL;
}

const struct machine machine_aarch64 = {
    .elf = EM_AARCH64,
    .name = "aarch64",
    .has_operands = true,
    .syntax = SYNTAX_BRACKETS,
    .register_class = of_aarch64,
    .has_bare_brackets = true,
    .is_stack_only = true,
    .judge = judge_aarch64,
};

const struct machine machine_arm = {
    .elf = EM_ARM,
    .name = "arm",
    .has_operands = true,
    .syntax = SYNTAX_BRACKETS,
    .register_class = of_arm,
    .has_bare_brackets = true,
};
