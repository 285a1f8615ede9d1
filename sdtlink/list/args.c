/* SPDX-License-Identifier: BSD-2-Clause */
#include "args.h"

bool list_next_argument(struct note_args *args, struct slice *argument)
{
    struct note_arg found;
    if (note_args_next(args, &found)) {
        *argument = (struct slice){found.text, found.length};
        return true;
    }
    *argument = (struct slice){args->at, (size_t)(args->end - args->at)};
    args->at = args->end;
    return argument->length > 0;
}
