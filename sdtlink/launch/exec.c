/* SPDX-License-Identifier: BSD-2-Clause */
#include "exec.h"

#include "base/diag.h"

#include <errno.h>
#include <unistd.h>

int exec_program(const char *path, char **argv)
{
    if (path)
        execv(path, argv);
    else
        execvp(argv[0], argv);
    int error = errno;
    diag_errno("cannot run %s", path ? path : argv[0]);
    return error == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}
