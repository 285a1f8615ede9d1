/* SPDX-License-Identifier: BSD-2-Clause */
/* The numbers and times of expressions, and where they end. */
#include "check.h"

#include <shared/words.h>
#include <string.h>

static void check_times(void)
{
    static const struct {
        const char *text;
        size_t length; /* 0: none */
        uint64_t ns;
    } cases[] = {
        {"10ms", 4, 10000000},
        {"5us)", 3, 5000},
        {"1.5s", 4, 1500000000},
        {"7ns", 3, 7},
        {"0s", 2, 0},
        {".5us", 4, 500},
        {"1e3us", 5, 1000000},
        {"1.005us", 7, 1005},
        {"0.1ms", 5, 100000},
        {"1.4ns", 5, 1},
        {"1.5ns", 5, 2},
        {"4.35s+1", 5, 4350000000},
        {"9223372036s", 11, 9223372036000000000},
        {"9223372037s", 0, 0}, /* more than 63 bits */
        {"9223372036854775807ns", 21, INT64_MAX},
        {"9223372036854775808ns", 0, 0},
        {"1e10s", 0, 0},
        {"99999999999999999999ms", 0, 0},
        {"10min", 0, 0},
        {"10msx", 0, 0},
        {"10ms2", 0, 0},
        {"10MS", 0, 0},
        {"10m", 0, 0},
        {"0x5s", 0, 0},
        {"1 s", 1, 0}, /* a number, and a word */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct word_number number;
        size_t length = word_number(cases[i].text, &number);
        bool is_time = length && strchr("snmu", cases[i].text[length - 1]);
        bool is_right = length == cases[i].length &&
                        (!length || (number.is_time == is_time && !number.is_real)) &&
                        (!is_time || number.integer == cases[i].ns);
        if (!is_right)
            printf("%s: %zu\n", cases[i].text, length);
        CHECK(is_right);
    }
}

static void check_numbers(void)
{
    struct word_number number;
    CHECK(word_number("12+", &number) == 2 && number.integer == 12 && !number.is_time);
    CHECK(word_number("0x1fs", &number) == 0);
    CHECK(word_number("0x1f", &number) == 4 && number.integer == 31 && !number.is_real);
    CHECK(word_number("0.5", &number) == 3 && number.is_real && !number.is_time);
    CHECK(word_number("18446744073709551615", &number) == 20 && number.integer == UINT64_MAX);
    CHECK(word_number("18446744073709551616", &number) == 0);
}

/* As --when has it. */
static void check_blanks(void)
{
    uint64_t ns = 1;
    CHECK(word_time("1.5 s", &ns) == 5 && ns == 1500000000);
    CHECK(word_time("10ms", &ns) == 4 && ns == 10000000);
    CHECK(word_time("10 \t us ", &ns) == 7 && ns == 10000);
    CHECK(word_time("10", &ns) == 0 && word_time("10 min", &ns) == 0 && word_time("ms", &ns) == 0);
    CHECK(word_time("-1 s", &ns) == 0 && word_time("", &ns) == 0);
}

int main(void)
{
    check_times();
    check_numbers();
    check_blanks();
    return check_failures != 0;
}
