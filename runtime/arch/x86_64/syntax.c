/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operands in AT&T syntax, as compilers and people write them into notes:
 *
 *     %rax %eax %ax %al %ah %r8d %r8b %r8l      general registers; the size before the @ says
 *                                               how much of it
 *     %xmm0 %ymm0                               the low bytes of a vector register
 *     $5 $-1 $0x10                              constants
 *     -8(%rbp) (%rax,%rbx,4) 16(,%rcx,8) +4(%rsp) -16+4(%rbp)
 *     4096                                      memory at a fixed address
 *     name(%rip) name+8(%rip) 8+name(%rip)      a variable
 *     *name(%rip)                               one whose address is in the GOT (<sdt/format.h>)
 *
 * Not: segment registers (%fs:0), addresses that are symbols without %rip, %st, mask registers.
 */
#include <arch/operand.h>
#include <arch/operand_text.h>
#include <stddef.h>
#include <string.h>

/* The number of the register with that name, of LENGTH characters; or OPERAND_NO_REGISTER. */
static unsigned legacy_register(const char *name, size_t length, bool *is_high)
{
    static const char letters[8][3] = {"a", "c", "d", "b", "sp", "bp", "si", "di"};
    char core[3] = {0};
    *is_high = false;
    if (length == 3 && (name[0] == 'r' || name[0] == 'e')) {
        name++;
        length--;
    }
    if (length == 3 && name[2] == 'l') /* sil, dil, bpl, spl */
        length--;
    if (length != 2)
        return OPERAND_NO_REGISTER;
    bool has_letter = name[0] >= 'a' && name[0] <= 'd';
    if (has_letter && (name[1] == 'x' || name[1] == 'l' || name[1] == 'h')) {
        *is_high = name[1] == 'h';
        core[0] = name[0];
    } else {
        memcpy(core, name, 2);
        if (core[1] != 'p' && core[1] != 'i')
            return OPERAND_NO_REGISTER;
    }
    for (unsigned i = 0; i < 8; i++)
        if (strcmp(letters[i], core) == 0)
            return i;
    return OPERAND_NO_REGISTER;
}

/* One or two digits below LIMIT at NAME; what follows is stored in *REST. */
static unsigned small_number(const char *name, size_t length, unsigned limit, size_t *used)
{
    unsigned value = 0;
    *used = 0;
    while (*used < length && *used < 2 && is_digit(name[*used]))
        value = value * 10 + (unsigned)(name[(*used)++] - '0');
    return *used && value < limit ? value : OPERAND_NO_REGISTER * 2u;
}

static unsigned general_register(const char *name, size_t length, bool *is_high)
{
    size_t used;
    *is_high = false;
    if (length < 2 || name[0] != 'r' || !is_digit(name[1]))
        return legacy_register(name, length, is_high);
    unsigned number = small_number(name + 1, length - 1, 16, &used);
    char suffix = length == used + 2 ? name[used + 1] : '\0';
    if (number < 8 || number > 15 || length > used + 2 ||
        (length == used + 2 && suffix != 'd' && suffix != 'w' && suffix != 'b' && suffix != 'l'))
        return OPERAND_NO_REGISTER;
    return number;
}

/* %name, up to a character that cannot belong to it. Returns what follows. */
static const char *parse_register(const char *text, unsigned *number, bool *is_high)
{
    const char *name = text + 1;
    size_t length = 0;
    while (is_digit(name[length]) || (name[length] >= 'a' && name[length] <= 'z'))
        length++;
    *number = *text == '%' ? general_register(name, length, is_high) : OPERAND_NO_REGISTER;
    return name + length;
}

/* A sum of numbers and at most one symbol. Returns what follows, NULL if it is no sum. */
static const char *parse_sum(const char *text, int64_t *sum, bool *has_symbol)
{
    uint64_t total = 0, value;
    *has_symbol = false;
    bool is_first = true;
    for (;; is_first = false) {
        bool is_negative = *text == '-';
        if (*text == '+' || *text == '-')
            text++;
        else if (!is_first)
            break;
        if (is_digit(*text)) {
            text = operand_magnitude(text, &value);
            if (!text)
                return NULL;
            total += is_negative ? -value : value;
        } else {
            size_t length = strcspn(text, " +-(),%$@:*/");
            if (!length || *has_symbol || is_negative)
                return NULL;
            *has_symbol = true;
            text += length;
        }
    }
    *sum = (int64_t)total;
    return text;
}

/* What is in the parentheses. False if it is nothing of ours. */
static bool parse_address(const char *text, struct operand *operand, bool *is_rip)
{
    unsigned number;
    bool is_high = false;
    uint64_t scale = 1;
    *is_rip = strncmp(text, "(%rip)", 6) == 0;
    if (*is_rip)
        return is_end(text[6]);
    text++;
    if (*text == '%') {
        text = parse_register(text, &number, &is_high);
        operand->base = (uint8_t)number;
        if (number == OPERAND_NO_REGISTER)
            return false;
    }
    if (*text == ',') {
        text = parse_register(text + 1, &number, &is_high);
        operand->index = (uint8_t)number;
        if (number == OPERAND_NO_REGISTER)
            return false;
        if (*text == ',' && !(text = operand_magnitude(text + 1, &scale)))
            return false;
    }
    operand->scale = (uint8_t)scale;
    return *text == ')' && is_end(text[1]) &&
           (scale == 1 || scale == 2 || scale == 4 || scale == 8) &&
           (operand->base != OPERAND_NO_REGISTER || operand->index != OPERAND_NO_REGISTER);
}

static void parse_memory(const char *text, struct operand *operand)
{
    bool has_symbol = false, is_rip = false;
    operand->is_indirect = *text == '*';
    text += operand->is_indirect;
    if (*text != '(')
        text = parse_sum(text, &operand->displacement, &has_symbol);
    if (!text)
        return;
    if (is_end(*text) && !has_symbol && !operand->is_indirect) {
        operand->kind = OPERAND_MEMORY;
        return;
    }
    if (*text != '(' || !parse_address(text, operand, &is_rip) || is_rip != has_symbol)
        return;
    if (is_rip || !operand->is_indirect)
        operand->kind = is_rip ? OPERAND_SYMBOL : OPERAND_MEMORY;
}

static void parse_name(const char *text, struct operand *operand)
{
    unsigned number;
    size_t used;
    bool is_vector = text[1] >= 'x' && text[1] <= 'z' && text[2] == 'm' && text[3] == 'm';
    if (is_vector) {
        /* xmm16 and on, of AVX-512, are not in what we save in this form. */
        number = small_number(text + 4, strcspn(text + 4, " \t"), 16, &used);
        if (number >= 16 || !is_end(text[4 + used]))
            return;
        operand->kind = OPERAND_VECTOR;
    } else {
        const char *end = parse_register(text, &number, &operand->is_high);
        if (number == OPERAND_NO_REGISTER || !is_end(*end))
            return;
        operand->kind = OPERAND_REGISTER;
    }
    operand->base = (uint8_t)number;
}

static void parse(const char *text, struct operand *operand)
{
    bool has_symbol;
    *operand = (struct operand){
        .kind = OPERAND_UNKNOWN, .base = OPERAND_NO_REGISTER, .index = OPERAND_NO_REGISTER};
    if (*text == '%') {
        parse_name(text, operand);
    } else if (*text == '$') {
        const char *end = parse_sum(text + 1, &operand->displacement, &has_symbol);
        if (end && is_end(*end) && !has_symbol)
            operand->kind = OPERAND_CONSTANT;
    } else {
        parse_memory(text, operand);
    }
}

/* ---- What others must know of a text. ---- */

/* The only word of the sum that is no number. */
static const char *name_of(const char *text, size_t *length)
{
    text += *text == '*';
    text += *text == '+' || *text == '-';
    while (is_digit(*text))
        text += strcspn(text, "+-") + 1;
    *length = strcspn(text, "+-(");
    return text;
}

/* What a register's name says of its size. */
static char size_of_register(const char *name, size_t length)
{
    bool is_numbered = length > 1 && name[0] == 'r' && name[1] >= '0' && name[1] <= '9';
    char last = name[length - 1];
    if (is_numbered)
        return last == 'd' ? '4' : last == 'w' ? '2' : last == 'b' || last == 'l' ? '1' : '8';
    if (length == 3 && name[0] == 'e')
        return '4';
    if (last == 'l' || last == 'h')
        return '1';
    return length == 2 ? '2' : '8';
}

static char size_of(const char *operand, size_t length)
{
    bool is_register = operand[0] == '%' && length > 2;
    return is_register ? size_of_register(operand + 1, length - 1) : '8';
}

const struct operand_syntax sdt_x86_64_operands = {
    .parse = parse, .name = name_of, .size = size_of};
