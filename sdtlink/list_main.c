/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtlink-list, which is `sdtlink list` (commands.h). */
#include "base/output.h"
#include "base/status.h"
#include "list.h"
#include "list/signatures.h"
#include "options.h"

#include <string.h>

int main(int argc, char **argv)
{
    static char name[] = "list";
    output_guard_streams();
    output_guard_reading();
    if (!argc || !options_are_printable(argv))
        return STATUS_USAGE;
    if (argc == 3 && !strcmp(argv[1], "--signatures"))
        return output_flush(signatures_main(argv[2]));
    argv[0] = name;
    return output_flush(list_main(argc, argv));
}
