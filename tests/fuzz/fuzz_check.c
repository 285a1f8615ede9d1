/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Target: `sdtlink list --check` on any file, in all its forms: the same status each time.
 */
#include "list.h"
#include "target.h"

#include <getopt.h>
#include <unistd.h>

static int check(const char *level, const char *form, const char *path)
{
    char program[] = "list";
    char *arguments[] = {program, (char *)(uintptr_t)level, (char *)(uintptr_t)form,
                         (char *)(uintptr_t)path, NULL};
    optind = 0; /* getopt starts anew */
    return list_main(4, arguments);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *input = target_path("in");
    target_write(input, data, size);
    int text = check("--check", "--", input), json = check("--check", "--json", input);
    int never = check("--check=never", "--sarif", input);
    target_require((text == 0 || text == 1) && text == json, "the status is 0 or 1, twice");
    target_require(never == 0 || never == text, "what cannot be read cannot be checked");
    unlink(input);
    return 0;
}
