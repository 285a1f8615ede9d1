/* SPDX-License-Identifier: BSD-2-Clause */
/* What libsdt-stock.so (signals.c) and libsdt.so say to each other. */
#ifndef SDT_STOCK_SIGTRAP_H
#define SDT_STOCK_SIGTRAP_H

#include <signal.h>
#include <stdbool.h>

/*
 * As sigaction(SIGTRAP, ACTION, OLD) for the program, if libsdt has the signal: it keeps it, and
 * gives to ACTION what is not its own. False: it has not; nothing was done.
 */
bool __sdt_sigtrap(const struct sigaction *action, struct sigaction *old);

#endif
