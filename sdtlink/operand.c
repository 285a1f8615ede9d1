/* SPDX-License-Identifier: BSD-2-Clause */
#include "operand.h"

#include <string.h>

/*
 * The names of all general registers, in the order of operand.h: in 64 bits, and those of their low
 * 32, 16 and 8. Padded with zeros, since whole words are compared, and the usual ones first: this
 * is done for each argument of each site.
 */
enum { NAME_MOST = 4, WIDTHS = 4 };
static const char names[WIDTHS][OPERAND_ELSEWHERE][NAME_MOST] = {
    {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13",
     "r14", "r15"},
    {"eax", "ebx", "ecx", "edx", "esi", "edi", "ebp", "esp", "r8d", "r9d", "r10d", "r11d", "r12d",
     "r13d", "r14d", "r15d"},
    {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp", "r8w", "r9w", "r10w", "r11w", "r12w", "r13w",
     "r14w", "r15w"},
    {"al", "bl", "cl", "dl", "sil", "dil", "bpl", "spl", "r8b", "r9b", "r10b", "r11b", "r12b",
     "r13b", "r14b", "r15b"},
};

/* The register called by LENGTH bytes at NAME, or OPERAND_ELSEWHERE: there is none. */
static uint8_t find_register(const char *name, size_t length)
{
    char padded[NAME_MOST] = {0};
    if (length > NAME_MOST)
        return OPERAND_ELSEWHERE;
    memcpy(padded, name, length);
    for (unsigned w = 0; w < WIDTHS; w++)
        for (unsigned r = 0; r < OPERAND_ELSEWHERE; r++)
            if (memcmp(names[w][r], padded, NAME_MOST) == 0)
                return (uint8_t)r;
    return OPERAND_ELSEWHERE;
}

/* The length of the decimal number at TEXT, with its sign; 0: there is none. */
static size_t number_length(const char *text)
{
    size_t sign = *text == '-', digits = strspn(text + sign, "0123456789");
    return digits ? sign + digits : 0;
}

/* [-]d(%reg), with a 64-bit base. */
static bool is_memory(const char *operand)
{
    operand += number_length(operand);
    if (operand[0] != '(' || operand[1] != '%')
        return false;
    const char *name = operand + 2;
    size_t length = strcspn(name, ")");
    uint8_t r = find_register(name, length);
    return r != OPERAND_ELSEWHERE && strncmp(names[0][r], name, length) == 0 &&
           names[0][r][length] == 0 && strcmp(name + length, ")") == 0;
}

static bool is_constant(const char *operand)
{
    size_t length = operand[0] == '$' ? number_length(operand + 1) : 0;
    return length && operand[1 + length] == 0;
}

bool operand_is_plain(const char *operand, uint8_t *place)
{
    *place = OPERAND_ELSEWHERE;
    if (operand[0] != '%')
        return is_constant(operand) || is_memory(operand);
    *place = find_register(operand + 1, strlen(operand + 1));
    return *place != OPERAND_ELSEWHERE;
}

size_t operand_put_register(char *to, uint8_t place)
{
    const char *name = names[0][place];
    *to = '%';
    memcpy(to + 1, name, NAME_MOST);
    return name[2] ? 4 : 3;
}
