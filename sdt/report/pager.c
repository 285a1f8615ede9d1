/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The pager: $PAGER, run by the shell, reads what we write. -FRX: it ends by itself if all fits on
 * one screen, shows colours, and leaves the screen as it is. Without one, output is unchanged.
 */
#include "report.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t pager;

static const char *command(void)
{
    const char *wanted = getenv("PAGER");
    if (!wanted)
        return "command -v less >/dev/null && exec less -FRX; exec cat";
    return *wanted && strcmp(wanted, "cat") != 0 ? wanted : NULL;
}

void pager_begin(void)
{
    int ends[2];
    const char *text = command();
    if (!isatty(STDOUT_FILENO) || !text || pipe(ends) != 0)
        return;
    fflush(stdout);
    pager = fork();
    if (pager == 0) {
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl("/bin/sh", "sh", "-c", text, (char *)NULL);
        _exit(127);
    }
    if (pager > 0) {
        signal(SIGINT, SIG_IGN); /* the pager's: we end when it does, by SIGPIPE */
        dup2(ends[1], STDOUT_FILENO);
        if (isatty(STDERR_FILENO)) /* else warnings appear in the middle of a page */
            dup2(ends[1], STDERR_FILENO);
    }
    close(ends[0]);
    close(ends[1]);
}

void pager_end(void)
{
    if (pager <= 0)
        return;
    fflush(stdout);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); /* the pager waits for the end */
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }
    waitpid(pager, NULL, 0);
    pager = 0;
}
