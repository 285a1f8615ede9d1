/* SPDX-License-Identifier: BSD-2-Clause */
/* Argument descriptors: what is one, and what it says. */
#include "check.h"

#include <site/args.h>

static void check_good(void)
{
    struct args args;
    CHECK(args_parse("", 0, &args) && args.count == 0);
    CHECK(args_parse("-4@%rdi 8p@%rsi 8f@%rdx 2@8(%rsp) 4f@-16(%rbp) 1@$200 -1@$-3", 7, &args));
    static const unsigned types[] = {
        4 | SDT_ARG_SIGNED, 8 | SDT_ARG_POINTER, 8 | SDT_ARG_FLOAT, 2, 4 | SDT_ARG_FLOAT, 1,
        1 | SDT_ARG_SIGNED};
    CHECK(args.count == 7);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        CHECK(args.type[i] == types[i]);
    CHECK(args_parse("8@a 8@a 8@a 8@a 8@a 8@a 8@a 8@a 8@a 8@a 8@a 8@a", 12, &args));
    args_untyped(&args);
    CHECK(args.count == 6 && args.type[0] == 8 && args.type[5] == 8);
}

static void check_bad(void)
{
    static const struct {
        const char *text;
        unsigned count;
    } rows[] = {
        {"", 1},
        {"4@%rdi", 0},
        {"4@%rdi", 2},
        {"4@%rdi 4@%rsi", 1},
        {"3@%rdi", 1},
        {"@%rdi", 1},
        {"4%rdi", 1},
        {"4@", 1},
        {"-@%rdi", 1},
        {"16@%rdi", 1},
        {"2f@%rdi", 1},
        {"4p@%rdi", 1},
        {"-8p@%rdi", 1},
        {"8x@%rdi", 1},
        {"4@%rdi ", 1},
        {" 4@%rdi", 1},
        {"4@ 4@%rdi", 2},
        {"4", 1},
        {"4@%rdi  4@%rsi", 2},
        {"--4@%rdi", 1},
        {"8@a 8@a 8@a 8@a 8@a 8@a 8@a 8@a 8@a 8@a 8@a 8@a 8@a", 13},
    };
    struct args args;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK(!args_parse(rows[i].text, rows[i].count, &args));
        if (args_parse(rows[i].text, rows[i].count, &args))
            printf("  '%s'\n", rows[i].text);
    }
}

int main(void)
{
    check_good();
    check_bad();
    return check_failures != 0;
}
