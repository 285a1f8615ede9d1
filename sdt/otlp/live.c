/* SPDX-License-Identifier: BSD-2-Clause */
/* See live.h. */
#include "live.h"

#include "base/diag.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct otlp_live {
    struct otlp_sender *sender; /* the thread's, until it is joined */
    pthread_t thread;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t change;
    struct bytes body; /* that waits */
    uint64_t count;    /* of its items; 0: none waits */
    enum otlp_signal signal;
    bool is_over;
};

/* What waits, as BODY; false: nothing more comes. */
static bool take(struct otlp_live *live, struct bytes *body, enum otlp_signal *signal,
                 uint64_t *count)
{
    pthread_mutex_lock(&live->lock);
    while (!live->count && !live->is_over)
        pthread_cond_wait(&live->change, &live->lock);
    *body = live->body;
    *signal = live->signal;
    *count = live->count;
    live->body = (struct bytes){0};
    live->count = 0;
    pthread_mutex_unlock(&live->lock);
    return *count != 0;
}

static void *send_all(void *data)
{
    struct otlp_live *live = data;
    struct bytes body;
    enum otlp_signal signal;
    uint64_t count;
    while (take(live, &body, &signal, &count)) {
        otlp_send(live->sender, signal, &body, count);
        bytes_free(&body);
    }
    return NULL;
}

/* Ctrl-C is for the command. */
static int start(struct otlp_live *live)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&live->thread, NULL, send_all, live);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return error ? diag_errno("cannot start a thread") : 0;
}

struct otlp_live *otlp_live_begin(const char *url, bool has_intervals)
{
    struct otlp_sender *sender = otlp_connect(url);
    if (!sender)
        return NULL;
    if (has_intervals)
        otlp_replace(sender);
    struct otlp_live *live = memory_zeroed(1, sizeof *live);
    *live = (struct otlp_live){
        .sender = sender, .lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER};
    if (start(live) == 0)
        return live;
    otlp_finish(sender);
    free(live);
    return NULL;
}

void otlp_live_send(struct otlp_live *live, enum otlp_signal signal, struct bytes *body,
                    uint64_t count)
{
    pthread_mutex_lock(&live->lock);
    bytes_free(&live->body);
    live->body = *body;
    live->signal = signal;
    live->count = count;
    pthread_cond_signal(&live->change);
    pthread_mutex_unlock(&live->lock);
    *body = (struct bytes){0};
}

int otlp_live_end(struct otlp_live *live)
{
    pthread_mutex_lock(&live->lock);
    live->is_over = true;
    pthread_cond_signal(&live->change);
    pthread_mutex_unlock(&live->lock);
    pthread_join(live->thread, NULL);
    int result = otlp_finish(live->sender);
    free(live);
    return result;
}
