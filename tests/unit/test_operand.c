/* SPDX-License-Identifier: BSD-2-Clause */
/* Operands of argument descriptors: what is one, and where it leads. */
#include "check.h"

#include <arch/operand.h>
#include <machine/registers.h>
#include <string.h>

static struct operand parse(const char *text)
{
    struct operand operand;
    operand_parse(text, &operand);
    return operand;
}

static void check_registers(void)
{
    static const struct {
        const char *text;
        unsigned number, is_high;
    } rows[] = {
        {"%rax", 0, 0},   {"%eax", 0, 0},      {"%ax", 0, 0},  {"%al", 0, 0},  {"%ah", 0, 1},
        {"%rcx", 1, 0},   {"%ch", 1, 1},       {"%edx", 2, 0}, {"%bl", 3, 0},  {"%bh", 3, 1},
        {"%rsp", 4, 0},   {"%spl", 4, 0},      {"%rbp", 5, 0}, {"%bp", 5, 0},  {"%bpl", 5, 0},
        {"%rsi", 6, 0},   {"%sil", 6, 0},      {"%edi", 7, 0}, {"%dil", 7, 0}, {"%r8", 8, 0},
        {"%r8d", 8, 0},   {"%r9w", 9, 0},      {"%r9b", 9, 0}, {"%r9l", 9, 0}, {"%r15", 15, 0},
        {"%r15b", 15, 0}, {"%r10 4@x", 10, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct operand operand = parse(rows[i].text);
        CHECK(operand.kind == OPERAND_REGISTER && operand.base == rows[i].number &&
              operand.is_high == rows[i].is_high);
    }
    CHECK(parse("%xmm0").kind == OPERAND_VECTOR && parse("%xmm15").base == 15);
}

static void check_constants(void)
{
    CHECK(parse("$5").kind == OPERAND_CONSTANT && parse("$5").displacement == 5);
    CHECK(parse("$-1").displacement == -1 && parse("$0x10").displacement == 16);
    CHECK(parse("$010").displacement == 8 && parse("$-0x1f").displacement == -31);
    CHECK(parse("7").kind == OPERAND_MEMORY && parse("7").displacement == 7);
    CHECK(parse("$18446744073709551614").displacement == -2);
    CHECK(parse("$-9223372036854775808").displacement == INT64_MIN);
}

static void check_memory(void)
{
    struct registers registers = {.general = {[0] = 1000, [3] = 2000, [5] = 3000, [12] = 4}};
    static const struct {
        const char *text;
        int64_t address;
    } rows[] = {
        {"(%rax)", 1000},           {"-8(%rbp)", 2992},      {"+8(%rbp)", 3008},
        {"-16+4(%rbp)", 2988},      {"(%rax,%r12,8)", 1032}, {"16(%rbx,%r12)", 2020},
        {"1(,%r12,4)", 17},         {"0x10(%rax)", 1016},    {"-16+4+4(%rbp)", 2992},
        {"4(%rax) 4@(%rbx)", 1004},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct operand operand = parse(rows[i].text);
        CHECK(operand.kind == OPERAND_MEMORY);
        CHECK(operand_address(&operand, &registers) == (uint64_t)rows[i].address);
    }
}

static void check_symbols(void)
{
    CHECK(parse("name(%rip)").kind == OPERAND_SYMBOL && parse("name(%rip)").displacement == 0);
    CHECK(parse("name+8(%rip)").kind == OPERAND_SYMBOL && parse("name+8(%rip)").displacement == 8);
    CHECK(parse("*name(%rip)").kind == OPERAND_SYMBOL && parse("*name(%rip)").is_indirect);
    CHECK(!parse("name(%rip)").is_indirect && parse("*5").kind == OPERAND_UNKNOWN);
    CHECK(parse("8+a.b$1(%rip)").kind == OPERAND_UNKNOWN);
    CHECK(parse("8+a.b(%rip)").displacement == 8 && parse("-4+x(%rip)").displacement == -4);
}

static void check_others(void)
{
    static const char *const rows[] = {
        "",
        "?",
        "%",
        "%rip",
        "%r7",
        "%r16",
        "%rab",
        "%xmm16",
        "%xmm",
        "%fs:0",
        "%st(0)",
        "$",
        "$x",
        "name",
        "name+8",
        "(",
        "()",
        "(%rax",
        "8(%rax,%rbx,3)",
        "8(%eip)",
        "(%rip)",
        "8(%rip)",
        "a(%rax)",
        "a+b(%rip)",
        "-a(%rip)",
        "a@GOTPCREL(%rip)",
        "%fs:8(%rax)",
        "(%rax)x",
        "%raxx",
        "*8(%rax)",
        "%al8",
        "%r8x",
        "%k1",
        "0x(%rax)",
        "DWORD",
        "[rbp-8]",
        "(%rax,)",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK(parse(rows[i]).kind == OPERAND_UNKNOWN);
        if (parse(rows[i]).kind != OPERAND_UNKNOWN)
            printf("  '%s'\n", rows[i]);
    }
}

/* What is known of a text that is not evaluated. */
static void check_texts(void)
{
    static const struct {
        const char *text;
        char size;
    } rows[] = {{"%rax", '8'},  {"%eax", '4'}, {"%ax", '2'},    {"%ah", '1'},
                {"%sil", '1'},  {"%r8", '8'},  {"%r9w", '2'},   {"%r10d", '4'},
                {"%r15b", '1'}, {"$5", '8'},   {"8(%rax)", '8'}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK(operand_syntax->size(rows[i].text, strlen(rows[i].text)) == rows[i].size);
    unsigned n = 0;
    for (const char *at = "8@a(%rip) 4@%eax 8@*b(%rip)"; (at = operand_next_symbol(at));)
        n++;
    CHECK(n == 2);
}

/* The variable's name, and the sum of the numbers beside it. */
static void check_names(void)
{
    static const struct {
        const char *text, *name;
        int64_t sum;
    } rows[] = {{"name(%rip)", "name", 0},       {"8+a(%rip)", "a", 8},
                {"a+8(%rip)", "a", 8},           {"*name(%rip)", "name", 0},
                {"-0x10+var(%rip)", "var", -16}, {"a.1-4+2(%rip) 8@b(%rip)", "a.1", -2},
                {"+4+x-0x10(%rip)", "x", -12}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct operand operand = parse(rows[i].text);
        size_t length = 0;
        const char *name = operand_syntax->name(rows[i].text, &length);
        CHECK(operand.kind == OPERAND_SYMBOL && operand.displacement == rows[i].sum);
        CHECK(length == strlen(rows[i].name) && memcmp(name, rows[i].name, length) == 0);
    }
}

static void check_readable(void)
{
    struct operand high = parse("%ah"), low = parse("%al"), none = parse("%fs:0");
    CHECK(operand_is_readable(&high, 1) && !operand_is_readable(&high, 2));
    CHECK(operand_is_readable(&low, 8) && !operand_is_readable(&none, 8));
}

int main(void)
{
    check_registers();
    check_constants();
    check_memory();
    check_symbols();
    check_others();
    check_texts();
    check_names();
    check_readable();
    return check_failures != 0;
}
