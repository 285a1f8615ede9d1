/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Target: a recording through all readers and writers of `sdt`. The input is the metadata, a NUL,
 * and a stream. All forms of a report agree about the status, and an export leaves an output where
 * the recording could be read at all.
 */
#include "base/memory.h"
#include "command/command.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int run(int command(int argc, char **argv), const char *option, const char *path)
{
    char name[] = "sdt";
    char *arguments[] = {name, (char *)(uintptr_t)option, (char *)(uintptr_t)path, NULL};
    return command(3, arguments);
}

static void write_trace(const char *directory, const char *metadata, const char *stream,
                        const uint8_t *data, size_t size)
{
    const uint8_t *nul = size ? memchr(data, '\0', size) : NULL;
    size_t length = nul ? (size_t)(nul - data) : size;
    target_require(mkdir(directory, 0777) == 0, "a directory can be made");
    target_write(metadata, data, length);
    if (nul)
        target_write(stream, nul + 1, size - length - 1);
}

static void check(const char *directory)
{
    static const char *const reports[] = {"--json", "--csv", "--summary", "--relative",
                                          "--filter=pid != tid && function ^= \"s\" || !cpu"};
    int status = run(report_main, "--", directory);
    target_require(status == 0 || status == 1, "a report is done or not");
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++)
        target_require(run(report_main, reports[i], directory) == status,
                       "each form of a report has the same status");
    const char *output = target_path("out");
    static const char *const options[] = {"--chrome=", "--perfetto=", "--otlp=", "--html="};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        char *option = memory_format("%s%s", options[i], output);
        int (*command)(int, char **) = strcmp(options[i], "--html=") ? export_main : report_main;
        target_require(run(command, option, directory) == status,
                       "an export has the status of a report");
        target_require(unlink(output) == 0 || status == 1, "there is an output");
        free(option);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *directory = target_path("rec");
    char *metadata = memory_format("%s/metadata", directory);
    char *stream = memory_format("%s/cpu0", directory);
    write_trace(directory, metadata, stream, data, size);
    check(directory);
    unlink(stream);
    unlink(metadata);
    rmdir(directory);
    free(stream);
    free(metadata);
    return 0;
}
