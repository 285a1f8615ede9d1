/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A signal that we need, but that belongs to the program: our handler runs first, and passes what
 * is not ours to the previous one.
 */
#ifndef SDT_CHAIN_H
#define SDT_CHAIN_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* A name that glibc exports and that is not interposed. Weak: musl does not export it. */
int __sigaction(int number, const struct sigaction *action, struct sigaction *old)
    __attribute__((weak));

/* sigaction() of the C library itself, whoever interposes it. */
int chain_sigaction(int number, const struct sigaction *action, struct sigaction *old);

struct chain {
    int number; /* of the signal */
    void (*handler)(int number, siginfo_t *info, void *context);
    /* End the process as the signal would have ended it without us. Returns if the thread will get
     * the signal once more, and die of it. */
    void (*die)(siginfo_t *info, ucontext_t *context);
    bool taken;
    /* The action before ours, written before our handler is installed; and the same, when ours was
     * installed first. */
    struct sigaction previous, earliest;
};

/* Install our handler, again if it has been replaced. Locked. 0 or -errno. */
int chain_take(struct chain *chain);
/* Whether it is still installed. */
bool chain_is_ours(const struct chain *chain);
/* Restore the previous action, if our handler is still installed. Locked. */
void chain_give_back(struct chain *chain);

/* In the handler: do what the kernel would have done with the previous action. */
void chain_pass_on(struct chain *chain, siginfo_t *info, ucontext_t *context);

/* For `die`: raise the signal without a handler of ours. */
void chain_raise(int number);

#endif
