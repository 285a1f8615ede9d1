/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Target: `sdtlink verify` on any file. Its own code is instrumented, LLVM's is not.
 *
 * LLVM's readers end the program on some damaged files; the command says so and exits. Here that
 * ends the round only, and what LLVM had allocated is lost: so leaks are not looked for.
 */
#include "target.h"

#include <getopt.h>
#include <setjmp.h>
#include <unistd.h>

int verify_program(int argc, char **argv); /* main() of sdtlink-verify, renamed */
_Noreturn void verify_exit(int status);    /* its _Exit() */
const char *__asan_default_options(void);

static jmp_buf given_up;

void verify_exit(int status)
{
    target_require(status == 1, "who gives up says so");
    longjmp(given_up, 1);
}

const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char program[] = "verify";
    const char *input = target_path("in");
    target_write(input, data, size);
    char *arguments[] = {program, (char *)(uintptr_t)input, NULL};
    if (setjmp(given_up) == 0) {
        optind = 0; /* getopt starts anew */
        int status = verify_program(2, arguments);
        target_require(status == 0 || status == 1, "the status is 0 or 1");
    }
    unlink(input);
    return 0;
}
