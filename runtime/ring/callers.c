/* SPDX-License-Identifier: BSD-2-Clause */
/* See callers.h. */
#include "callers.h"

#include <string.h>

static bool has_field(const struct event_class *class, const char *name)
{
    for (unsigned i = 0; i < class->count; i++)
        if (class->fields[i].name_length == strlen(name) &&
            !memcmp(class->fields[i].name, name, strlen(name)))
            return true;
    return false;
}

const char *callers_name(const struct event_class *class)
{
    static const char *const names[SDT_MAX_ARGS + 1] = {
        "stack",   "callers", "stack_2", "stack_3",  "stack_4",  "stack_5", "stack_6",
        "stack_7", "stack_8", "stack_9", "stack_10", "stack_11", "stack_12"};
    unsigned i = 0;
    while (i < SDT_MAX_ARGS && has_field(class, names[i]))
        i++;
    return names[i];
}
