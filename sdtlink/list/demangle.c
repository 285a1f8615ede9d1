/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See demangle.h. A demangler has some six thousand lines that must follow the C++ ABI, and
 * machines with a C++ compiler have one: c++filt of binutils or LLVM. It reads all names at once,
 * one per line, from a file in memory; with a pipe, both sides could wait for each other.
 *
 * Names come from files of unknown origin. Only names made of the characters of C++ symbols are
 * passed on: a line break in a name would shift all that follow. A short name can expand to
 * gigabytes, each part doubling the one before: output, memory and time are limited.
 */
#include "demangle.h"

#include "base/diag.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Who did not ask for it does not wait for long. */
enum { MAX_OUTPUT = 64 << 20, MAX_MEMORY = 512 << 20, MAX_SECONDS = 5, MAX_UNASKED_SECONDS = 1 };

static bool is_mangled(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "_.$";
    return name && strncmp(name, "_Z", 2) == 0 && name[strspn(name, letters)] == '\0';
}

/* Equal names of one file are one string, so that comparing their places is enough. */
static int by_string(const void *left, const void *right)
{
    const char *a = *(const char *const *)left, *b = *(const char *const *)right;
    return a < b ? -1 : a > b;
}

/* Every mangled name once, sorted by address. */
static const char **collect(const struct list *list, size_t first, size_t *count)
{
    const char **names = memory_zeroed(list->count - first + 1, sizeof *names);
    size_t n = 0, unique = 0;
    for (size_t i = first; i < list->count; i++)
        if (is_mangled(list->sites[i].function))
            names[n++] = list->sites[i].function;
    qsort(names, n, sizeof *names, by_string);
    for (size_t i = 0; i < n; i++)
        if (unique == 0 || names[unique - 1] != names[i])
            names[unique++] = names[i];
    *count = unique;
    return names;
}

/* A file in memory with the names, positioned at its start; -1 and errno on failure. */
static int write_names(const char *const *names, size_t count)
{
    int fd = memfd_create("names", MFD_CLOEXEC);
    FILE *file = fd < 0 ? NULL : fdopen(dup(fd), "w");
    bool is_written = file != NULL;
    for (size_t i = 0; file && i < count; i++)
        is_written &= fprintf(file, "%s\n", names[i]) > 0;
    if (file)
        is_written &= fclose(file) == 0;
    if (is_written && lseek(fd, 0, SEEK_SET) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Start a demangler that reads INPUT. Returns its process, *OUTPUT is its output; or -errno. */
static pid_t start(int input, int *output)
{
    static const char *const programs[] = {"c++filt", "llvm-cxxfilt"};
    int ends[2], error = ENOENT;
    pid_t child = 0;
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -errno;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    for (size_t i = 0; error == ENOENT && i < sizeof programs / sizeof *programs; i++) {
        char *argv[] = {(char *)programs[i], NULL};
        error = posix_spawnp(&child, programs[i], &actions, NULL, argv, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *output = ends[0];
    if (!error)
        return child;
    close(ends[0]);
    return -error;
}

/* A demangler builds a whole name before it writes the first byte. */
static void limit(pid_t child, bool must)
{
    static const struct rlimit memory = {MAX_MEMORY, MAX_MEMORY};
    const rlim_t most = must ? MAX_SECONDS : MAX_UNASKED_SECONDS;
    const struct rlimit seconds = {most, most};
    prlimit(child, RLIMIT_AS, &memory, NULL);
    prlimit(child, RLIMIT_CPU, &seconds, NULL);
}

/* All output of FD; false on an error, or if it is too much. */
static bool read_all(int fd, struct bytes *text)
{
    for (;;) {
        bytes_reserve(text, 1 << 16);
        ssize_t got = read(fd, text->data + text->size, 1 << 16);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0;
        text->size += (size_t)got;
        if (text->size > MAX_OUTPUT)
            return false;
    }
}

/* Names stay as they are, which is an error only if it MUST not be. */
static int wrong(bool must, const char *problem)
{
    return must ? diag_error("%s", problem) : -1;
}

static int run(const char *const *names, size_t count, struct bytes *text, bool must)
{
    int output = -1, status = 0, input = write_names(names, count);
    if (input < 0)
        return wrong(must, "list: --demangle: cannot keep the names in memory");
    pid_t child = start(input, &output);
    close(input);
    if (child == -ENOENT)
        return wrong(must, "list: --demangle needs c++filt (of binutils) or llvm-cxxfilt in PATH");
    if (child < 0)
        return wrong(must, "list: --demangle: cannot start c++filt");
    limit(child, must);
    bool is_whole = read_all(output, text);
    close(output);
    if (!is_whole)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!is_whole)
        return wrong(must, "list: --demangle: the names are too long for a real program");
    return status ? wrong(must, "list: --demangle: c++filt failed or took too long") : 0;
}

/* Give each site its line of TEXT, which has a line for each of NAMES; false: it has fewer. */
static bool assign(struct list *list, size_t first, const char **names, size_t count,
                   struct bytes *text)
{
    const char **lines = memory_zeroed(count + 1, sizeof *lines);
    size_t n = 0;
    bytes_append(text, "", 1);
    char *line = (char *)text->data;
    for (char *end; n < count && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        bool is_new = strcmp(line, names[n]) != 0; /* else it is not a C++ name */
        lines[n++] = is_new ? list_strings_keep(&list->strings, memory_format("%s", line)) : NULL;
    }
    for (size_t i = first; n == count && i < list->count; i++) {
        struct list_site *site = &list->sites[i];
        const char **name = bsearch(&site->function, names, count, sizeof *names, by_string);
        if (name)
            site->demangled = lines[name - names];
    }
    free(lines);
    return n == count;
}

int list_demangle(struct list *list, size_t first, bool must)
{
    struct bytes text = {0};
    size_t count;
    const char **names = collect(list, first, &count);
    int result = count ? run(names, count, &text, must) : 0;
    if (count && result == 0 && !assign(list, first, names, count, &text))
        result = wrong(must, "list: --demangle: c++filt wrote a different number of lines");
    bytes_free(&text);
    free(names);
    return must ? result : 0;
}
