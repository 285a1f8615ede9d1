/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which operands of an inline site every tracer reads, against a list of all registers that is
 * written here once more, in the order of the table there.
 */
#include "check.h"

#include <arch/machines.h>

#include <stdio.h>
#include <string.h>

static const char *const registers[16][4] = {
    {"rax", "eax", "ax", "al"},      {"rbx", "ebx", "bx", "bl"},
    {"rcx", "ecx", "cx", "cl"},      {"rdx", "edx", "dx", "dl"},
    {"rsi", "esi", "si", "sil"},     {"rdi", "edi", "di", "dil"},
    {"rbp", "ebp", "bp", "bpl"},     {"rsp", "esp", "sp", "spl"},
    {"r8", "r8d", "r8w", "r8b"},     {"r9", "r9d", "r9w", "r9b"},
    {"r10", "r10d", "r10w", "r10b"}, {"r11", "r11d", "r11w", "r11b"},
    {"r12", "r12d", "r12w", "r12b"}, {"r13", "r13d", "r13w", "r13b"},
    {"r14", "r14d", "r14w", "r14b"}, {"r15", "r15d", "r15w", "r15b"},
};

static bool is_plain(const char *operand)
{
    uint8_t place = 99;
    bool result = tool_arch_usual()->is_plain(operand, &place);
    CHECK(place == ARCH_NO_REGISTER);
    return result;
}

static void check_registers(void)
{
    for (uint8_t r = 0; r < 16; r++) {
        for (unsigned width = 0; width < 4; width++) {
            char text[16], memory[32];
            snprintf(text, sizeof text, "%%%s", registers[r][width]);
            uint8_t place = 99;
            CHECK(tool_arch_usual()->is_plain(text, &place) && place == r);
            /* As a base it has 64 bits. */
            for (unsigned i = 0; i < 3; i++) {
                static const char *const distances[] = {"", "16", "-8"};
                snprintf(memory, sizeof memory, "%s(%s)", distances[i], text);
                CHECK(is_plain(memory) == (width == 0));
            }
        }
        char put[ARCH_PLACE_SIZE + 1], expected[8];
        memset(put, '.', sizeof put);
        size_t length = tool_arch_usual()->put_register(put, r);
        snprintf(expected, sizeof expected, "%%%s", registers[r][0]);
        CHECK(length == strlen(expected) && memcmp(put, expected, length) == 0);
        CHECK(put[ARCH_PLACE_SIZE] == '.');
    }
}

static void check_others(void)
{
    static const char *const good[] = {
        "$0", "$-1", "$9223372036854775807", "0(%rax)", "-2147483648(%rsp)", "9(%r15)"};
    static const char *const bad[] = {
        "",         "%",         "%ah",        "%bh",         "%r16",    "%r1",
        "%rip",     "%xmm0",     "%st",        "%mm0",        "%k1",     "%raxx",
        "%rax ",    "rax",       "$",          "$-",          "$x",      "$1x",
        "$0x10",    "$-x",       "$1+x",       "1",           "-1",      "x",
        "x(%rip)",  "4(%rip)",   "(%rip)",     "(%rax,%rbx)", "(,%rax)", "(%rax,%rbx,4)",
        "4(%eax)",  "(%rax",     "(%rax))",    "(rax)",       "()",      "(%)",
        "-(%rax)",  "--1(%rax)", "x+4(%rax)",  "4(%rax)x",    "%fs:0",   "%fs:4(%rax)",
        "*(%rax)",  "(%ra)",     "(%raxx)",    "(%r8d)",      "(%r8d",   "+4(%rax)",
        "4 (%rax)", "[%rax)",    "(%r8)(%r9)", "$4(%rax)",    "(%xmm0)", "(@rax)",
        "[rax]",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        CHECK(is_plain(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!is_plain(bad[i]));
}

int main(void)
{
    check_registers();
    check_others();
    return check_failures != 0;
}
