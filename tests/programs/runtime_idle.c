/* SPDX-License-Identifier: BSD-2-Clause */
/* Never calls the runtime; prints how much of its text mappings is no longer the file's. */
#include "runtime_fixture.h"

int main(void)
{
    char line[512];
    int is_text = 0;
    long changed = 0, mappings = 0;
    fx_call(0, 0, 0, 0, 0, 0);
    FILE *maps = fopen("/proc/self/smaps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        long kilobytes;
        if (strstr(line, " r-xp ")) {
            is_text = strstr(line, "a.out") != NULL || strstr(line, "libsdt") != NULL;
            mappings += is_text;
        } else if (strstr(line, " r--p ") || strstr(line, " rw-p ")) {
            is_text = 0;
        }
        if (is_text && sscanf(line, "Anonymous: %ld", &kilobytes) == 1)
            changed += kilobytes;
    }
    printf("%ld mappings, %ld kB changed\n", mappings, changed);
    return 0;
}
