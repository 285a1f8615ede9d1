/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The processed object replaces the other by rename(), so that a file that is hard-linked elsewhere
 * (in the cache of ccache) is never written to.
 *
 * An object left unprocessed would look up to date to make. So a separate process does the work,
 * and the object is removed if either process ends early.
 */
#include "in_place.h"

#include "base/diag.h"
#include "base/status.h"
#include "exec.h"
#include "process.h"
#include "scan.h"
#include "supervise.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct words *unfinished;

static void remove_unfinished(void)
{
    struct stat status;
    for (size_t i = 0; unfinished && i < unfinished->count; i++)
        if (stat(unfinished->list[i], &status) == 0 && S_ISREG(status.st_mode))
            unlink(unfinished->list[i]);
    unfinished = NULL;
}

static int process_in_place(const struct launcher_options *launch, const char *path)
{
    struct options options = {.input = path,
                              .output = path,
                              .no_notes = launch->no_notes,
                              .functions = launch->functions,
                              .ignore_stapsdt = launch->notes == NOTES_OF_NONE};
    unsigned found;
    const struct scan_rules rules = {.notes = launch->notes, .functions = launch->functions};
    if ((errno = scan_file(&rules, path, &found)) != 0) {
        diag_errno("cannot read %s", path);
        return STATUS_FAILED;
    }
    if ((found & SCAN_LTO) && (found & SCAN_LTO_PROBES))
        diag_detail("%s: intermediate code; its probes are processed when it is linked", path);
    if ((found & SCAN_LTO) || !(found & SCAN_PROBES))
        return STATUS_DONE;
    diag_set_level(diag_is_verbose() ? DIAG_VERBOSE : DIAG_QUIET);
    return process_object(&options);
}

static int process_objects(const struct launcher_options *launch, const struct words *paths)
{
    int status = STATUS_DONE;
    for (size_t i = 0; i < paths->count && status == STATUS_DONE; i++)
        status = process_in_place(launch, paths->list[i]);
    return status;
}

/* Wait for CHILD; its exit status, or minus the signal that ended it. */
static int wait_for(pid_t child)
{
    int status = 0;
    if (child < 0)
        return STATUS_FAILED;
    supervise_wait(&child, &status, 1, NULL, 0);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int in_place_run(const struct launcher_options *launch, const char *program, char **argv,
                 const struct words *outputs)
{
    if (atexit(remove_unfinished) != 0 || supervise_begin() != 0)
        return STATUS_FAILED;
    unfinished = outputs;
    pid_t child = supervise_fork();
    if (child == 0)
        _exit(exec_program(program, argv));
    int result = wait_for(child);
    if (result == 0) {
        child = supervise_fork();
        if (child == 0)
            _exit(process_objects(launch, outputs));
        result = wait_for(child);
        if (result != 0)
            remove_unfinished();
    }
    unfinished = NULL;
    supervise_end();
    if (result < 0)
        supervise_die(-result);
    return result;
}
