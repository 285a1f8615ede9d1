/* SPDX-License-Identifier: BSD-2-Clause */
/* See heart.h. */
#include "heart.h"

#include "base/diag.h"
#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all below */
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static struct attached **all;
static size_t count;
static bool is_over;

static struct timespec next_beat(void)
{
    struct timespec next;
    clock_gettime(CLOCK_REALTIME, &next);
    next.tv_nsec += LIVE_BEAT_MS * 1000000L;
    if (next.tv_nsec >= 1000000000) {
        next.tv_nsec -= 1000000000;
        next.tv_sec++;
    }
    return next;
}

static void *beat(void *data)
{
    pthread_mutex_lock(&lock);
    while (!is_over) {
        struct timespec next = next_beat();
        for (size_t i = 0; i < count; i++)
            attach_beat(all[i]);
        pthread_cond_timedwait(&change, &lock, &next);
    }
    pthread_mutex_unlock(&lock);
    return data;
}

/* Signals are for the thread that waits for them. */
int heart_begin(void)
{
    sigset_t every, before;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    int error = pthread_create(&thread, NULL, beat, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return error ? diag_errno("cannot start a thread") : 0;
}

void heart_end(void)
{
    pthread_mutex_lock(&lock);
    is_over = true;
    pthread_cond_signal(&change);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    free(all);
    all = NULL;
}

void heart_add(struct attached *process)
{
    pthread_mutex_lock(&lock);
    all = memory_resize(all, count + 1, sizeof(struct attached *));
    all[count++] = process;
    pthread_mutex_unlock(&lock);
}

void heart_remove(const struct attached *process)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++)
        if (all[i] == process)
            all[i--] = all[--count];
    pthread_mutex_unlock(&lock);
}
