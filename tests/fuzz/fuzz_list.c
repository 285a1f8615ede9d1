/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Target: `sdtlink list` on any file, as text and as JSON: two refusals or two lists.
 */
#include "list.h"
#include "target.h"

#include <getopt.h>
#include <unistd.h>

static int list(const char *option, const char *path)
{
    char program[] = "list";
    char *arguments[] = {program, (char *)(uintptr_t)option, (char *)(uintptr_t)path, NULL};
    optind = 0; /* getopt starts anew */
    return list_main(3, arguments);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *input = target_path("in");
    target_write(input, data, size);
    int text = list("--", input), json = list("--json", input);
    target_require((text == 0 || text == 1) && text == json, "the status is 0 or 1, twice");
    unlink(input);
    return 0;
}
