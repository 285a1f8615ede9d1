/* SPDX-License-Identifier: BSD-2-Clause */
/* What returns its value in a vector register; event_api.c uses none. */
#include "event.h"

#include <string.h>

double sdt_arg_double(const struct sdt_event *event, unsigned index)
{
    uint64_t word = sdt_arg(event, index);
    const struct site *site = event_site(event);
    double number = 0;
    if (!site || index >= site->args.count)
        return 0;
    uint8_t type = site->args.type[index];
    if (type & SDT_ARG_FLOAT)
        memcpy(&number, &word, sizeof number);
    else
        number = type & SDT_ARG_SIGNED ? (double)(int64_t)word : (double)word;
    return number;
}
