/* SPDX-License-Identifier: BSD-2-Clause */
/* See program.h. It waits at its gate until its probes are enabled (started.h). */
#include "program.h"

#include "base/diag.h"
#include "command/command.h"
#include "interrupt.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

/* Wait until a process comes to the gate. 0: the program has ended before. */
static pid_t wait_at_gate(struct target *target)
{
    enum { PATIENCE = 2000 /* ms */ };
    struct started *started = &target->started;
    struct pollfd wait[3] = {{.fd = started->gate, .events = POLLIN},
                             {.fd = started->ended, .events = POLLIN},
                             {.fd = interrupt_descriptor(), .events = POLLIN}};
    for (int patience = PATIENCE; started->gate >= 0;) {
        int n = poll(wait, 3, patience);
        if (n == 0) {
            fprintf(stderr,
                    "sdt: %s (process %d) runs, and nothing in it has loaded libsdt so far\n",
                    target->command[0], (int)started->pid);
            patience = -1;
        }
        if (n > 0 && wait[2].revents)
            interrupt_is_ours(&target->started);
        pid_t who = n > 0 ? started_who(started) : 0;
        if (who || (n > 0 && wait[1].revents))
            return who;
    }
    return 0;
}

/* Wait until a library is there, and attach to the process that has it. With --follow the program
 * itself may have none, but start one that has. */
static int meet(struct target *target)
{
    pid_t who = wait_at_gate(target);
    while (target->follows && who && !processes_quietly(&target->process, who))
        who = wait_at_gate(target);
    if (who == 0) {
        diag_error("%s has no library libsdt, or is not attachable; see 'sdtlink list %s'",
                   target->command[0], target->command[0]);
        return STATUS_FAILED;
    }
    int status = target->follows ? STATUS_DONE : processes_first(target, who);
    target->came = status == STATUS_DONE ? &target->process : NULL;
    return status;
}

/* What we have started and traced long enough goes on by itself, but not without us: whoever
 * started it waits for us, and for its status. */
static void wait_for_program(struct target *target)
{
    enum { MOMENT = 200 /* ms: it may be ending */ };
    struct pollfd wait[2] = {{.fd = target->started.ended, .events = POLLIN},
                             {.fd = interrupt_descriptor(), .events = POLLIN}};
    started_close_gate(&target->started);
    if (poll(wait, 1, MOMENT) == 0)
        fprintf(stderr, "sdt: %s (process %d) still runs; waiting for its end\n",
                target->command[0], (int)target->started.pid);
    while (started_runs(&target->started)) {
        poll(wait, 2, -1);
        interrupt_is_ours(&target->started);
    }
}

int program_end(struct target *target)
{
    wait_for_program(target);
    return started_wait(&target->started);
}

int program_open(struct target *target)
{
    int error = started_run(&target->started, target->command, target->follows);
    if (error) {
        diag_error("%s: %s", target->command[0], strerror(error));
        return error == ENOENT ? 127 : 126;
    }
    target->is_started = true;
    int status = meet(target);
    if (status != 0)
        program_end(target);
    return status;
}
