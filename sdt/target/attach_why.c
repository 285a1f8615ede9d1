/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why a process cannot be attached to (attach.h). It cannot be asked, so this is what /proc shows
 * of it: its user, limits, environment, and what it has mapped. What can only be guessed is left
 * out.
 */
#include "attach.h"

#include "base/diag.h"
#include "base/memory.h"
#include "preload.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *open_text(pid_t pid, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    return fopen(path, "re");
}

/* The Nth number after LABEL in file NAME of process PID; false: there is none. */
static bool read_number(pid_t pid, const char *name, const char *label, int n,
                        unsigned long long *number)
{
    char line[256], *end = NULL;
    FILE *file = open_text(pid, name);
    bool is_found = false;
    while (file && !is_found && fgets(line, sizeof line, file))
        is_found = !strncmp(line, label, strlen(label));
    if (file)
        fclose(file);
    for (const char *at = line + strlen(label); is_found && n > 0; n--, at = end) {
        *number = strtoull(at, &end, 10);
        is_found = end != at; /* also of "unlimited" */
    }
    return is_found;
}

/* Whether its environment, when it was started, had NAME with a value other than 0. */
static bool had_variable(pid_t pid, const char *name)
{
    char *line = NULL;
    size_t room = 0, length = strlen(name);
    FILE *file = open_text(pid, "environ");
    bool is_set = false;
    while (file && !is_set && getdelim(&line, &room, '\0', file) > 0)
        is_set = !strncmp(line, name, length) && line[length] == '=' && line[length + 1] &&
                 strcmp(line + length + 1, "0") != 0;
    free(line);
    if (file)
        fclose(file);
    return is_set;
}

static bool maps(pid_t pid, const char *what)
{
    char *line = NULL;
    size_t room = 0;
    FILE *file = open_text(pid, "maps");
    bool is_there = false;
    while (file && !is_there && getline(&line, &room, file) > 0)
        is_there = strstr(line, what);
    free(line);
    if (file)
        fclose(file);
    return is_there;
}

static int open_program(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* Whether it runs a program of 32 bits. */
static bool is_narrow(pid_t pid)
{
    unsigned char ident[EI_NIDENT];
    int fd = open_program(pid);
    bool is_read = fd >= 0 && read(fd, ident, sizeof ident) == sizeof ident;
    if (fd >= 0)
        close(fd);
    return is_read && !memcmp(ident, ELFMAG, SELFMAG) && ident[EI_CLASS] == ELFCLASS32;
}

static bool has_runtime(pid_t pid)
{
    int fd = open_program(pid);
    bool has_copy = fd >= 0 && preload_has_copy(fd);
    if (fd >= 0)
        close(fd);
    return has_copy || maps(pid, "/libsdt.so");
}

/* Whether the kernel took it for a program that must not trust its environment. */
static bool is_secure(pid_t pid)
{
    Elf64_auxv_t entry;
    FILE *file = open_text(pid, "auxv");
    bool is_set = false;
    while (file && fread(&entry, sizeof entry, 1, file) == 1)
        is_set = is_set || (entry.a_type == AT_SECURE && entry.a_un.a_val);
    if (file)
        fclose(file);
    return is_set;
}

static size_t count_descriptors(pid_t pid)
{
    char path[64];
    size_t n = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *entries = opendir(path);
    for (const struct dirent *entry; entries && (entry = readdir(entries));)
        n += entry->d_name[0] != '.';
    if (entries)
        closedir(entries);
    return n;
}

/* ---- It has no page. ---- */

static char *why_size(pid_t pid)
{
    unsigned long long most;
    if (!read_number(pid, "limits", "Max file size", 1, &most) || most >= sizeof(struct live_page))
        return NULL;
    return memory_format("its limit of the size of files (RLIMIT_FSIZE, 'ulimit -f') is %llu "
                         "bytes; the control page has %zu",
                         most, sizeof(struct live_page));
}

static char *why_descriptors(pid_t pid)
{
    unsigned long long most;
    if (!read_number(pid, "limits", "Max open files", 1, &most) || count_descriptors(pid) < most)
        return NULL;
    return memory_format("it has all of the %llu descriptors that it may have (RLIMIT_NOFILE, "
                         "'ulimit -n'); the control page needs one",
                         most);
}

static const char remedy[] =
    "start it with 'sdt run' or SDT_ATTACH=1, or let it call sdt_attachable()";

/* Whether it has asked for a page cannot be seen unless it was IS_WANTED from the start. */
static char *why_filter(pid_t pid, bool is_wanted)
{
    unsigned long long mode;
    if (!read_number(pid, "status", "Seccomp:", 1, &mode) || !mode)
        return NULL;
    return memory_format("%s%sseccomp filter must allow memfd_create(2), ftruncate(2), fchmod(2), "
                         "fcntl(2), mmap(2) and clone(2)",
                         is_wanted ? "" : remedy, is_wanted ? "its " : "; its ");
}

/* A reason, to be freed. */
static char *why_none(pid_t pid)
{
    bool is_wanted = had_variable(pid, "SDT_ATTACH");
    char *reason = maps(pid, "/memfd:" LIVE_PAGE_NAME)
                       ? memory_format("it has closed the descriptor of its control page")
                       : NULL;
    if (!reason && had_variable(pid, "SDT_DISABLE_RUNTIME"))
        reason = memory_format("it was started with SDT_DISABLE_RUNTIME");
    if (!reason && is_narrow(pid))
        reason = memory_format("it is a program of 32 bits, whose libsdt has no control page; it "
                               "counts by SDT_ENABLE and sdt_enable()");
    if (!reason && is_secure(pid))
        reason = memory_format("it is set-user-ID or set-group-ID, or its file has capabilities");
    if (!reason && has_runtime(pid)) {
        reason = why_size(pid);
        if (!reason)
            reason = why_descriptors(pid);
        if (!reason)
            reason = why_filter(pid, is_wanted);
    }
    return reason ? reason : memory_format("%s", remedy);
}

/* What it said at the gate. */
static char *why_problem(pid_t pid, int problem)
{
    char *reason = problem == EFBIG                         ? why_size(pid)
                   : problem == EMFILE || problem == ENFILE ? why_descriptors(pid)
                   : problem == EACCES || problem == ENOSYS ? why_filter(pid, true)
                                                            : NULL;
    if (reason)
        return reason;
    switch (problem) {
    case EFBIG:
        return memory_format("its limit of the size of files (RLIMIT_FSIZE, 'ulimit -f') is too "
                             "small for the control page");
    case EMFILE:
        return memory_format("it may not have another descriptor (RLIMIT_NOFILE, 'ulimit -n')");
    case EPERM:
        return memory_format("it is set-user-ID or not dumpable, SDT_DISABLE_RUNTIME is set, or a "
                             "seccomp filter forbids memfd_create(2)");
    default:
        return memory_format("it cannot make its control page: %s", strerror(problem));
    }
}

/* ---- It is not ours. ---- */

/* Whether this user is not the machine's root although it looks like it: its numbers are those of a
 * user namespace that has not all of them. */
static bool is_in_namespace(void)
{
    unsigned long long first = 1, outer = 1, count = 0;
    FILE *file = fopen("/proc/self/uid_map", "re");
    bool is_read = file && fscanf(file, "%llu %llu %llu", &first, &outer, &count) == 3;
    if (file)
        fclose(file);
    return is_read && !(first == 0 && outer == 0 && count == UINT32_MAX);
}

static char *why_denied(pid_t pid)
{
    unsigned long long user;
    uid_t own = geteuid();
    if (!read_number(pid, "status", "Uid:", 2, &user))
        return memory_format("it belongs to another user, or is not dumpable");
    if (own != 0 && user != own) {
        const struct passwd *entry = getpwuid((uid_t)user);
        char *name = entry ? memory_format("%s", entry->pw_name) : memory_format("%llu", user);
        char *reason =
            memory_format("it belongs to another user, %s: run sdt as that user or as root", name);
        free(name);
        return reason;
    }
    if (own == 0 && is_in_namespace())
        return memory_format("it is outside of this user namespace, or not dumpable: run sdt where "
                             "it was started");
    if (count_descriptors(pid))
        return memory_format("its control page belongs to the user that it was before: run sdt as "
                             "root");
    return memory_format("it is not dumpable: it has changed its user, or is set-user-ID, or in a "
                         "user namespace of its own; run sdt as root");
}

int attach_explain(pid_t pid, int result, const struct attached *process, int problem)
{
    char name[PROCESS_NAME];
    char *reason;
    process_name(pid, name);
    switch (result) {
    case ATTACH_GONE:
        return diag_error("there is no process %d", (int)pid);
    case ATTACH_VERSION:
        return diag_error("process %d has libsdt %.31s, with control page %u; this sdt knows %u",
                          (int)pid, process->page->version, process->page->abi, LIVE_ABI);
    case ATTACH_WRONG:
        return diag_error("process %d: its control page is invalid", (int)pid);
    case ATTACH_DENIED:
        reason = why_denied(pid);
        diag_error("process %d (%s) cannot be attached to: %s", (int)pid, name, reason);
        break;
    default:
        reason = problem ? why_problem(pid, problem) : why_none(pid);
        diag_error("process %d (%s) is not attachable: %s", (int)pid, name, reason);
        break;
    }
    free(reason);
    return -1;
}
