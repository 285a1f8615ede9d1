/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe_label.h"

#include "escape_append.h"

#include <stdlib.h>

void probe_part_append(struct bytes *to, struct slice part)
{
    for (const char *dash; (dash = memmem(part.text, part.length, "__", 2));) {
        size_t before = (size_t)(dash - part.text);
        escape_append(to, (struct slice){part.text, before});
        bytes_append(to, "-", 1);
        part = (struct slice){dash + 2, part.length - before - 2};
    }
    escape_append(to, part);
}

void probe_part_print(FILE *out, struct slice part)
{
    struct bytes text = {0};
    probe_part_append(&text, part);
    fwrite(text.data, 1, text.size, out);
    bytes_free(&text);
}

char *probe_label(struct slice provider, struct slice name)
{
    struct bytes text = {0};
    probe_part_append(&text, provider);
    bytes_append(&text, ":", 1);
    probe_part_append(&text, name);
    return bytes_take_text(&text);
}

char *probe_named(struct slice provider, struct slice name)
{
    char *label = probe_label(provider, name), *text = memory_format("probe %s", label);
    free(label);
    return text;
}
