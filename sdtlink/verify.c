/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `sdtlink verify` is an executable of its own, so that the tool never loads LLVM (10 ms and 50 MB
 * that every compilation would pay). It is looked for relative to the running program, never in
 * PATH: the two must be of one version, wherever they were installed or copied to.
 */
#include "verify.h"

#include "base/diag.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* In the build tree beside sdtlink, installed in ../libexec/sdtlink of its directory. */
static const char *const places[] = {"sdtlink-verify", "../libexec/sdtlink/sdtlink-verify"};

int verify_main(int argc, char **argv)
{
    char self[PATH_MAX], program[PATH_MAX + 64];
    (void)argc;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) {
        diag_errno("verify: cannot find my own directory: /proc/self/exe");
        return 1;
    }
    self[length] = 0;
    char *slash = strrchr(self, '/');
    int directory = slash ? (int)(slash - self) : 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(program, sizeof program, "%.*s/%s", directory, self, places[i]);
        execv(program, argv);
        if (errno != ENOENT) {
            diag_errno("verify: cannot run %s", program);
            return 1;
        }
    }
    diag_error(
        "verify: sdtlink-verify is not installed beside this sdtlink (looked for %.*s/%s and "
        "%.*s/%s): it is built where LLVM 14 or later is found; install llvm-dev and build "
        "again",
        directory, self, places[0], directory, self, places[1]);
    return 1;
}
