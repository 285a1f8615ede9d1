/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Making this process attachable: the control page (page.h) and the thread that serves its
 * requests.
 *
 * Neither exists unless the program or its environment asks for it.
 */
#ifndef SDT_CONTROL_ATTACH_H
#define SDT_CONTROL_ATTACH_H

#include "exchange/page.h"

/* Make the page, and start its thread. 0, also if that was done before; or an error:
 * -EPERM: this process must not be attachable. */
int attach_start(void);
/* As VALUE, that of SDT_ATTACH, requests: the same; and wait for the tool, if one has started the
 * program. */
int attach_start_as(const char *value);

/* As VALUE, that of SDT_RECORD_GATE, requests: the same, for a tool that has the process record.
 * -ENOENT: it is not there any more. */
int attach_hand_over(const char *value);

/* An object with probes has come: tools do not know it yet. Not locked. */
void attach_object_came(void);

#endif
