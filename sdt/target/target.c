/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See target.h. Usually there is one process. A name may match several, such as a server and its
 * workers; and with --follow, a program that we start may execute others, which come to the gate.
 * Children that only fork need nothing here: they continue with their parents' requests.
 */
#include "target.h"

#include "base/diag.h"
#include "base/memory.h"
#include "base/now.h"
#include "command/command.h"
#include "interrupt.h"
#include "named.h"
#include "program.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

void target_split(struct target *target, int *argc, char **argv)
{
    for (int i = 1; i < *argc; i++)
        if (strcmp(argv[i], "--") == 0) {
            target->command = argv + i + 1;
            argv[i] = NULL;
            *argc = i;
        }
}

/* The number that -p says; 0: it is a name. */
static pid_t number_of(const struct target *target)
{
    char *end;
    long number = strtol(target->who, &end, 10);
    return !*end && number > 0 && number <= INT32_MAX ? (pid_t)number : 0;
}

bool target_is_named(const struct target *target)
{
    return target->who && !number_of(target);
}

const char *target_program(const struct target *target)
{
    return target_is_named(target) ? target->who : target->process.name;
}

pid_t target_pid(const struct target *target)
{
    bool is_one = !target_is_named(target) && !target->follows && target_count(target) == 1;
    return is_one ? target->process.pid : 0;
}

int target_check(const char *command, const struct target *target)
{
    if (target->who && target->command)
        return command_wrong(command, "-p and a command are mutually exclusive");
    if (!target->who && !target->command)
        return command_wrong(command, "name a process or a command: -p PID|NAME, or -- COMMAND");
    if (target->restarts && !target_is_named(target))
        return command_wrong(command, "--restarts is for processes of a name: -p NAME");
    if (target->who ? !*target->who : !target->command[0])
        return command_wrong(command, target->who ? "-p needs a number or a name" : "no command");
    return STATUS_DONE;
}

char *target_patterns(char **argv)
{
    char *all = memory_format("%s", argv[0]);
    for (argv++; *argv; argv++) {
        char *more = memory_format("%s,%s", all, *argv);
        free(all);
        all = more;
    }
    return all;
}

int target_open(struct target *target)
{
    target->process.process = target->process.file = -1;
    target->started = (struct started){0, -1, -1, 0};
    interrupt_take();
    if (!target->who)
        return program_open(target);
    return number_of(target) ? processes_first(target, number_of(target)) : named_open(target);
}

void target_go(struct target *target)
{
    if (target->came)
        attach_pass(target->came);
    target->came = NULL;
    struct attached *process = &target->process;
    bool has_gate = target->is_started && target->started.gate >= 0;
    if (target->is_started && !has_gate && process->page && process->has_loaded)
        attach_pass(process); /* it has closed its gate, and waits for this nevertheless */
    process->has_loaded = false;
}

/* Whether a process waits for target_go(): a known one, or, with --follow, a new one. */
static bool has_come(struct target *target)
{
    pid_t who = started_who(&target->started);
    if (who == 0)
        return false;
    target->came = processes_find(target, who);
    if (!target->came)
        target->came = processes_other(target, who);
    return target->came;
}

/* Whether a process has loaded or registered something since it was last asked. Not too often, as
 * the process says so itself. */
static bool has_loaded(struct target *target)
{
    bool has_any = false;
    if (seconds_since(target->listed) < LIVE_BEAT_MS / 1000.0)
        return false;
    for (size_t i = 0; i < target_count(target); i++) {
        struct attached *process = target_at(target, i);
        uint64_t generation = process->page ? atomic_load(&process->page->generation) : 0;
        process->has_loaded = process->page && generation != process->generation;
        has_any = has_any || process->has_loaded;
        process->generation = generation;
    }
    if (has_any)
        target->listed = now();
    return has_any;
}

/* Whether PROCESS, or what it has forked, is there. */
static bool is_left(const struct target *target, const struct attached *process)
{
    return attach_is_there(process) || (target->follows && attach_is_followed(process));
}

/* Keep the sessions alive. What comes of it, or TARGET_TIME: nothing. */
static enum target_event look_after(struct target *target)
{
    bool is_any_left = target->follows && started_runs(&target->started);
    for (size_t i = 0; i < target_count(target); i++) {
        struct attached *process = target_at(target, i);
        if (!process->page)
            continue;
        bool is_alive = attach_beat(process), is_there = is_left(target, process);
        if (is_there && !is_alive && is_left(target, process))
            return TARGET_LOST;
        is_any_left = is_any_left || is_there;
        if (i > 0 && !is_there)
            attach_close(process); /* of a script there may be hundreds */
    }
    if (target->restarts && !is_any_left && !target->has_told)
        target_say_ended(target);
    target->has_told = !is_any_left;
    return is_any_left || target->restarts ? TARGET_TIME : TARGET_ENDED;
}

/* How long to wait at most: until the next beat; where an end does not wake us up, less. */
static int slice_of(const struct target *target, double left)
{
    enum { SHORT = 20 };
    bool is_woken = attach_is_there(&target->process) || target->restarts;
    int64_t most = is_woken ? LIVE_BEAT_MS : SHORT;
    return (int)(left < most ? left : most);
}

enum target_event target_wait(struct target *target, int ms)
{
    int64_t began = now();
    for (;;) {
        enum target_event event = look_after(target);
        double left = ms < 0 ? LIVE_BEAT_MS : ms - seconds_since(began) * 1000;
        if (event == TARGET_TIME && (named_look(target) || has_loaded(target)))
            return TARGET_CAME;
        if (event != TARGET_TIME || left <= 0)
            return event;
        bool is_there = attach_is_there(&target->process);
        struct pollfd wait[3] = {{.fd = is_there ? target->process.process : -1, .events = POLLIN},
                                 {.fd = interrupt_descriptor(), .events = POLLIN},
                                 {.fd = target->started.gate, .events = POLLIN}};
        poll(wait, 3, slice_of(target, left));
        if ((wait[1].revents & POLLIN) && interrupt_is_ours(&target->started))
            return TARGET_INTERRUPTED;
        if ((wait[2].revents & (POLLIN | POLLHUP)) && has_come(target))
            return TARGET_CAME;
    }
}

void target_detach(struct target *target)
{
    for (size_t i = 0; i < target_count(target); i++) {
        struct attached *process = target_at(target, i);
        struct attach_request request = {.op = LIVE_DETACH};
        if (process->page && attach_is_there(process))
            attach_send(process, &request);
    }
}

int target_close(struct target *target, int status)
{
    processes_close_all(target);
    if (!target->is_started)
        return status;
    int own = program_end(target);
    return status == STATUS_DONE ? own : status;
}
