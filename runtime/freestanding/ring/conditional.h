/* SPDX-License-Identifier: BSD-2-Clause */
/* Handlers of a recorder (runtime/ring/conditional.h), which there is none here: no handler is one
 * of them. */
#ifndef SDT_RECORDER_CONDITIONAL_H
#define SDT_RECORDER_CONDITIONAL_H

#include <sdt/runtime.h>
#include <stdbool.h>

#define recorder_hit ((sdt_handler *)NULL)
#define conditional_hit ((sdt_handler *)NULL)

static inline bool conditional_record(const struct sdt_event *event, const void *conditional)
{
    (void)event;
    (void)conditional;
    return false;
}

static inline bool conditional_records(sdt_handler *handler)
{
    (void)handler;
    return false;
}

#endif
