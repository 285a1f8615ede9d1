/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * x86-64 and i386.
 *
 * The kernel emulates a 1-byte nop everywhere. Any other instruction decides whether the kernel
 * accepts the probe at all, what a hit costs, and, since Linux 6.18, whether it rewrites the
 * instruction: a 5-byte NOP becomes a call, which pushes its return address where a leaf function
 * may keep data.
 */
#include "machines.h"

#include <elf.h>
#include <string.h>

/* ---- instructions ---- */

static bool is_legacy_prefix(uint8_t byte)
{
    return byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 || byte == 0x64 ||
           byte == 0x65;
}

/* Prefixes that the kernel refuses before any instruction: es, cs, ss, ds, lock. */
static bool is_refused_prefix(uint8_t byte)
{
    return byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0xf0;
}

/* One-byte opcodes that it refuses: traps, I/O, interrupts, far branches, and what is invalid in 64
 * bits. Each was tried on Linux 6.18. */
static bool is_refused_opcode(uint8_t byte, bool is_64)
{
    static const uint8_t always[] = {0x6c, 0x6d, 0x6e, 0x6f, 0xcc, 0xcd, 0xcf, 0xe4, 0xe5, 0xe6,
                                     0xe7, 0xec, 0xed, 0xee, 0xef, 0xf1, 0xf4, 0xfa, 0xfb};
    static const uint8_t in_64[] = {0x06, 0x07, 0x0e, 0x9a, 0xce, 0xd6, 0xea};
    return memchr(always, byte, sizeof always) || (is_64 && memchr(in_64, byte, sizeof in_64));
}

/* The length of the NOP at BYTES, of which COUNT exist; 0: it is none. `66`* then 90, or 0f 1f with
 * its operand. A NOP with a refused prefix does not come here. */
static size_t nop_length(const uint8_t *bytes, size_t count)
{
    size_t at = 0;
    while (at < count && (bytes[at] == 0x66 || bytes[at] == 0x67))
        at++;
    if (at < count && bytes[at] == 0x90)
        return at + 1;
    if (at + 3 > count || bytes[at] != 0x0f || bytes[at + 1] != 0x1f)
        return 0;
    uint8_t modrm = bytes[at + 2], mode = modrm >> 6, base = modrm & 7;
    size_t length = at + 3;
    if (mode == 3)
        return length;
    if (base == 4) {
        if (length == count)
            return 0;
        base = bytes[length++] & 7;
    }
    if (mode == 1)
        length += 1;
    else if (mode == 2 || base == 5)
        length += 4;
    return length <= count ? length : 0;
}

/* Like all NOPs of five bytes, it is rewritten unless it crosses a page. */
static bool is_rewritten(bool is_64, size_t length, uint64_t page_offset)
{
    return is_64 && length == 5 && CODE_PAGE - page_offset >= 5;
}

/* A nop, and a NOP of five bytes: Linux 6.18 looks at both. */
static bool is_pair(const struct code *code)
{
    static const uint8_t pair[] = {0x90, 0x0f, 0x1f, 0x44, 0x00, 0x00};
    return code->count >= sizeof pair && memcmp(code->bytes, pair, sizeof pair) == 0;
}

static bool is_refused(const struct code *code, bool is_64)
{
    size_t opcode = 0;
    bool is_refused = false;
    for (; opcode < code->count; opcode++) {
        is_refused = is_refused || is_refused_prefix(code->bytes[opcode]);
        if (!is_legacy_prefix(code->bytes[opcode]) && !is_refused_prefix(code->bytes[opcode]))
            break;
    }
    return is_refused || (opcode < code->count && is_refused_opcode(code->bytes[opcode], is_64));
}

static const char *judge(const struct code *code, bool is_64, size_t *shown)
{
    enum { SOME = 6 };
    size_t length = nop_length(code->bytes, code->count);
    *shown = code->count < SOME ? code->count : SOME;
    if (is_refused(code, is_64))
        return "pc-unprobeable";
    if (length == 0)
        return "pc-not-nop";
    if (length > 1)
        *shown = length;
    if (length >= 9)
        return "pc-nop-long";
    if (is_rewritten(is_64, length, code->page_offset))
        return "pc-nop5";
    if (length > 1)
        return "pc-nop-multibyte";
    bool is_second_rewritten = is_rewritten(is_64, 5, (code->page_offset + 1) % CODE_PAGE);
    return is_pair(code) && is_second_rewritten ? "pc-nop-nop5" : NULL;
}

static const char *judge_x86_64(const struct code *code, size_t *shown)
{
    return judge(code, true, shown);
}

static const char *judge_i386(const struct code *code, size_t *shown)
{
    return judge(code, false, shown);
}

/* ---- registers ---- */

static enum register_class of_x86(struct slice name, bool is_64)
{
    static const char both[] =
        "eax ebx ecx edx esi edi ebp esp ax bx cx dx si di bp sp al bl cl dl";
    static const char long_mode[] = "rax rbx rcx rdx rsi rdi rbp rsp rip sil dil bpl spl";
    if (is_one_of(name, both))
        return REGISTER_GENERAL;
    if (is_one_of(name, "ah bh ch dh"))
        return REGISTER_HIGH_BYTE;
    if (is_numbered(name, "xmm", 32, "") || is_numbered(name, "ymm", 32, "") ||
        is_numbered(name, "zmm", 32, "") || is_numbered(name, "mm", 8, "") || is_one_of(name, "st"))
        return REGISTER_VECTOR;
    if (!is_64)
        return REGISTER_UNKNOWN;
    if (is_one_of(name, long_mode))
        return REGISTER_GENERAL;
    bool has_two_digits = name.length > 2 && name.text[2] >= '0' && name.text[2] <= '9';
    if (name.length < 2 || (name.text[1] < '8' && !has_two_digits)) /* there is no r7 */
        return REGISTER_UNKNOWN;
    if (is_numbered(name, "r", 16, "") || is_numbered(name, "r", 16, "d") ||
        is_numbered(name, "r", 16, "w"))
        return REGISTER_GENERAL;
    return is_numbered(name, "r", 16, "b") ? REGISTER_LOW_BYTE : REGISTER_UNKNOWN;
}

static enum register_class of_x86_64(struct slice name)
{
    return of_x86(name, true);
}

static enum register_class of_i386(struct slice name)
{
    return of_x86(name, false);
}

const struct machine machine_x86_64 = {
    .elf = EM_X86_64,
    .name = "x86-64",
    .family = "x86",
    .has_operands = true,
    .syntax = SYNTAX_ATT,
    .register_class = of_x86_64,
    .has_vector_rule = true,
    .marks_constants = true,
    .needs_base = true,
    .judge = judge_x86_64,
};

const struct machine machine_i386 = {
    .elf = EM_386,
    .name = "i386",
    .family = "x86",
    .has_operands = true,
    .syntax = SYNTAX_ATT,
    .register_class = of_i386,
    .has_vector_rule = true,
    .marks_constants = true,
    .needs_base = true,
    .judge = judge_i386,
};
