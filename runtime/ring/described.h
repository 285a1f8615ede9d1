/* SPDX-License-Identifier: BSD-2-Clause */
/* The user's descriptions (sdt-describe(5)) of classes of events. */
#ifndef SDT_RECORDER_DESCRIBED_H
#define SDT_RECORDER_DESCRIBED_H

#include "metadata.h"

/* Read file PATH. 0; -EBADMSG: it cannot be read or is no such file; -ENOMEM. */
int described_load(const char *path, struct description **description);

/* Apply DESCRIPTION (or NULL) to CLASS, whose fields are those of its site. */
void described_apply(const struct description *description, struct event_class *class);

#endif
