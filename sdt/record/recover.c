/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt recover: the events that killed programs left in their rings are written to the files of the
 * recording, and files that end in an incomplete packet or description are truncated there.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "command/command.h"
#include "trace_directory.h"
#include "watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
    "Usage: sdt recover DIR\n"
    "\n"
    "Write to the recording DIR what programs that were killed, or found the disk full, have left\n"
    "in memory. What is complete stays as it is.\n"
    "\n"
    "  -h, --help  print this and exit\n"
    "\n"
    "Exit status: 0 done, or there was nothing to do; 1 something could not be recovered, or is\n"
    "still being recorded; 2 the command line is wrong.\n";

/* ---- Streams. ---- */

/* Cut NAME off where a packet was not written to its end. */
static int repair_stream(const char *path, int directory, const char *name)
{
    struct stat status = {0};
    uint64_t whole = 0;
    int fd = openat(directory, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), result = 0;
    int end = fd < 0 || fstat(fd, &status) != 0 ? -errno
              : S_ISREG(status.st_mode)         ? drain_walk(fd, UINT64_MAX, &whole)
                                                : STREAM_WHOLE;
    if (end == STREAM_TORN && ftruncate(fd, (off_t)whole) != 0)
        end = -errno;
    if (end < 0)
        result = diag_error("%s/%s: %s", path, name, strerror(-end));
    else if (end == STREAM_FOREIGN)
        result = diag_error("%s/%s: what is at byte %llu is not a packet: left unchanged", path,
                            name, (unsigned long long)whole);
    else if (end == STREAM_TORN)
        printf("%s/%s: cut off at byte %llu: %llu bytes of a packet that was not written to its "
               "end\n",
               path, name, (unsigned long long)whole,
               (unsigned long long)((uint64_t)status.st_size - whole));
    if (fd >= 0)
        close(fd);
    return result;
}

/* ---- Metadata. ---- */

enum { MAX_METADATA = 1 << 26 };

static bool begins(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

/*
 * How much of TEXT is whole: up to a block, of which the first line has no blank before it and the
 * last one is `};`, or a comment that belongs to no block.
 */
static size_t whole_blocks(const char *text)
{
    const char *line = text, *whole = text;
    for (const char *end; (end = strchr(line, '\n')); line = end + 1) {
        bool belongs_to_none = end == line || begins(line, "/* sdt-module ");
        if (begins(line, "};\n") || (whole == line && belongs_to_none))
            whole = end + 1;
    }
    return (size_t)(whole - text);
}

/* Cut the metadata off where a description was not written to its end: no event has it. */
static int repair_metadata(const char *path, int directory)
{
    static const char name[] = "metadata";
    struct stat status = {0};
    int fd = openat(directory, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    int result = 0;
    if (fd < 0 || fstat(fd, &status) != 0)
        result = diag_error("%s/%s: %s", path, name, strerror(errno));
    size_t size =
        S_ISREG(status.st_mode) && status.st_size <= MAX_METADATA ? (size_t)status.st_size : 0;
    char *text = memory_zeroed(size + 1, 1);
    ssize_t n = size ? pread(fd, text, size, 0) : 0;
    size_t whole = n == (ssize_t)size ? whole_blocks(text) : size;
    if (whole && whole < size) {
        if (ftruncate(fd, (off_t)whole) != 0)
            result = diag_error("%s/%s: %s", path, name, strerror(errno));
        else
            printf("%s/%s: cut off at byte %zu: a description that was not written to its end\n",
                   path, name, whole);
    }
    free(text);
    if (fd >= 0)
        close(fd);
    return result;
}

static int repair_trace(const struct watch *watch, const struct watched *one)
{
    int copy = openat(one->storage.directory.fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
        status = 0;
    DIR *entries = copy < 0 ? NULL : fdopendir(copy);
    char *path = memory_format("%s/%s", watch->path, one->name);
    if (!entries)
        status = diag_errno("%s", path);
    else
        status = repair_metadata(path, one->storage.directory.fd);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (!strncmp(entry->d_name, "cpu", 3) &&
            repair_stream(path, one->storage.directory.fd, entry->d_name) != 0)
            status = -1;
    if (entries)
        closedir(entries);
    free(path);
    return status;
}

/* ---- Rings. ---- */

static int recover(struct watch *watch)
{
    unsigned count = trace_directory_remove_unbegun(watch->directory);
    if (count)
        printf("%s: %u trace%s of processes that had not begun to record removed\n", watch->path,
               count, count == 1 ? "" : "s");
    bool is_something = count > 0;
    int status = watch_look(watch) < 0 ? STATUS_FAILED : STATUS_DONE;
    for (const struct watched *one = watch->first; one; one = one->next)
        if (repair_trace(watch, one) != 0)
            status = STATUS_FAILED;
    watch_drain(watch);
    for (const struct watched *one = watch->first; one; one = one->next) {
        diag_error("%s/%s: a process still records into it", watch->path, one->name);
        status = STATUS_FAILED;
    }
    if (watch_end(watch) != 0)
        status = STATUS_FAILED;
    if (watch->traces)
        printf("%s: %llu event%s recovered, %llu lost\n", watch->path,
               (unsigned long long)watch->events, watch->events == 1 ? "" : "s",
               (unsigned long long)watch->lost);
    else if (status == STATUS_DONE && !is_something)
        printf("%s: nothing to recover\n", watch->path);
    return status;
}

int recover_main(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    static const struct command_line line = {"recover", usage, "h", options};
    int status = command_options(&line, argc, argv, NULL, NULL);
    if (status != STATUS_DONE)
        return status;
    if (argc - optind != 1)
        return command_wrong("recover", argc > optind ? "more than one directory" : "no directory");
    struct watch watch = {.path = argv[optind]};
    watch.directory = open(watch.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (watch.directory < 0) {
        diag_errno("%s", watch.path);
        return STATUS_FAILED;
    }
    if (faccessat(watch.directory, ".sdt-recording", F_OK, 0) != 0) {
        diag_error("%s is not a recording", watch.path);
        close(watch.directory);
        return STATUS_FAILED;
    }
    status = recover(&watch);
    watch_free(&watch);
    close(watch.directory);
    return status;
}
