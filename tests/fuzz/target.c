/* SPDX-License-Identifier: BSD-2-Clause */
#include "target.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *report;

/*
 * The tool explains every refusal, thousands of times a second: that goes nowhere, unless a user
 * looks at one finding (SDT_FUZZ_VERBOSE=1). libFuzzer and the sanitizers keep the real stderr.
 */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    report = stderr;
    if (!getenv("SDT_FUZZ_VERBOSE"))
        stdout = stderr = fopen("/dev/null", "w");
    return stderr ? 0 : 1;
}

const char *target_path(const char *name)
{
    static char paths[8][64];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s.%d", name, (int)getpid());
    return path;
}

void target_require(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(report, "does not hold: %s\n", what);
    abort();
}

void target_write(const char *path, const uint8_t *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    target_require(fd >= 0 && write(fd, data, size) == (ssize_t)size, "the input can be written");
    close(fd);
}

uint8_t *target_read(const char *path, size_t *size)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    target_require(fstat(fd, &status) == 0, "a file's size is known");
    *size = (size_t)status.st_size;
    uint8_t *data = malloc(*size + 1);
    target_require(data && read(fd, data, *size) == status.st_size, "a file can be read");
    close(fd);
    return data;
}
