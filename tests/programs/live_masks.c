/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes of one byte, which are armed by breakpoints, in a program that blocks every signal and
 * resets every action, in all ways that the C library has. `mask:hit` once for each line that it
 * prints; at the end "alive".
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/sdt.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

static sigset_t all, none, but_usr1;

static void hit(const char *way)
{
    STAP_PROBE1(mask, hit, way);
    puts(way);
    fflush(stdout);
}

static const char *way_of_signal;

static void on_signal(int number)
{
    (void)number;
    hit(way_of_signal);
}

/* Have SIGUSR1 waiting, with HANDLER, until it is let in. */
static void await(const char *way, void (*handler)(int), const sigset_t *mask)
{
    struct sigaction action = {.sa_handler = handler};
    action.sa_mask = *mask;
    way_of_signal = way;
    sigaction(SIGUSR1, &action, NULL);
    sigprocmask(SIG_SETMASK, &all, NULL);
    raise(SIGUSR1);
}

static void in_waits(void)
{
    struct epoll_event event;
    int fd = epoll_create1(0);
    await("sigsuspend", on_signal, &none);
    sigsuspend(&but_usr1);
    await("ppoll", on_signal, &none);
    ppoll(NULL, 0, NULL, &but_usr1);
    await("pselect", on_signal, &none);
    pselect(0, NULL, NULL, NULL, NULL, &but_usr1);
#ifdef __GLIBC__ /* in a static program of musl, nothing interposes these */
    await("epoll_pwait", on_signal, &none);
    epoll_pwait(fd, &event, 1, -1, &but_usr1);
    await("epoll_pwait2", on_signal, &none);
    epoll_pwait2(fd, &event, 1, NULL, &but_usr1);
#endif
    close(fd);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void in_handlers(void)
{
    await("sa_mask", on_signal, &all);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void by_calls(void)
{
    sigprocmask(SIG_BLOCK, &all, NULL);
    hit("sigprocmask");
    sigprocmask(SIG_SETMASK, &none, NULL);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    hit("pthread_sigmask");
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    sighold(SIGTRAP);
    hit("sighold");
    sigset(SIGTRAP, SIG_HOLD);
    hit("sigset");
#ifdef __GLIBC__
    sigblock(~0);
    hit("sigblock");
    sigsetmask(~0);
    hit("sigsetmask");
    sigsetmask(0);
#endif
}

static void *in_thread(void *way)
{
    hit(way);
    return NULL;
}

static void by_inheritance(void)
{
    pthread_t thread;
    int status;
    sigprocmask(SIG_SETMASK, &all, NULL);
    pthread_create(&thread, NULL, in_thread, "thread");
    pthread_join(thread, NULL);
    pid_t child = fork();
    if (child == 0) {
        hit("child");
        _exit(0);
    }
    waitpid(child, &status, 0);
    if (status)
        exit(1);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static sigjmp_buf back;

static void jump(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

/* What is restored is what was there when it was saved. */
static void by_jumps(void)
{
    sigprocmask(SIG_SETMASK, &all, NULL);
    if (sigsetjmp(back, 1) == 0) {
        sigprocmask(SIG_SETMASK, &none, NULL);
        signal(SIGUSR2, jump);
        raise(SIGUSR2);
    }
    hit("siglongjmp");
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void by_actions(void)
{
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    hit("signal");
    for (int number = 1; number < NSIG; number++)
        sigaction(number, &standard, NULL);
    hit("sigaction");
    signal(SIGTRAP, SIG_IGN);
    hit("ignored");
    sigset(SIGTRAP, SIG_DFL);
    hit("sigset again");
}

/* A handler of the program's own, with a probe in it. */
static void by_own_handler(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    action.sa_mask = all;
    way_of_signal = "own handler";
    sigaction(SIGTRAP, &action, NULL);
    raise(SIGTRAP);
    hit("beside own handler");
}

int main(void)
{
    sigfillset(&all);
    sigemptyset(&none);
    but_usr1 = all;
    sigdelset(&but_usr1, SIGUSR1);
    by_calls();
    in_handlers();
    in_waits();
    by_inheritance();
    by_jumps();
    by_actions();
    by_own_handler();
    puts("alive");
    return 0;
}
