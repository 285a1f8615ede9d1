/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See say.h. One write(), so that lines of several threads and processes stay whole.
 *
 * It must not end or stop a program that never writes there itself: the pipe has no reader any more
 * (SIGPIPE), the file may not become larger (SIGXFSZ), the terminal stops background writers
 * (SIGTTOU). The kernel sends the first two to the thread that writes, before write() returns; one
 * that was waiting before is the program's.
 */
#define _GNU_SOURCE
#include "say.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void take_back(int number, const sigset_t *before)
{
    const struct timespec now = {0};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    if (!sigismember(before, number))
        sigtimedwait(&set, NULL, &now);
}

static void write_quietly(const char *line, size_t length)
{
    sigset_t quiet, mask, before;
    sigemptyset(&quiet);
    sigaddset(&quiet, SIGPIPE);
    sigaddset(&quiet, SIGXFSZ);
    sigaddset(&quiet, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &quiet, &mask);
    sigpending(&before);
    int error = write(STDERR_FILENO, line, length) < 0 ? errno : 0;
    if (error == EPIPE)
        take_back(SIGPIPE, &before);
    if (error == EFBIG)
        take_back(SIGXFSZ, &before);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

void say(const char *format, ...)
{
    int saved = errno;
    char line[768];
    int n = snprintf(line, sizeof line, "libsdt " SDT_VERSION ": ");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + n, sizeof line - (size_t)n - 1, format, arguments);
    va_end(arguments);
    size_t length = strlen(line);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
            line[i] = '?';
    line[length++] = '\n';
    write_quietly(line, length);
    errno = saved;
}
