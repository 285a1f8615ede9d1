/* SPDX-License-Identifier: BSD-2-Clause */
/* Taking apart the arguments of a note or a record, to show them. */
#ifndef SDTLINK_LIST_ARGS_H
#define SDTLINK_LIST_ARGS_H

#include "base/slice.h"

#include <shared/note_args.h>

/*
 * The next argument of ARGS, false: there is none. An argument may have no size before it: "%edi
 * %rax". What cannot be told apart is shown as one, the last.
 */
bool list_next_argument(struct note_args *args, struct slice *argument);

#endif
