/* SPDX-License-Identifier: BSD-2-Clause */
/* xray_patch CYCLES: how long XRay takes to patch all functions of the program, and to undo it. */
#include "now.h"

#include <stdio.h>
#include <stdlib.h>

int __xray_patch(void); /* 1: success; the header is for C++ only */
int __xray_unpatch(void);

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    for (int i = 0; i < atoi(argv[1]); i++) {
        double start = now();
        int status = __xray_patch();
        double patched = now();
        if (status != 1 || __xray_unpatch() != 1)
            return 1;
        printf("enable %.0f\ndisable %.0f\n", patched - start, now() - patched);
    }
    return 0;
}
