/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * --at-compile: objects are processed right after the compiler has written them, so that archives
 * come out processed and the link is an ordinary one.
 *
 * sdtlink stands in front of everything, of ccache, too: what a cache stores are the compiler's own
 * objects. The processed object takes the place of the other by rename(), so that a file that the
 * cache has hard-linked there is never written to.
 */
#include "compile.h"

#include "diag.h"
#include "run.h"
#include "scan.h"
#include "supervise.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int compile_process_object(const char *path)
{
    struct options options = {.input = path, .output = path};
    diag_set_level(diag_is_verbose() ? DIAG_VERBOSE : DIAG_QUIET);
    int status = sdtlink_run(&options);
    /* Left unprocessed, it would look up to date to make. */
    if (status)
        unlink(path);
    return status;
}

/* Where the compiler puts the object of SOURCE when no -o says so; NULL: SOURCE is none. */
static char *derived_name(const char *source)
{
    static const char *const languages[] = {".c",   ".cc", ".cpp", ".cxx", ".c++", ".C",
                                            ".CPP", ".cp", ".i",   ".ii",  ".s",   ".S",
                                            ".sx",  ".m",  ".mm",  ".f90"};
    const char *slash = strrchr(source, '/');
    const char *base = slash ? slash + 1 : source, *dot = strrchr(base, '.');
    for (size_t i = 0; dot && i < sizeof languages / sizeof *languages; i++)
        if (!strcmp(dot, languages[i]))
            return memory_format("%.*s.o", (int)(dot - base), base);
    return NULL;
}

static int process_one(const char *path)
{
    unsigned found = scan_file(path);
    if (found & SCAN_INTERMEDIATE) {
        if (found & SCAN_LTO)
            diag_detail("%s: intermediate code; its probes are processed when it is linked", path);
        return STATUS_DONE;
    }
    return found & SCAN_PROBES ? compile_process_object(path) : STATUS_DONE;
}

static int process_outputs(const struct command *command)
{
    int status = STATUS_DONE;
    if (command->output)
        return process_one(command->output);
    for (size_t i = 0; i < command->operands.count && status == STATUS_DONE; i++) {
        char *path = derived_name(command->operands.list[i]);
        if (path)
            status = process_one(path);
        free(path);
    }
    return status;
}

int compile_and_process(const struct command *command, char **argv)
{
    int status = 0;
    if (supervise_begin() != 0)
        return STATUS_FAILED;
    pid_t child = supervise_fork();
    if (child == 0)
        _exit(launch_exec(NULL, argv));
    if (child > 0)
        supervise_wait(&child, &status, 1, NULL, 0);
    supervise_end();
    if (child < 0)
        return STATUS_FAILED;
    if (WIFSIGNALED(status))
        supervise_die(WTERMSIG(status));
    return WEXITSTATUS(status) ? WEXITSTATUS(status) : process_outputs(command);
}
