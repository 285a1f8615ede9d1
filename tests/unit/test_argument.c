/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The values of arguments: every operand, as every type, is what a cast of its bytes says, whoever
 * asks (sdt_arg, sdt_args, one who comes while the plan of the site is being made).
 */
#include "check.h"

#include <hit/argument.h>
#include <registry/dispatch.h>
#include <string.h>

static const char *const types[] = {"1", "-1", "2", "-2", "4", "-4", "8", "-8", "8p", "4f", "8f"};
enum { TYPES = sizeof types / sizeof *types, COUNT = TYPES + 1 };

/* The descriptor under test, with room for the distances to variables in front of it. */
static struct {
    int32_t distance[16];
    char text[512];
} descriptor;

/* Memory that operands name. The value is not at its start. */
static struct {
    uint64_t before, value, after;
} memory;
static const uint64_t *pointer = &memory.value, *null_pointer;

static struct registers registers;
static uint8_t vectors[16 * 32];
static struct sdt_site record;
static uint64_t room[128];
static struct site site;
static struct sdt_event event;

/* The bytes at P as an argument of the type that TEXT begins with. */
static uint64_t cast(const char *type, const void *p)
{
    union {
        int8_t s1;
        int16_t s2;
        int32_t s4;
        uint8_t u1;
        uint16_t u2;
        uint32_t u4;
        uint64_t u8;
        float f4;
    } v;
    double wide;
    uint64_t word;
    memcpy(&v, p, type[0] == '-' ? type[1] - '0' : type[0] - '0');
    if (strcmp(type, "4f") == 0) {
        wide = (double)v.f4;
        memcpy(&word, &wide, sizeof word);
        return word;
    }
    if (type[0] == '-')
        return type[1] == '1'   ? (uint64_t)v.s1
               : type[1] == '2' ? (uint64_t)v.s2
               : type[1] == '4' ? (uint64_t)v.s4
                                : v.u8;
    return type[0] == '1' ? v.u1 : type[0] == '2' ? v.u2 : type[0] == '4' ? v.u4 : v.u8;
}

/* A site that was not asked yet, with OPERAND as every type, and %r9 as the last argument. */
static void make_site(unsigned kind, const char *operand, const void *variable)
{
    char *end = descriptor.text;
    for (unsigned i = 0; i < TYPES; i++)
        end += sprintf(end, "%s@%s ", types[i], operand);
    sprintf(end, "8@%%r9");
    for (int i = 0; i < 16; i++)
        descriptor.distance[i] = (int32_t)((intptr_t)variable - (intptr_t)&descriptor.distance[i]);
    memset(room, 0, sizeof room);
    memset(&site, 0, sizeof site);
    record.kind = (uint8_t)kind;
    record.args = (int32_t)((intptr_t)descriptor.text - (intptr_t)&record.args);
    site.record = &record;
    site.kind = (uint8_t)kind;
    CHECK(args_parse(descriptor.text, COUNT, &site.args));
    CHECK(fetch_words(COUNT) < sizeof room / sizeof *room);
    room[fetch_words(COUNT)] = 0x5afe;
    site.of_argument.fetch = fetch_unread;
    site.of_argument.room = room;
    event = (struct sdt_event){.site = &site, .registers = &registers, .fetch = fetch_unread};
}

static void compare(const char *how, const char *operand, unsigned i, uint64_t found,
                    uint64_t expected)
{
    if (found != expected)
        printf("  %s, %s@%s: %#lx, not %#lx\n", how, types[i], operand, found, expected);
    CHECK(found == expected);
}

/* EXPECTED: of each type. */
static void check_site(unsigned kind, const char *operand, const void *variable,
                       const uint64_t expected[TYPES])
{
    uint64_t words[COUNT + 1];
    make_site(kind, operand, variable);
    CHECK(sdt_arg_double(&event, COUNT) == 0);
    CHECK(sdt_nargs(&event) == COUNT && site.of_argument.fetch == fetch_unread);
    for (int round = 0; round < 2; round++)
        for (unsigned i = 0; i < TYPES; i++)
            compare("sdt_arg", operand, i, sdt_arg(&event, i), expected[i]);
    CHECK(sdt_arg(&event, TYPES) == registers.general[9] && sdt_nargs(&event) == COUNT);
    CHECK(sdt_arg(&event, COUNT) == 0 && sdt_arg(&event, UINT32_MAX) == 0);
    CHECK(site.of_argument.fetch != fetch_unread && site.of_argument.room == NULL);
    CHECK(room[fetch_words(COUNT)] == 0x5afe);

    for (int round = 0; round < 2; round++) { /* one who asks first, and one with the plan made */
        words[COUNT] = 0xbad;
        CHECK(sdt_args(&event, words, COUNT + round) == COUNT && words[COUNT] == 0xbad);
        for (unsigned i = 0; i < TYPES; i++)
            compare("sdt_args", operand, i, words[i], expected[i]);
        CHECK(words[TYPES] == registers.general[9]);
        make_site(kind, operand, variable);
    }
    words[3] = 0xbad;
    CHECK(sdt_args(&event, words, 3) == 3 && words[3] == 0xbad && sdt_args(&event, words, 0) == 0);

    make_site(kind, operand, variable);
    site.of_argument.room = NULL; /* another thread is making the plan */
    for (unsigned i = 0; i < TYPES; i++)
        compare("meanwhile", operand, i, sdt_arg(&event, i), expected[i]);
    CHECK(sdt_args(&event, words, COUNT) == COUNT && words[0] == expected[0]);
    CHECK(site.of_argument.fetch == fetch_unread);
}

/* What OPERAND names is at BYTES; NULL: it is not available. */
static void check_operand(unsigned kind, const char *operand, const void *variable,
                          const void *bytes)
{
    uint64_t expected[TYPES] = {0};
    for (unsigned i = 0; bytes && i < TYPES; i++)
        expected[i] = cast(types[i], bytes);
    check_site(kind, operand, variable, expected);
}

static void check_both(const char *operand, const void *variable, const void *bytes)
{
    check_operand(SDT_KIND_INLINE, operand, variable, bytes);
    check_operand(SDT_KIND_NOP1, operand, variable, bytes);
}

static void check_registers(void)
{
    static const char names[16][4][8] = {
        {"%rax", "%eax", "%ax", "%al"},      {"%rcx", "%ecx", "%cx", "%cl"},
        {"%rdx", "%edx", "%dx", "%dl"},      {"%rbx", "%ebx", "%bx", "%bl"},
        {"%rsp", "%esp", "%sp", "%spl"},     {"%rbp", "%ebp", "%bp", "%bpl"},
        {"%rsi", "%esi", "%si", "%sil"},     {"%rdi", "%edi", "%di", "%dil"},
        {"%r8", "%r8d", "%r8w", "%r8b"},     {"%r9", "%r9d", "%r9w", "%r9l"},
        {"%r10", "%r10d", "%r10w", "%r10b"}, {"%r11", "%r11d", "%r11w", "%r11l"},
        {"%r12", "%r12d", "%r12w", "%r12b"}, {"%r13", "%r13d", "%r13w", "%r13b"},
        {"%r14", "%r14d", "%r14w", "%r14b"}, {"%r15", "%r15d", "%r15w", "%r15b"},
    };
    static const char second[4][8] = {"%ah", "%ch", "%dh", "%bh"};
    char name[8];
    for (unsigned n = 0; n < 16; n++) {
        for (unsigned form = 0; form < 4; form++)
            check_both(names[n][form], &memory, &registers.general[n]);
        snprintf(name, sizeof name, "%%xmm%u", n);
        check_both(name, &memory, vectors + n * registers.vector_step);
    }
    for (unsigned n = 0; n < 4; n++) { /* one byte: it is no larger number */
        const uint8_t *byte = (const uint8_t *)&registers.general[n] + 1;
        uint64_t expected[TYPES] = {*byte, (uint64_t)(int8_t)*byte};
        check_site(SDT_KIND_INLINE, second[n], &memory, expected);
        check_site(SDT_KIND_NOP1, second[n], &memory, expected);
    }
}

static void check_constants(void)
{
    static const struct {
        const char *text;
        uint64_t value;
    } rows[] = {{"$0", 0},
                {"$5", 5},
                {"$-1", UINT64_MAX},
                {"$200", 200},
                {"$0x8000", 32768},
                {"$-129", (uint64_t)-129},
                {"$4294967295", UINT32_MAX},
                {"$-9223372036854775808", UINT64_C(1) << 63}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_both(rows[i].text, &memory, &rows[i].value);
}

static void check_memory(void)
{
    static const char *const bases[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                        "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
    struct registers saved = registers;
    char text[64];
    for (unsigned n = 0; n < 16; n++) {
        registers.general[n] = (uint64_t)(uintptr_t)&memory.after;
        snprintf(text, sizeof text, "-8(%%%s)", bases[n]);
        check_both(text, &memory, &memory.value);
        registers.general[n] = (uint64_t)(uintptr_t)&memory.value;
        snprintf(text, sizeof text, "(%%%s)", bases[n]);
        check_both(text, &memory, &memory.value);
        registers.general[n] = 8; /* the field of a null pointer */
        if (n != 4)
            check_both(text, &memory, NULL);
        registers = saved;
    }
    registers.general[3] = (uint64_t)(uintptr_t)&memory;
    registers.general[12] = 2;
    check_both("(%rbx,%r12,4)", &memory, &memory.value);
    check_both("4(%rbx,%r12,2)", &memory, &memory.value);
    snprintf(text, sizeof text, "%lu(,%%r12,4)", (unsigned long)(uintptr_t)&memory);
    check_both(text, &memory, &memory.value);
    snprintf(text, sizeof text, "%lu", (unsigned long)(uintptr_t)&memory.value);
    check_both(text, &memory, &memory.value);
    registers.general[3] = UINT64_C(1) << 63; /* no valid address: a note may say anything */
    check_operand(SDT_KIND_NOP1, "(%rbx)", &memory, NULL);
    check_operand(SDT_KIND_NOP1, "(%rbx,%r12)", &memory, NULL);
    registers = saved;
}

static void check_variables(void)
{
    check_both("name(%rip)", &memory.value, &memory.value);
    check_both("*name(%rip)", &pointer, &memory.value);
    check_both("*name(%rip)", &null_pointer, NULL); /* weak, and undefined */
}

/* Each has a distance of its own, the first one next to the text. */
static void check_distances(void)
{
    static uint64_t variables[3] = {7, 8, 9}, *got = &variables[1];
    make_site(SDT_KIND_NOP1, "name(%rip)", &memory);
    strcpy(descriptor.text, "8@a(%rip) 8@*b(%rip) 8@%rax 8@c(%rip)");
    const void *places[] = {&variables[0], &got, &variables[2]};
    for (int i = 0; i < 3; i++)
        descriptor.distance[15 - i] =
            (int32_t)((intptr_t)places[i] - (intptr_t)&descriptor.distance[15 - i]);
    CHECK(args_parse(descriptor.text, 4, &site.args));
    CHECK(sdt_arg(&event, 4) == 0 && sdt_arg(&event, 3) == 9); /* whoever asks first */
    CHECK(sdt_arg(&event, 0) == 7 && sdt_arg(&event, 1) == 8);
    CHECK(sdt_arg(&event, 2) == registers.general[0]);
}

/* A damaged record may say that it has arguments, and not which. */
static void check_no_descriptor(void)
{
    make_site(SDT_KIND_INLINE, "%rax", &memory);
    args_untyped(&site.args);
    record.args = 0;
    for (unsigned i = 0; i < 7; i++)
        CHECK(sdt_arg(&event, i) == 0);
}

static void check_unavailable(void)
{
    static const char *const rows[] = {"?", "%st(0)", "%fs:0", "%xmm16", "%r16", "8(%rax,%rbx,3)"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_both(rows[i], &memory, NULL);
}

/* Floats become doubles: every kind of number there is, by its bits, and as the CPU does it. */
static void check_floats(void)
{
    static const struct {
        const char *what;
        uint32_t single;
        uint64_t wide;
    } rows[] = {
        {"zero", 0x00000000, 0x0000000000000000},
        {"minus zero", 0x80000000, 0x8000000000000000},
        {"one", 0x3f800000, 0x3ff0000000000000},
        {"minus a third", 0xbeaaaaab, 0xbfd5555560000000},
        {"smallest subnormal", 0x00000001, 0x36a0000000000000},
        {"smallest subnormal below zero", 0x80000001, 0xb6a0000000000000},
        {"two bits of a subnormal", 0x00000003, 0x36b8000000000000},
        {"largest subnormal", 0x007fffff, 0x380fffffc0000000},
        {"half of the smallest normal", 0x00400000, 0x3800000000000000},
        {"smallest normal", 0x00800000, 0x3810000000000000},
        {"largest finite", 0x7f7fffff, 0x47efffffe0000000},
        {"largest finite below zero", 0xff7fffff, 0xc7efffffe0000000},
        {"infinity", 0x7f800000, 0x7ff0000000000000},
        {"minus infinity", 0xff800000, 0xfff0000000000000},
        {"quiet NaN", 0x7fc00000, 0x7ff8000000000000},
        {"quiet NaN below zero", 0xffc00000, 0xfff8000000000000},
        {"quiet NaN with a payload", 0x7fd55555, 0x7ffaaaaaa0000000},
        {"quiet NaN with all of a payload", 0x7fffffff, 0x7fffffffe0000000},
        {"signalling NaN becomes quiet", 0x7f800001, 0x7ff8000020000000},
        {"signalling NaN below zero", 0xffbfffff, 0xffffffffe0000000},
        {"signalling NaN with a payload", 0x7fa55555, 0x7ffcaaaaa0000000},
    };
    enum { FLOAT = TYPES - 2 };
    uint64_t words[COUNT];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        registers.general[0] = UINT64_C(0xdeadbeef) << 32 | rows[i].single;
        CHECK(strcmp(types[FLOAT], "4f") == 0 && cast("4f", &rows[i].single) == rows[i].wide);
        make_site(SDT_KIND_INLINE, "%rax", &memory);
        for (int round = 0; round < 2; round++) /* before there is a plan, and by it */
            compare(rows[i].what, "%rax", FLOAT, sdt_arg(&event, FLOAT), rows[i].wide);
        CHECK(sdt_args(&event, words, COUNT) == COUNT);
        compare(rows[i].what, "%rax", FLOAT, words[FLOAT], rows[i].wide);
    }
}

static void check_calls(void)
{
    static uint64_t stack[6]; /* what event refers to afterwards */
    uint64_t words[13];
    event = (struct sdt_event){.stack = stack};
    for (unsigned i = 0; i < 6; i++) {
        event.words[i] = UINT64_MAX - i;
        stack[i] = 100 + i;
    }
    for (unsigned count = 0; count <= SDT_MAX_ARGS; count++) {
        const struct args args = {.count = (uint8_t)count};
        event.fetch = fetch_at_call(&args);
        for (unsigned n = 0; n <= 13; n++) {
            unsigned wanted = n < count ? n : count;
            memset(words, 0xbb, sizeof words);
            CHECK(sdt_args(&event, words, n) == wanted);
            for (unsigned i = 0; i < 13; i++)
                CHECK(words[i] == (i >= wanted ? UINT64_C(0xbbbbbbbbbbbbbbbb)
                                   : i < 6     ? UINT64_MAX - i
                                               : 94 + i));
            CHECK(sdt_arg(&event, n) == (n >= count ? 0 : n < 6 ? UINT64_MAX - n : 94 + n));
        }
        CHECK(sdt_nargs(&event) == count);
    }
}

/* Bytes that are a negative number, or a positive one, as every type. */
static void fill(uint64_t pattern, uint64_t step)
{
    memory.before = memory.after = 0x1111111111111111;
    memory.value = pattern;
    for (unsigned i = 0; i < 16; i++)
        registers.general[i] = pattern + i * 0x0101;
    registers.vectors = vectors;
    registers.vector_step = step;
    for (unsigned i = 0; i < sizeof vectors / sizeof pattern; i++)
        memcpy(vectors + i * sizeof pattern, &(uint64_t){pattern + i}, sizeof pattern);
}

int main(void)
{
    static const uint64_t patterns[] = {UINT64_C(0xc0490fdbc0498f9b), UINT64_C(0x40490f5b40490f1b)};
    fetch_start();
    for (int i = 0; i < 2; i++) {
        fill(patterns[i], i ? 32 : 16);
        check_registers();
        check_constants();
        check_memory();
        check_variables();
    }
    check_distances();
    check_no_descriptor();
    check_unavailable();
    check_calls();
    check_floats();
    return check_failures != 0;
}
