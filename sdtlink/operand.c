/* SPDX-License-Identifier: BSD-2-Clause */
#include "operand.h"

#include <string.h>

/*
 * Each general register: its name in 64 bits, and those of its low 32, 16 and 8, padded with zeros.
 * In the order of operand.h.
 */
enum { NAME_MOST = 4, WIDTHS = 4 };
static const char registers[OPERAND_ELSEWHERE][WIDTHS][NAME_MOST] = {
    {"rax", "eax", "ax", "al"},      {"rbx", "ebx", "bx", "bl"},
    {"rcx", "ecx", "cx", "cl"},      {"rdx", "edx", "dx", "dl"},
    {"rsi", "esi", "si", "sil"},     {"rdi", "edi", "di", "dil"},
    {"rbp", "ebp", "bp", "bpl"},     {"rsp", "esp", "sp", "spl"},
    {"r8", "r8d", "r8w", "r8b"},     {"r9", "r9d", "r9w", "r9b"},
    {"r10", "r10d", "r10w", "r10b"}, {"r11", "r11d", "r11w", "r11b"},
    {"r12", "r12d", "r12w", "r12b"}, {"r13", "r13d", "r13w", "r13b"},
    {"r14", "r14d", "r14w", "r14b"}, {"r15", "r15d", "r15w", "r15b"},
};

/*
 * Where each name is in the table, by its hash, since one is looked for for each argument of each
 * site: register * WIDTHS + width + 1; 0: free. Open addressing.
 */
enum { SLOTS = 256 };
static uint8_t slots[SLOTS];

/* The slot that holds NAME or is free for it. */
static uint8_t *find_slot(const char name[static NAME_MOST])
{
    uint32_t word;
    memcpy(&word, name, sizeof word);
    for (size_t i = word * UINT32_C(0x9e3779b1) >> 24;; i = (i + 1) % SLOTS) {
        size_t found = slots[i] - 1;
        if (!slots[i] || !memcmp(registers[found / WIDTHS][found % WIDTHS], name, NAME_MOST))
            return &slots[i];
    }
}

static void fill_slots(void)
{
    for (unsigned i = 0; i < OPERAND_ELSEWHERE * WIDTHS; i++)
        *find_slot(registers[i / WIDTHS][i % WIDTHS]) = (uint8_t)(i + 1);
}

/* The register called by LENGTH bytes at NAME, or OPERAND_ELSEWHERE: there is none. */
static uint8_t find_register(const char *name, size_t length)
{
    static bool is_filled;
    char padded[NAME_MOST] = {0};
    if (length > NAME_MOST)
        return OPERAND_ELSEWHERE;
    if (!is_filled)
        fill_slots();
    is_filled = true;
    memcpy(padded, name, length);
    uint8_t found = *find_slot(padded);
    return found ? (uint8_t)((found - 1) / WIDTHS) : OPERAND_ELSEWHERE;
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
    return r != OPERAND_ELSEWHERE && strncmp(registers[r][0], name, length) == 0 &&
           registers[r][0][length] == 0 && strcmp(name + length, ")") == 0;
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
    const char *name = registers[place][0];
    *to = '%';
    memcpy(to + 1, name, NAME_MOST);
    return name[2] ? 4 : 3;
}
