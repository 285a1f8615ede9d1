/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of values in descriptors (runtime/shared/labels.c). */
#include "check.h"

#include <shared/describe.h>
#include <stdlib.h>
#include <string.h>

static void check_labels(const char *text, unsigned count, const struct describe_label *expected)
{
    unsigned found;
    struct describe_label *labels = describe_read_labels(text, &found);
    CHECK(found == count);
    for (unsigned i = 0; i < count && i < found; i++) {
        CHECK(labels[i].value == expected[i].value);
        CHECK(strcmp(labels[i].text, expected[i].text) == 0);
    }
    free(labels);
}

static void test_values_and_names(void)
{
    const struct describe_label expected[] = {{0, "idle"}, {UINT64_MAX, "in use"}};
    check_labels(";0=idle;-1=in%20use:state", 2, expected);
    const struct describe_label ends[] = {{UINT64_MAX, "%"}, {(uint64_t)INT64_MIN, "a%zz%0"}};
    check_labels(";18446744073709551615=%25;-9223372036854775808=a%zz%0:", 2, ends);
}

static void test_what_is_no_label_is_passed_over(void)
{
    const struct describe_label expected[] = {{7, "x"}};
    check_labels(NULL, 0, NULL);
    check_labels("", 0, NULL);
    check_labels(":name", 0, NULL);
    check_labels(";;=;1;1=;-=a;a=b;7=x;18446744073709551616=big", 1, expected);
    check_labels("0=idle:", 0, NULL);
}

static void test_a_name_has_no_nul(void)
{
    const struct describe_label expected[] = {{1, "a%00b"}};
    check_labels(";1=a%00b:", 1, expected);
}

int main(void)
{
    test_values_and_names();
    test_what_is_no_label_is_passed_over();
    test_a_name_has_no_nul();
    return check_failures != 0;
}
