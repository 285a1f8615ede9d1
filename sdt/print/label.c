/* SPDX-License-Identifier: BSD-2-Clause */
#include "label.h"

#include "base/probe_label.h"
#include "text.h"

void label_part_append(struct bytes *to, const char *part)
{
    probe_part_append(to, slice_of(part));
}

void label_append(struct bytes *to, const char *provider, const char *name)
{
    label_part_append(to, provider);
    text_char(to, ':');
    label_part_append(to, name);
}

char *label_of(const char *provider, const char *name)
{
    struct bytes label = {0};
    label_append(&label, provider, name);
    return bytes_take_text(&label);
}

char *label_part(const char *part)
{
    struct bytes text = {0};
    label_part_append(&text, part);
    return bytes_take_text(&text);
}
