/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt top, if sdt was built without ncurses. */
#include "base/diag.h"
#include "command/command.h"

int top_main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    diag_error("this sdt was built without ncurses, so it has no screen; 'sdt count -i 1' prints");
    return STATUS_FAILED;
}
