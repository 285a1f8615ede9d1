/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests with what was measured so far, sent by a thread: the command goes on meanwhile, since
 * the process that it watches ends a session whose tool does not stir for a second. A request that
 * still waits when the next one comes is replaced by it.
 */
#ifndef SDT_OTLP_LIVE_H
#define SDT_OTLP_LIVE_H

#include "send.h"

/* To URL, several ones if HAS_INTERVALS. NULL: after a message. */
struct otlp_live *otlp_live_begin(const char *url, bool has_intervals);
/* Hand over BODY, which is emptied. */
void otlp_live_send(struct otlp_live *live, enum otlp_signal signal, struct bytes *body,
                    uint64_t count);
/* Wait until the last one is sent; then as otlp_finish(). */
int otlp_live_end(struct otlp_live *live);

#endif
