/* SPDX-License-Identifier: BSD-2-Clause */
#include "label.h"

#include "base/escape_append.h"
#include "text.h"

#include <string.h>

static void append_part(struct bytes *to, const char *part)
{
    for (const char *dash; (dash = strstr(part, "__")); part = dash + 2) {
        escape_append(to, (struct slice){part, (size_t)(dash - part)});
        text_char(to, '-');
    }
    escape_append(to, slice_of(part));
}

void label_append(struct bytes *to, const char *provider, const char *name)
{
    append_part(to, provider);
    text_char(to, ':');
    append_part(to, name);
}

char *label_of(const char *provider, const char *name)
{
    struct bytes label = {0};
    label_append(&label, provider, name);
    bytes_append(&label, "", 1);
    return (char *)label.data;
}

char *label_part(const char *part)
{
    struct bytes text = {0};
    append_part(&text, part);
    bytes_append(&text, "", 1);
    return (char *)text.data;
}
