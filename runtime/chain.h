/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A signal that we need, but that belongs to the program: our handler comes before the previous
 * one, and passes on what is not ours.
 */
#ifndef SDT_CHAIN_H
#define SDT_CHAIN_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

struct chain {
    int number; /* of the signal */
    void (*handler)(int number, siginfo_t *info, void *context);
    /* End the process as the signal would have ended it without us. Returns if that only has to be
     * tried again. */
    void (*die)(siginfo_t *info, ucontext_t *context);
    bool taken;
    /* Who had the signal before us, written before our handler is installed on top of it; and the
     * same, when we took it first. */
    struct sigaction previous, earliest;
};

/* Stand in front, again if somebody else has come in between. Locked. 0 or -errno. */
int chain_take(struct chain *chain);
/* Whether we still do. */
bool chain_is_ours(const struct chain *chain);
/* Have the signal back as it was, if we still have it. Locked. */
void chain_give_back(struct chain *chain);

/* In the handler: do what the kernel would have done if the previous owner still had the signal. */
void chain_pass_on(struct chain *chain, siginfo_t *info, ucontext_t *context);

/* For `die`: raise the signal without a handler of ours. */
void chain_raise(int number);

#endif
