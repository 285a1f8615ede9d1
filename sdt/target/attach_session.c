/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A session with a process, and its requests: docs/live.md. Answers in the page are copied once;
 * waiting for a process that never answers ends after a time.
 */
#include "attach.h"

#include "base/diag.h"
#include "function_patterns.h"
#include "threads.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* How long a process may take for an answer. */
enum { PATIENCE_MS = 10000, SLICE_MS = 100, SUSPICION_MS = 1000 };

static int patience_of(const struct attached *to)
{
    return to->patience ? to->patience : PATIENCE_MS;
}

static void wake_listener(struct attached *to)
{
    atomic_fetch_add(&to->page->bell, 1);
    syscall(SYS_futex, &to->page->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void attach_pass(struct attached *to)
{
    atomic_fetch_add(&to->page->passed, 1);
    syscall(SYS_futex, &to->page->passed, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* It has had that name since before the page said that requests are served. */
static bool has_lost_listener(const struct attached *to)
{
    return atomic_load(&to->page->state) == LIVE_SERVING && !threads_have(to->pid, "sdt-listener");
}

/* Whether it ends now: then some of its threads have ended already, and others free its memory. */
static bool is_ending(const struct attached *to)
{
    return attach_ends_within(to, has_lost_listener(to) ? SUSPICION_MS : 0);
}

static int no_answer(struct attached *to)
{
    bool is_there = attach_is_there(to), has_ended = is_ending(to); /* in that order */
    if (to->is_late && (has_ended || !is_there))
        return -1;
    if (has_ended)
        return diag_error("process %d (%s) has ended", (int)to->pid, to->name);
    if (!is_there)
        return diag_error("process %d (%s) has become another program", (int)to->pid, to->name);
    if (to->session && !attach_beat(to))
        return diag_error("process %d (%s) has ended the session", (int)to->pid, to->name);
    if (has_lost_listener(to))
        return diag_error("process %d (%s) does not answer: its thread sdt-listener has been "
                          "killed, as a seccomp filter may do; restart the program",
                          (int)to->pid, to->name);
    return diag_error("process %d (%s) does not answer: is it stopped?", (int)to->pid, to->name);
}

/* Whether the process serves requests; one that has just begun is given the time to. */
static int check_served(struct attached *to)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    for (int waited = 0; atomic_load(&to->page->state) == LIVE_STARTING &&
                         waited < patience_of(to) && !attach_has_ended(to);
         waited++)
        nanosleep(&moment, NULL);
    uint32_t state = atomic_load(&to->page->state);
    if (state == LIVE_UNSERVED)
        return diag_error("process %d (%s) answers no requests: it could not start a thread: %s",
                          (int)to->pid, to->name, strerror((int)to->page->problem));
    return state == LIVE_SERVING ? 0 : no_answer(to);
}

int attach_begin(struct attached *to)
{
    uint64_t id = 0; /* then a random number */
    while (id == 0)
        if (getrandom(&id, sizeof id, 0) < 0)
            id = (uint64_t)getpid() << 32 | (uint64_t)time(NULL) | 1;
    if (check_served(to) != 0)
        return -1;
    for (unsigned i = 0; i < LIVE_SESSIONS; i++) {
        struct live_session *session = &to->page->sessions[i];
        uint64_t nobody = 0;
        if (!atomic_compare_exchange_strong(&session->id, &nobody, id))
            continue;
        session->pid = (uint32_t)getpid();
        snprintf(session->name, sizeof session->name, "%s", diag_program());
        to->place = i;
        to->session = id;
        attach_beat(to);
        wake_listener(to);
        return 0;
    }
    return diag_error("process %d (%s): %d tools are attached already, which is the maximum",
                      (int)to->pid, to->name, LIVE_SESSIONS);
}

bool attach_beat(struct attached *to)
{
    struct live_session *session = &to->page->sessions[to->place];
    if (atomic_load(&session->id) != to->session)
        return false;
    atomic_fetch_add(&session->beat, 1);
    return true;
}

void attach_leave(struct attached *to)
{
    uint64_t id = to->session;
    if (!to->page || !id)
        return;
    atomic_compare_exchange_strong(&to->page->sessions[to->place].id, &id, 0);
    wake_listener(to);
    to->session = 0;
}

void attach_close(struct attached *to)
{
    attach_leave(to);
    function_patterns_forget(to);
    free(to->near.pattern);
    free(to->near.best);
    if (to->page)
        munmap(to->page, sizeof *to->page);
    if (to->file >= 0)
        close(to->file);
    if (to->process >= 0)
        close(to->process);
    *to = (struct attached){.process = -1, .file = -1};
}

/* Whether POSTED comes to be in state WANTED, in time. */
static bool wait_for(struct attached *to, struct live_request *posted, uint32_t wanted)
{
    const struct timespec slice = {.tv_nsec = SLICE_MS * 1000000L};
    for (int waited = 0; waited < patience_of(to); waited += SLICE_MS) {
        uint32_t state = atomic_load(&posted->state);
        if (state == wanted)
            return true;
        if (attach_has_ended(to) || !attach_beat(to) ||
            (waited == SUSPICION_MS && has_lost_listener(to)))
            return false;
        /* What an earlier tool has left in our place, which it gave up. */
        if (wanted == LIVE_FREE && state != LIVE_RUNNING) {
            atomic_compare_exchange_strong(&posted->state, &state, LIVE_FREE);
            continue;
        }
        syscall(SYS_futex, &posted->state, FUTEX_WAIT, state, &slice, NULL, 0);
    }
    return false;
}

static void fill(const struct attached *to, struct live_request *posted,
                 const struct attach_request *request, size_t length)
{
    posted->op = request->op;
    posted->session = to->session;
    posted->argument = request->argument;
    posted->flags = request->flags;
    posted->program_size = (uint32_t)request->program_size;
    memset(posted->text, 0, sizeof posted->text);
    if (length)
        memcpy(posted->text, request->text, length);
    if (request->program_size)
        memcpy(posted->program, request->program, request->program_size);
}

static void take(const struct attached *to, const struct live_request *posted,
                 struct attach_request *request)
{
    int number = posted->descriptor;
    uint64_t inode = posted->inode;
    request->result = posted->result;
    memcpy(request->message, posted->message, sizeof posted->message);
    request->message[sizeof posted->message - 1] = '\0';
    if (number < 0)
        return;
    if (request->op == LIVE_RECORD)
        request->file = attach_file(to, number, inode, LIVE_RINGS, O_RDWR);
    else
        request->file = attach_file(
            to, number, inode, request->op == LIVE_TABLE ? LIVE_TABLES : LIVE_RESULT, O_RDONLY);
}

int attach_send(struct attached *to, struct attach_request *request)
{
    struct live_request *posted = &to->page->requests[(size_t)2 * to->place];
    size_t length = request->length ? request->length
                    : request->text ? strlen(request->text) + 1
                                    : 0;
    request->file = -1;
    if (length > LIVE_REQUEST_TEXT || request->program_size > LIVE_REQUEST_PROGRAM)
        return diag_error("a pattern may have at most %d bytes", LIVE_REQUEST_TEXT - 1);
    uint32_t done = LIVE_DONE, open = LIVE_FREE;
    if (!wait_for(to, posted, LIVE_FREE))
        return no_answer(to);
    fill(to, posted, request, length);
    if (!atomic_compare_exchange_strong(&posted->state, &open, LIVE_POSTED))
        return no_answer(to);
    wake_listener(to);
    if (!wait_for(to, posted, LIVE_DONE))
        return no_answer(to);
    take(to, posted, request);
    atomic_compare_exchange_strong(&posted->state, &done, LIVE_FREE);
    if (request->file >= 0)
        wake_listener(to);
    return 0;
}
