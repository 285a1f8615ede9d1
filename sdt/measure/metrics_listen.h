/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The last exposition at http://ADDRESS/metrics, for whoever asks: libmicrohttpd serves it in a
 * thread of its own. The library is loaded only if it is asked for, since it brings one for TLS
 * with it, and sdt starts often.
 */
#ifndef SDT_METRICS_LISTEN_H
#define SDT_METRICS_LISTEN_H

#include "base/memory.h"

struct metrics_listener;

/* Occupy ADDRESS, HOST:PORT. NULL: after a message. */
struct metrics_listener *metrics_listen(const char *address);
/* TEXT is what is served from now on. The first one starts the thread: not earlier, so that a
 * program that sdt starts is forked by a process with one thread. 0, or -1 after a message. */
int metrics_listen_put(struct metrics_listener *listener, const struct bytes *text);
void metrics_listen_end(struct metrics_listener *listener);

#endif
