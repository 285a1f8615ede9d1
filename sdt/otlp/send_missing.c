/* SPDX-License-Identifier: BSD-2-Clause */
/* For a build without libcurl: OTLP goes into files only. */
#include "base/diag.h"
#include "send.h"

struct otlp_sender *otlp_connect(const char *url)
{
    diag_refuse(&(struct diag_place){.file = url}, "this sdt was built without libcurl", NULL, NULL,
                "write a file, --otlp=FILE, and send its lines to /v1/traces and /v1/logs as "
                "application/json; or build sdt again with libcurl's headers (Debian: "
                "libcurl4-openssl-dev)");
    return NULL;
}

void otlp_replace(struct otlp_sender *sender)
{
    (void)sender;
}

void otlp_send(struct otlp_sender *sender, enum otlp_signal signal, const struct bytes *body,
               uint64_t count)
{
    (void)sender, (void)signal, (void)body, (void)count;
}

int otlp_finish(struct otlp_sender *sender)
{
    (void)sender;
    return -1;
}
