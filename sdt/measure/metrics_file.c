/* SPDX-License-Identifier: BSD-2-Clause */
#include "metrics_file.h"

#include "base/output.h"

#include <stdio.h>
#include <string.h>

enum openmetrics_form metrics_file_form(const struct metrics_file *file)
{
    const char *end = file->path ? strrchr(file->path, '.') : NULL;
    return end && strcmp(end, ".prom") == 0 ? OPENMETRICS_PROMETHEUS : OPENMETRICS_1_0;
}

static int replace(const char *path, const struct bytes *text)
{
    struct output output = {.fd = -1};
    int status = output_open(&output, path, 0);
    if (status == 0)
        status = output_put(&output, text->data, text->size, 0);
    if (status == 0)
        status = output_finish(&output, text->size);
    if (status == 0)
        status = output_commit(&output);
    output_abandon(&output);
    return status;
}

void metrics_file_put(struct metrics_file *file, struct bytes *text)
{
    if (!file->path)
        fwrite(text->data, 1, text->size, stdout);
    else if (replace(file->path, text) != 0)
        file->has_failed = true;
    text->size = 0;
}
