/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The places of arguments as compilers and tracers spell them on x86-64.
 */
#include "x86_64.h"

#include <string.h>

/* The general registers, numbered in the order of `names`; these have arguments of calls. */
enum { RCX = 2, RDX, RSI, RDI, R8 = 8, R9, REGISTERS = 16 };

/*
 * The names of all of them: in 64 bits, and those of their low 32, 16 and 8. Padded with zeros,
 * since whole words are compared, and the usual ones first: this is done for each argument of each
 * site.
 */
enum { MAX_NAME = 4, ROOM = 8, WIDTHS = 4 };
static const char names[WIDTHS][REGISTERS][ROOM] = {
    {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13",
     "r14", "r15"},
    {"eax", "ebx", "ecx", "edx", "esi", "edi", "ebp", "esp", "r8d", "r9d", "r10d", "r11d", "r12d",
     "r13d", "r14d", "r15d"},
    {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp", "r8w", "r9w", "r10w", "r11w", "r12w", "r13w",
     "r14w", "r15w"},
    {"al", "bl", "cl", "dl", "sil", "dil", "bpl", "spl", "r8b", "r9b", "r10b", "r11b", "r12b",
     "r13b", "r14b", "r15b"},
};

/* The register called by LENGTH bytes at NAME, or ARCH_NO_REGISTER: there is none. */
static uint8_t find_register(const char *name, size_t length)
{
    char padded[ROOM] = {0};
    if (length > MAX_NAME)
        return ARCH_NO_REGISTER;
    memcpy(padded, name, length);
    for (unsigned w = 0; w < WIDTHS; w++)
        for (unsigned r = 0; r < REGISTERS; r++)
            if (memcmp(names[w][r], padded, ROOM) == 0)
                return (uint8_t)r;
    return ARCH_NO_REGISTER;
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
    return r != ARCH_NO_REGISTER && strncmp(names[0][r], name, length) == 0 &&
           names[0][r][length] == 0 && strcmp(name + length, ")") == 0;
}

static bool is_constant(const char *operand)
{
    size_t length = operand[0] == '$' ? number_length(operand + 1) : 0;
    return length && operand[1 + length] == 0;
}

bool x86_64_is_plain(const char *operand, uint8_t *reg)
{
    *reg = ARCH_NO_REGISTER;
    if (operand[0] != '%')
        return is_constant(operand) || is_memory(operand);
    *reg = find_register(operand + 1, strlen(operand + 1));
    return *reg != ARCH_NO_REGISTER;
}

size_t x86_64_put_register(char *to, uint8_t reg)
{
    const char *name = names[0][reg];
    *to = '%';
    memcpy(to + 1, name, MAX_NAME);
    return name[2] ? 4 : 3;
}

/* How many arguments a call has in registers (psABI 3.2.3). */
enum { CALL_REGISTERS = 6 };

size_t x86_64_put_call_place(char *to, unsigned i, bool is_tail)
{
    static const uint8_t of_call[CALL_REGISTERS] = {RDI, RSI, RDX, RCX, R8, R9};
    static const char base[] = "(%rsp)";
    if (i < CALL_REGISTERS)
        return x86_64_put_register(to, of_call[i]);
    /* At a tail call the return address is on the stack already. */
    unsigned offset = 8 * (i - CALL_REGISTERS) + (is_tail ? 8 : 0); /* below 100 */
    size_t length = 0;
    if (offset >= 10)
        to[length++] = (char)('0' + offset / 10);
    to[length++] = (char)('0' + offset % 10);
    memcpy(to + length, base, sizeof base - 1);
    return length + sizeof base - 1;
}

/* At the entry of a function as at a tail call. */
bool x86_64_put_function_place(char to[ARCH_PLACE_SIZE], char kind, unsigned n)
{
    enum { VECTORS = 8, MOST_WORDS = 8 };
    static const char vector[] = "%xmm";
    size_t length = 0;
    if (kind == 'g' && n < CALL_REGISTERS) {
        length = x86_64_put_call_place(to, n, true);
    } else if (kind == 's' && n < MOST_WORDS) {
        length = x86_64_put_call_place(to, CALL_REGISTERS + n, true);
    } else if (kind == 'r' && n == 0) {
        length = x86_64_put_register(to, 0);
    } else if (kind == 'v' && n < VECTORS) {
        memcpy(to, vector, sizeof vector - 1);
        to[sizeof vector - 1] = (char)('0' + n);
        length = sizeof vector;
    }
    to[length] = '\0';
    return length > 0;
}
