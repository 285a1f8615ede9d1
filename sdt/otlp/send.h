/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests to a receiver of OTLP over HTTP, one after the other. One that a receiver cannot take
 * now is sent again, after the time that it asks for, or 1, 2, 4 ... seconds, until
 * $OTEL_EXPORTER_OTLP_TIMEOUT ms (10000) have passed; what cannot be delivered is counted.
 */
#ifndef SDT_OTLP_SEND_H
#define SDT_OTLP_SEND_H

#include "base/memory.h"
#include "signal.h"

/* url.c: is OUT the address of a receiver, not the name of a file? */
bool otlp_is_url(const char *out);
/* url.c: what is wrong with OUT as either; NULL: nothing. The caller's. */
char *otlp_problem(const char *out);
/* url.c: the same of a receiver alone. */
char *otlp_url_problem(const char *out);

/* A sender to URL, which has no `/v1/...` at its end or that of traces. NULL: after a message. */
struct otlp_sender *otlp_connect(const char *url);
/* Each request has all that the one before had: there is one attempt for each, and nothing is lost
 * if the last one is delivered. */
void otlp_replace(struct otlp_sender *sender);
/* Deliver BODY, a request with COUNT items. */
void otlp_send(struct otlp_sender *sender, enum otlp_signal signal, const struct bytes *body,
               uint64_t count);
/* Say what was delivered, and what was not: then returns -1. Frees the sender. */
int otlp_finish(struct otlp_sender *sender);

#endif
