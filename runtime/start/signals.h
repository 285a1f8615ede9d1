/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of the C library that this one interposes (signals.c), so that SIGTRAP is never
 * blocked where breakpoints may be.
 */
#ifndef SDT_SIGNALS_H
#define SDT_SIGNALS_H

#include <signal.h>

/* This copy's pthread_sigmask(): whether it is the process's tells who is called for the others. */
int signals_mask(int how, const sigset_t *set, sigset_t *old);

#endif
