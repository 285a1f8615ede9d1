/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Register names, as far as tracers tell them apart.
 */
#include "operand.h"

#include <string.h>

/* A number below LIMIT behind PREFIX, and nothing else but SUFFIX. */
static bool is_numbered(struct slice name, const char *prefix, unsigned limit, const char *suffix)
{
    size_t head = strlen(prefix), tail = strlen(suffix), at = head;
    unsigned number = 0;
    if (name.length < head + tail + 1 || memcmp(name.text, prefix, head) != 0 ||
        memcmp(name.text + name.length - tail, suffix, tail) != 0)
        return false;
    for (; at < name.length - tail; at++) {
        if (name.text[at] < '0' || name.text[at] > '9' || at - head > 2)
            return false;
        number = number * 10 + (unsigned)(name.text[at] - '0');
    }
    return number < limit;
}

/* Whether NAME is one of WORDS, which blanks separate. */
static bool is_one_of(struct slice name, const char *words)
{
    for (const char *at = words; *at;) {
        size_t length = strcspn(at, " ");
        if (name.length == length && memcmp(name.text, at, length) == 0)
            return true;
        at += length + (at[length] == ' ');
    }
    return false;
}

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
    return is_numbered(name, "r", 16, "b") ? REGISTER_R8B : REGISTER_UNKNOWN;
}

static enum register_class of_aarch64(struct slice name)
{
    if (is_numbered(name, "x", 31, "") || is_one_of(name, "sp"))
        return REGISTER_GENERAL;
    if (is_numbered(name, "w", 31, "") || is_one_of(name, "wsp wzr"))
        return REGISTER_NARROW;
    bool is_vector = is_numbered(name, "v", 32, "") || is_numbered(name, "q", 32, "") ||
                     is_numbered(name, "d", 32, "") || is_numbered(name, "s", 32, "");
    return is_vector ? REGISTER_VECTOR : REGISTER_UNKNOWN;
}

static enum register_class of_riscv(struct slice name)
{
    bool is_general = is_one_of(name, "ra sp gp tp") || is_numbered(name, "a", 8, "") ||
                      is_numbered(name, "s", 12, "") || is_numbered(name, "t", 7, "");
    return is_general ? REGISTER_GENERAL : REGISTER_UNKNOWN;
}

enum register_class operand_register(struct slice name, const char *machine)
{
    if (strcmp(machine, "x86-64") == 0 || strcmp(machine, "i386") == 0)
        return of_x86(name, strcmp(machine, "x86-64") == 0);
    if (strcmp(machine, "aarch64") == 0)
        return of_aarch64(name);
    if (strcmp(machine, "riscv") == 0)
        return of_riscv(name);
    if (strcmp(machine, "s390x") == 0)
        return is_numbered(name, "r", 16, "") ? REGISTER_GENERAL : REGISTER_UNKNOWN;
    if (strcmp(machine, "arm") == 0) {
        bool is_general = is_numbered(name, "r", 11, "") || is_one_of(name, "fp ip sp lr pc");
        return is_general ? REGISTER_GENERAL : REGISTER_UNKNOWN;
    }
    return REGISTER_UNKNOWN;
}
