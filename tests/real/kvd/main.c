/* SPDX-License-Identifier: BSD-2-Clause */
#include "kvd.h"

#include <stdio.h>

int main(void)
{
    char line[64];
    int done = 0;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        done += kvd_command(line, 7);
    }
    printf("%d done, %s\n", done, kvd_find("k1") ? "k1 is there" : "no k1");
    return 0;
}
