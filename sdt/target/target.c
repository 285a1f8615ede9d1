/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See target.h. Usually there is one process. A name may match several, such as a server and its
 * workers; and with --follow, a program that we start may execute others, which come to the gate.
 * Children that only fork need nothing here: they continue with their parents' requests.
 */
#include "target.h"

#include "base/diag.h"
#include "base/memory.h"
#include "command/command.h"
#include "search.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

void target_split(struct target *target, int *argc, char **argv)
{
    for (int i = 1; i < *argc; i++)
        if (strcmp(argv[i], "--") == 0) {
            target->command = argv + i + 1;
            argv[i] = NULL;
            *argc = i;
        }
}

int target_check(const char *command, const struct target *target)
{
    if (target->who && target->command)
        return command_wrong(command, "-p and a command are mutually exclusive");
    if (!target->who && !target->command)
        return command_wrong(command, "name a process or a command: -p PID|NAME, or -- COMMAND");
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

size_t target_count(const struct target *target)
{
    return 1 + target->other_count;
}

struct attached *target_at(struct target *target, size_t i)
{
    return i == 0 ? &target->process : target->others[i - 1];
}

/* ---- Signals. ---- */

static int signals = -1; /* a descriptor: those that ask us to end */

static void take_signals(void)
{
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGINT);
    sigaddset(&mask, SIGTERM);
    sigaddset(&mask, SIGHUP);
    sigaddset(&mask, SIGQUIT);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* What a signal means: a program that we have started gets those of the terminal as well, and what
 * it makes of them decides; others are passed on to it. When it has ended, they are ours. */
static bool is_interrupted(const struct target *target)
{
    struct signalfd_siginfo info;
    if (read(signals, &info, sizeof info) != sizeof info)
        return false;
    if (!started_runs(&target->started))
        return true;
    if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGHUP)
        kill(target->started.pid, (int)info.ssi_signo);
    return false;
}

/* ---- A process that runs. ---- */

static struct attached *add_process(struct target *target)
{
    struct attached *process = memory_zeroed(1, sizeof *process);
    target->others = memory_resize(target->others, target->other_count + 1, sizeof *target->others);
    target->others[target->other_count++] = process;
    return process;
}

static void forget_last(struct target *target)
{
    free(target->others[--target->other_count]);
}

static int open_first(struct target *target, pid_t pid)
{
    /* One that has said at its gate that it has no page may have ended since. */
    int result = target->started.problem ? ATTACH_NONE : attach_open(&target->process, pid);
    if (result == 0)
        return attach_begin(&target->process) == 0 ? STATUS_DONE : STATUS_FAILED;
    attach_explain(pid, result, &target->process, target->started.problem);
    return STATUS_FAILED;
}

/* False: it has ended meanwhile, or is not attachable. */
static bool open_quietly(struct attached *process, pid_t pid)
{
    if (attach_open(process, pid) == 0 && attach_begin(process) == 0)
        return true;
    if (process->page)
        attach_pass(process);
    attach_close(process);
    return false;
}

/* One more. */
static bool open_other(struct target *target, pid_t pid)
{
    bool is_open = open_quietly(add_process(target), pid);
    if (!is_open)
        forget_last(target);
    return is_open;
}

static int open_running(struct target *target)
{
    char *end;
    struct search search;
    long number = strtol(target->who, &end, 10);
    if (!*end && number > 0 && number <= INT32_MAX)
        return open_first(target, (pid_t)number);
    if (!search_name(target->who, target->takes_all, &search))
        return STATUS_FAILED;
    int status = open_first(target, search.found[0]);
    for (size_t i = 1; i < search.count && status == STATUS_DONE; i++)
        open_other(target, search.found[i]);
    return status;
}

/* ---- A program that is started. ---- */

/* Wait until a process comes to the gate. 0: the program has ended before. */
static pid_t wait_at_gate(struct target *target)
{
    enum { PATIENCE = 2000 /* ms */ };
    struct started *started = &target->started;
    struct pollfd wait[3] = {{.fd = started->gate, .events = POLLIN},
                             {.fd = started->ended, .events = POLLIN},
                             {.fd = signals, .events = POLLIN}};
    for (int patience = PATIENCE; started->gate >= 0;) {
        int n = poll(wait, 3, patience);
        if (n == 0) {
            fprintf(stderr,
                    "sdt: %s (process %d) runs, and nothing in it has loaded libsdt so far\n",
                    target->command[0], (int)started->pid);
            patience = -1;
        }
        if (n > 0 && wait[2].revents)
            is_interrupted(target);
        pid_t who = n > 0 ? started_who(started) : 0;
        if (who || (n > 0 && wait[1].revents))
            return who;
    }
    return 0;
}

/* Wait until a library is there, and look into who has it. With --follow the program itself may
 * have none, but start one that has. */
static int meet(struct target *target)
{
    pid_t who = wait_at_gate(target);
    while (target->follows && who && !open_quietly(&target->process, who))
        who = wait_at_gate(target);
    if (who == 0) {
        diag_error("%s has no library libsdt, or is not attachable; see 'sdtlink list %s'",
                   target->command[0], target->command[0]);
        return STATUS_FAILED;
    }
    int status = target->follows ? STATUS_DONE : open_first(target, who);
    target->came = status == STATUS_DONE ? &target->process : NULL;
    return status;
}

/* What we have started and looked at long enough goes on by itself, but not without us: whoever
 * started it waits for us, and for its status. */
static void wait_for_program(struct target *target)
{
    enum { MOMENT = 200 /* ms: it may be ending */ };
    struct pollfd wait[2] = {{.fd = target->started.ended, .events = POLLIN},
                             {.fd = signals, .events = POLLIN}};
    started_close_gate(&target->started);
    if (poll(wait, 1, MOMENT) == 0)
        fprintf(stderr, "sdt: %s (process %d) still runs; waiting for its end\n",
                target->command[0], (int)target->started.pid);
    while (started_runs(&target->started)) {
        poll(wait, 2, -1);
        is_interrupted(target);
    }
}

static int open_started(struct target *target)
{
    int error = started_run(&target->started, target->command, target->follows);
    if (error) {
        diag_error("%s: %s", target->command[0], strerror(error));
        return error == ENOENT ? 127 : 126;
    }
    target->is_started = true;
    int status = meet(target);
    if (status != 0) {
        wait_for_program(target);
        started_wait(&target->started);
    }
    return status;
}

/* ---- Both. ---- */

int target_open(struct target *target)
{
    target->process.process = target->process.file = -1;
    target->started = (struct started){0, -1, -1, 0};
    take_signals();
    return target->who ? open_running(target) : open_started(target);
}

void target_go(struct target *target)
{
    if (target->came)
        attach_pass(target->came);
    target->came = NULL;
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static struct attached *find_process(struct target *target, pid_t pid)
{
    for (size_t i = 0; i < target_count(target); i++)
        if (target_at(target, i)->page && target_at(target, i)->pid == pid &&
            attach_is_there(target_at(target, i)))
            return target_at(target, i);
    return NULL;
}

/* Whether somebody waits for target_go(): who is known, or, with --follow, new. */
static bool has_come(struct target *target)
{
    pid_t who = started_who(&target->started);
    if (who == 0)
        return false;
    target->came = find_process(target, who);
    if (!target->came && open_other(target, who))
        target->came = target_at(target, target->other_count);
    return target->came;
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
    return is_any_left ? TARGET_TIME : TARGET_ENDED;
}

/* How long to wait at most: until the next beat; where an end does not wake us up, less. */
static int slice_of(const struct target *target, int64_t left)
{
    enum { SHORT = 20 };
    int64_t most = attach_is_there(&target->process) ? LIVE_BEAT_MS : SHORT;
    return (int)(left < most ? left : most);
}

enum target_event target_wait(struct target *target, int ms)
{
    int64_t end = now_ms() + ms;
    for (;;) {
        enum target_event event = look_after(target);
        int64_t left = ms < 0 ? LIVE_BEAT_MS : end - now_ms();
        if (event != TARGET_TIME || left <= 0)
            return event;
        bool is_there = attach_is_there(&target->process);
        struct pollfd wait[3] = {{.fd = is_there ? target->process.process : -1, .events = POLLIN},
                                 {.fd = signals, .events = POLLIN},
                                 {.fd = target->started.gate, .events = POLLIN}};
        poll(wait, 3, slice_of(target, left));
        if ((wait[1].revents & POLLIN) && is_interrupted(target))
            return TARGET_INTERRUPTED;
        if ((wait[2].revents & (POLLIN | POLLHUP)) && has_come(target))
            return TARGET_CAME;
    }
}

void target_detach(struct target *target)
{
    for (size_t i = 0; i < target_count(target); i++) {
        struct attached *process = target_at(target, i);
        struct question question = {.op = LIVE_DETACH};
        if (process->page && attach_is_there(process))
            attach_ask(process, &question);
    }
}

int target_close(struct target *target, int status)
{
    attach_close(&target->process);
    for (; target->other_count; forget_last(target))
        attach_close(target->others[target->other_count - 1]);
    free(target->others);
    target->others = NULL;
    if (!target->is_started)
        return status;
    wait_for_program(target);
    int own = started_wait(&target->started);
    return status == STATUS_DONE ? own : status;
}
