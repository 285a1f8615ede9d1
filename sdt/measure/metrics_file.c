/* SPDX-License-Identifier: BSD-2-Clause */
#include "metrics_file.h"

#include "base/output.h"

#include <stdio.h>
#include <string.h>

const char *metrics_file_check(const struct metrics_file *file, bool is_openmetrics,
                               double *interval)
{
    if (file->address && *interval == 0)
        *interval = 1;
    if (file->path && file->address)
        return "--output and --listen are mutually exclusive";
    if (file->path && !is_openmetrics)
        return "--output is for --openmetrics";
    if (file->address && !is_openmetrics)
        return "--listen is for --openmetrics";
    return NULL;
}

int metrics_file_open(struct metrics_file *file)
{
    if (file->address)
        file->listener = metrics_listen(file->address);
    return file->address && !file->listener ? -1 : 0;
}

void metrics_file_close(struct metrics_file *file)
{
    metrics_listen_end(file->listener);
    file->listener = NULL;
}

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
    if (!file->path && !file->listener)
        fwrite(text->data, 1, text->size, stdout);
    if (file->path && replace(file->path, text) != 0)
        file->has_failed = true;
    if (file->listener && metrics_listen_put(file->listener, text) != 0)
        file->has_failed = true;
    text->size = 0;
}
