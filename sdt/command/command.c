/* SPDX-License-Identifier: BSD-2-Clause */
#include "command.h"

#include "base/diag.h"

#include <stdio.h>

int command_wrong(const char *command, const char *problem)
{
    diag_error("%s", problem);
    fprintf(stderr, "Try 'sdt %s --help'.\n", command);
    return STATUS_USAGE;
}
