/* SPDX-License-Identifier: BSD-2-Clause */
#include "untouched.h"

#include "base/diag.h"
#include "base/status.h"
#include "elf/writer.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether OBJECT has a set of sites: it has been processed before. */
static bool is_processed(const struct object *object)
{
    for (uint32_t i = 1; i < object->section_count; i++)
        if (section_holds_sites(&object->sections[i]))
            return true;
    return false;
}

int untouched_object(const struct options *options, const struct object *object,
                     struct output *output)
{
    bool has_probes = is_processed(object);
    if (options->companion) {
        diag_error("%s: no probe to make a companion for", options->input);
        return STATUS_FAILED;
    }
    if (options->dry_run) {
        printf(options->json ? "[]\n" : "");
    } else {
        if (writer_write_unchanged(object, output) != 0)
            return STATUS_FAILED;
        diag_summary("%s: no probe to process%s; copied to %s", options->input,
                     has_probes ? ", it has been processed before" : "", options->output);
        if (output_deliver(output) != 0)
            return STATUS_FAILED;
    }
    return options->require_probes && !has_probes ? STATUS_NO_PROBES : STATUS_DONE;
}

static int copy_file(const struct options *options)
{
    struct output output = {.fd = -1};
    struct stat status;
    int result = -1, fd = open(options->input, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0) {
        diag_errno("cannot open %s", options->input);
        goto done;
    }
    struct byte_range all = {0, (uint64_t)status.st_size};
    if (output_open(&output, options->output, status.st_mode & 07777) != 0 ||
        output_copy(&output, fd, all, 0) != 0)
        goto done;
    diag_summary("%s: an object for another machine, with no probe to process; copied to %s",
                 options->input, options->output);
    result = output_deliver(&output);
done:
    if (fd >= 0)
        close(fd);
    output_abandon(&output);
    return result;
}

int untouched_foreign(const struct options *options)
{
    if (options->companion) {
        diag_error("%s: no probe to make a companion for", options->input);
        return STATUS_FAILED;
    }
    if (options->dry_run) {
        if (options->output && output_check(options->output) != 0)
            return STATUS_FAILED;
        printf(options->json ? "[]\n" : "");
    } else if (copy_file(options) != 0) {
        return STATUS_FAILED;
    }
    return options->require_probes ? STATUS_NO_PROBES : STATUS_DONE;
}
