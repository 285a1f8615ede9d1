/* SPDX-License-Identifier: BSD-2-Clause */
/* The search for parts of names: what memmem() finds, wherever it is. */
#include "check.h"

#include "launch/needles.h"

#include <stdbool.h>
#include <string.h>

enum { MOST = 300 };
static const char *const parts[2] = {"sdt", "o_slim"};

static unsigned expected(const uint8_t *strings, size_t size)
{
    unsigned found = 0;
    for (unsigned i = 0; i < 2; i++)
        found |= (memmem(strings, size, parts[i], strlen(parts[i])) != NULL) << i;
    return found;
}

/* At every place of tables of every size, cut off at their end. */
static void check_places(const char *text)
{
    uint8_t strings[MOST];
    for (size_t size = 0; size <= MOST; size++)
        for (size_t at = 0; at < size; at++) {
            size_t length = strlen(text);
            memset(strings, 'x', sizeof strings);
            memcpy(strings + at, text, length < size - at ? length : size - at);
            CHECK(needles_find(strings, size, parts) == expected(strings, size));
        }
}

int main(void)
{
    static const char *const texts[] = {"sdt", "o_slim", "sdsdt", "so_slimsdt", "sd", "o_"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_places(texts[i]);
    return check_failures != 0;
}
