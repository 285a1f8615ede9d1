/* SPDX-License-Identifier: BSD-2-Clause */
/* The interface between libsdt-stock.so (signals.c) and libsdt.so. */
#ifndef SDT_STOCK_SIGTRAP_H
#define SDT_STOCK_SIGTRAP_H

#include <signal.h>
#include <stdbool.h>

/*
 * As sigaction(SIGTRAP, ACTION, OLD) for the program, if libsdt handles the signal: libsdt's
 * handler stays, and passes to ACTION what is not its own. False: libsdt does not handle it;
 * nothing was done.
 */
bool __sdt_sigtrap(const struct sigaction *action, struct sigaction *old);

#endif
