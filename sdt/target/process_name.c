/* SPDX-License-Identifier: BSD-2-Clause */
/* See process_name.h. */
#include "process_name.h"

#include <fcntl.h>
#include <limits.h>
#include <shared/pattern.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { COMM = 15 }; /* bytes that the kernel keeps */

/* Up to ROOM - 1 bytes of FILE of process PID, with an end; how many. */
static size_t read_start(pid_t pid, const char *file, char *text, size_t room)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, room - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0 ? (size_t)n : 0;
}

void process_comm(pid_t pid, char comm[PROCESS_COMM])
{
    size_t n = read_start(pid, "comm", comm, PROCESS_COMM);
    if (n && comm[n - 1] == '\n')
        comm[n - 1] = '\0';
}

/* The names that it may have beside the kernel's: of its file, and of its first two arguments (a
 * script is the second one of its interpreter). */
struct names {
    char file[PATH_MAX], arguments[PATH_MAX];
    const char *name[3];
};

static void read_names(pid_t pid, struct names *names)
{
    static const char deleted[] = " (deleted)";
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    ssize_t n = readlink(path, names->file, sizeof names->file - 1);
    size_t length = n > 0 ? (size_t)n : 0, suffix = sizeof deleted - 1;
    names->file[length] = '\0';
    if (length > suffix && !strcmp(names->file + length - suffix, deleted))
        names->file[length - suffix] = '\0';
    size_t size = read_start(pid, "cmdline", names->arguments, sizeof names->arguments);
    size_t first = strlen(names->arguments);
    names->name[0] = basename(names->file);
    names->name[1] = basename(names->arguments);
    names->name[2] = first < size ? basename(names->arguments + first + 1) : "";
}

/* The whole of COMM, or COMM. */
static const char *whole_name(const char *comm, const struct names *names)
{
    if (strlen(comm) < COMM)
        return comm;
    for (size_t i = 0; i < sizeof names->name / sizeof names->name[0]; i++)
        if (!strncmp(names->name[i], comm, COMM) && strlen(names->name[i]) < PROCESS_NAME)
            return names->name[i];
    return comm;
}

void process_name(pid_t pid, char name[PROCESS_NAME])
{
    char comm[PROCESS_COMM];
    struct names names;
    process_comm(pid, comm);
    if (strlen(comm) >= COMM)
        read_names(pid, &names);
    snprintf(name, PROCESS_NAME, "%s", *comm ? whole_name(comm, &names) : "?");
}

static bool is_same(const char *wanted, const char *name)
{
    return strcmp(wanted, name) == 0;
}

static bool has_name(pid_t pid, const char *wanted, bool (*fits)(const char *, const char *))
{
    char comm[PROCESS_COMM];
    struct names names;
    process_comm(pid, comm);
    if (!*comm)
        return false;
    if (fits(wanted, comm))
        return true;
    read_names(pid, &names);
    return fits(wanted, names.name[0]) || fits(wanted, names.name[1]) ||
           fits(wanted, whole_name(comm, &names));
}

bool process_is_called(pid_t pid, const char *name)
{
    return has_name(pid, name, is_same);
}

bool process_matches(pid_t pid, const char *glob)
{
    return has_name(pid, glob, pattern_glob);
}
