/* SPDX-License-Identifier: BSD-2-Clause */
/* For builds without libmicrohttpd: see metrics_listen.h. */
#include "base/diag.h"
#include "metrics_listen.h"

struct metrics_listener *metrics_listen(const char *address)
{
    (void)address;
    diag_error("this sdt was built without libmicrohttpd, so it cannot listen; --output=FILE "
               "writes a file");
    return NULL;
}

int metrics_listen_put(struct metrics_listener *listener, const struct bytes *text)
{
    (void)listener, (void)text;
    return -1;
}

void metrics_listen_end(struct metrics_listener *listener)
{
    (void)listener;
}
