/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See started.h. The kernel, not the message, tells who comes to the gate (SCM_CREDENTIALS): so a
 * script's programs are distinguished from the script.
 */
#include "started.h"

#include "base/memory.h"
#include "preload.h"

#include <errno.h>
#include <exchange/page.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell_program(char **command, int gate, bool for_all)
{
    struct stat status;
    if (fstat(gate, &status) != 0)
        return;
    char *value = memory_format("gate:%d:%llu:%d", gate, (unsigned long long)status.st_ino,
                                for_all ? 0 : (int)getpid());
    setenv("SDT_ATTACH", value, 1);
    preload_set(command[0]);
}

static void become(char **command, int gate, bool for_all, int pipe_end)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    tell_program(command, gate, for_all);
    execvp(command[0], command);
    int problem = errno;
    _exit(write(pipe_end, &problem, sizeof problem) < 0 ? 127 : 126);
}

/* Whether it could be run comes through a pipe that is closed if it could. */
int started_run(struct started *started, char **command, bool for_all)
{
    const int yes = 1;
    int pipes[2], gates[2], error = 0;
    if (pipe2(pipes, O_CLOEXEC) != 0)
        return errno;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, gates) != 0)
        return errno;
    setsockopt(gates[0], SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
    pid_t child = fork();
    if (child == 0)
        become(command, fcntl(gates[1], F_DUPFD, 64), for_all, pipes[1]);
    close(pipes[1]);
    close(gates[1]);
    if (child < 0 || read(pipes[0], &error, sizeof error) > 0) {
        if (child > 0)
            waitpid(child, NULL, 0);
        close(gates[0]);
        error = error ? error : EAGAIN;
    }
    close(pipes[0]);
    *started = error ? (struct started){0, -1, -1, 0}
                     : (struct started){child, (int)syscall(SYS_pidfd_open, child, 0), gates[0], 0};
    return error;
}

pid_t started_who(struct started *started)
{
    unsigned char word = 0;
    char control[CMSG_SPACE(sizeof(struct ucred))];
    struct iovec iovec = {&word, 1};
    struct msghdr message = {.msg_iov = &iovec,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    ssize_t n = started->gate < 0 ? 0 : recvmsg(started->gate, &message, MSG_DONTWAIT);
    struct cmsghdr *header = n == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    struct ucred who = {0};
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_CREDENTIALS)
        memcpy(&who, CMSG_DATA(header), sizeof who);
    started->problem = n == 1 && word & LIVE_GATE_FAILED ? word & ~LIVE_GATE_FAILED : 0;
    if (n == 0) /* the other end is closed */
        started_close_gate(started);
    return who.pid;
}

bool started_runs(const struct started *started)
{
    struct pollfd process = {.fd = started->ended, .events = POLLIN};
    return started->pid && poll(&process, 1, 0) == 0;
}

void started_close_gate(struct started *started)
{
    if (started->gate >= 0)
        close(started->gate);
    started->gate = -1;
}

int started_wait(struct started *started)
{
    int status = 0;
    started_close_gate(started);
    while (waitpid(started->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (started->ended >= 0)
        close(started->ended);
    *started = (struct started){0, -1, -1, 0};
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
