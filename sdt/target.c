/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See target.h. A program that is started here must not run before its probes are enabled, and may
 * have ended a moment later. So it is given one end of a pair of sockets, and told so by
 * SDT_ATTACH: its library says there that its control page is ready, and waits for an answer before
 * main().
 */
#include "target.h"

#include "command.h"
#include "diag.h"
#include "memory.h"
#include "preload.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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
        return command_wrong(command, "-p and a command exclude each other");
    if (!target->who && !target->command)
        return command_wrong(command, "say whom to look into: -p PID|NAME, or -- COMMAND");
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

int target_refused(const struct target *target, const char *pattern,
                   const struct question *question)
{
    const struct attached *process = &target->process;
    if (question->result == -ENOENT) {
        diag_error("%s: no probe of process %d (%s) matches; see 'sdt list -p %d'", pattern,
                   (int)process->pid, process->name, (int)process->pid);
        return STATUS_NOTHING;
    }
    diag_error("process %d (%s): %s: %s", (int)process->pid, process->name, pattern,
               question->message);
    return STATUS_FAILED;
}

int target_lost(const struct target *target)
{
    diag_error("process %d (%s) has ended the session: this sdt did not say in time that it lives",
               (int)target->process.pid, target->process.name);
    return STATUS_FAILED;
}

/* ---- A process that runs. ---- */

static int explain(pid_t pid, const struct attached *process, int result)
{
    switch (result) {
    case ATTACH_DENIED:
        return diag_error(
            "process %d may not be looked into: it is another user's, or not dumpable", (int)pid);
    case ATTACH_GONE:
        return diag_error("there is no process %d", (int)pid);
    case ATTACH_VERSION:
        return diag_error("process %d has libsdt %.31s, with control page %u; this sdt knows %u",
                          (int)pid, process->page->version, process->page->abi, LIVE_ABI);
    case ATTACH_WRONG:
        return diag_error("process %d: what it has for a control page is none", (int)pid);
    default:
        return diag_error("process %d does not let itself be looked into: start it by 'sdt run', "
                          "with SDT_ATTACH=1, or let it call sdt_attachable()",
                          (int)pid);
    }
}

struct search {
    const char *name;
    pid_t found[16];
    size_t count;
};

static int consider(struct attached *process, int result, void *data)
{
    struct search *search = data;
    if (result == 0 && strcmp(process->name, search->name) == 0) {
        if (search->count < 16)
            search->found[search->count] = process->pid;
        search->count++;
    }
    return 0;
}

/* The one process with that name; 0 after a message. */
static pid_t find_named(const char *name)
{
    struct search search = {.name = name};
    char *numbers = memory_format("%s", "");
    attach_each(consider, &search);
    for (size_t i = 0; i < search.count && i < 16; i++) {
        char *more = memory_format("%s %d", numbers, (int)search.found[i]);
        free(numbers);
        numbers = more;
    }
    if (search.count == 0)
        diag_error("no process '%s' lets itself be looked into; 'sdt ps' shows which do", name);
    else if (search.count > 1)
        diag_error("%zu processes have the name '%s': take -p with one of%s%s", search.count, name,
                   numbers, search.count > 16 ? " ..." : "");
    free(numbers);
    return search.count == 1 ? search.found[0] : 0;
}

static int open_running(struct target *target)
{
    char *end;
    long number = strtol(target->who, &end, 10);
    pid_t pid = *end || number <= 0 || number > INT32_MAX ? find_named(target->who) : (pid_t)number;
    if (pid == 0)
        return STATUS_FAILED;
    int result = attach_open(&target->process, pid);
    if (result == 0)
        return attach_begin(&target->process) == 0 ? STATUS_DONE : STATUS_FAILED;
    explain(pid, &target->process, result);
    return STATUS_FAILED;
}

/* ---- A program that is started. ---- */

static void tell_program(const struct target *target, int gate)
{
    struct stat status;
    if (fstat(gate, &status) != 0)
        return;
    char *value =
        memory_format("gate:%d:%llu:%d", gate, (unsigned long long)status.st_ino, (int)getpid());
    setenv("SDT_ATTACH", value, 1);
    preload_set(target->command[0]);
}

static void run_program(const struct target *target, int gate, int pipe_end)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    tell_program(target, gate);
    execvp(target->command[0], target->command);
    int problem = errno;
    _exit(write(pipe_end, &problem, sizeof problem) < 0 ? 127 : 126);
}

/* Whether it could be run comes through a pipe that is closed if it could. 0, or errno. */
static int start(struct target *target)
{
    int pipes[2], gates[2], error = 0;
    if (pipe2(pipes, O_CLOEXEC) != 0)
        return errno;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, gates) != 0)
        return errno;
    pid_t child = fork();
    if (child == 0)
        run_program(target, fcntl(gates[1], F_DUPFD, 64), pipes[1]);
    close(pipes[1]);
    close(gates[1]);
    if (child < 0 || read(pipes[0], &error, sizeof error) > 0) {
        if (child > 0)
            waitpid(child, NULL, 0);
        close(gates[0]);
        error = error ? error : EAGAIN;
    }
    close(pipes[0]);
    target->gate = error ? -1 : gates[0];
    target->process.pid = child;
    target->is_started = error == 0;
    return error;
}

/* Wait until its library is there, and look into it. */
static int meet(struct target *target)
{
    char word;
    pid_t child = target->process.pid;
    struct pollfd wait[2] = {{.fd = target->gate, .events = POLLIN},
                             {.fd = (int)syscall(SYS_pidfd_open, child, 0), .events = POLLIN}};
    while (poll(wait, 2, -1) < 0 && errno == EINTR)
        ;
    close(wait[1].fd);
    if (!(wait[0].revents & POLLIN) || read(target->gate, &word, 1) != 1) {
        diag_error("%s has no library libsdt, or does not let itself be looked into; see "
                   "'sdtlink list %s'",
                   target->command[0], target->command[0]);
        return STATUS_FAILED;
    }
    int result = attach_open(&target->process, child);
    if (result == 0)
        return attach_begin(&target->process) == 0 ? STATUS_DONE : STATUS_FAILED;
    explain(child, &target->process, result);
    return STATUS_FAILED;
}

static int wait_for_program(struct target *target, pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return STATUS_FAILED;
    target->is_started = false;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int open_started(struct target *target)
{
    int error = start(target);
    if (error) {
        diag_error("%s: %s", target->command[0], strerror(error));
        return error == ENOENT ? 127 : 126;
    }
    pid_t child = target->process.pid;
    int status = meet(target);
    if (status != 0) {
        if (target->gate >= 0)
            close(target->gate);
        wait_for_program(target, child);
    }
    return status;
}

/* ---- Both. ---- */

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

int target_open(struct target *target)
{
    target->process.process = target->gate = -1;
    take_signals();
    return target->who ? open_running(target) : open_started(target);
}

void target_go(struct target *target)
{
    char word = 'g';
    if (target->gate >= 0 && send(target->gate, &word, 1, MSG_NOSIGNAL | MSG_DONTWAIT) != 1) {
        close(target->gate);
        target->gate = -1;
    }
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* What a signal means: a program that we have started gets those of the terminal as well, and what
 * it makes of them decides; others are passed on to it. */
static bool is_interrupted(const struct target *target)
{
    struct signalfd_siginfo info;
    if (read(signals, &info, sizeof info) != sizeof info)
        return false;
    if (!target->is_started)
        return true;
    if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGHUP)
        kill(target->process.pid, (int)info.ssi_signo);
    return false;
}

/* Whether the program waits for target_go(). */
static bool is_waiting(struct target *target)
{
    char word;
    if (recv(target->gate, &word, 1, MSG_DONTWAIT) == 1)
        return true;
    close(target->gate);
    target->gate = -1;
    return false;
}

enum target_event target_wait(struct target *target, int ms)
{
    int64_t end = now_ms() + ms;
    struct pollfd wait[3] = {{.fd = target->process.process, .events = POLLIN},
                             {.fd = signals, .events = POLLIN},
                             {.fd = target->gate, .events = POLLIN}};
    for (;;) {
        if (!attach_is_there(&target->process))
            return TARGET_ENDED;
        if (!attach_beat(&target->process))
            return attach_is_there(&target->process) ? TARGET_LOST : TARGET_ENDED;
        int64_t left = ms < 0 ? LIVE_BEAT_MS : end - now_ms();
        if (left <= 0)
            return TARGET_TIME;
        poll(wait, 3, left < LIVE_BEAT_MS ? (int)left : LIVE_BEAT_MS);
        if ((wait[1].revents & POLLIN) && is_interrupted(target))
            return TARGET_INTERRUPTED;
        if ((wait[2].revents & (POLLIN | POLLHUP)) && is_waiting(target))
            return TARGET_CAME;
        wait[2].fd = target->gate;
    }
}

int target_close(struct target *target, int status)
{
    pid_t child = target->process.pid;
    attach_close(&target->process);
    if (target->gate >= 0)
        close(target->gate);
    if (!target->is_started)
        return status;
    int own = wait_for_program(target, child);
    return status == STATUS_DONE ? own : status;
}
