/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See ask.h. A process that sees our directory and may write there makes its files itself: they
 * stay even if we are killed. While we watch, it leaves most of the writing to us
 * (runtime/ring/storage.h). Any other process hands its rings over (runtime/ring/handed.h): one
 * with another root or other mounts, another user, or a read-only file system.
 */
#include "ask.h"
#include "base/described.h"
#include "base/diag.h"
#include "base/memory.h"
#include "command/command.h"
#include "take.h"
#include "target/patterns.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Whose the directory is. ---- */

/* Whether LINE, of a file `status`, is the one that LABEL begins; its second number is *EFFECTIVE.
 */
static bool read_effective(const char *line, const char *label, unsigned *effective)
{
    char *second, *end;
    if (strncmp(line, label, strlen(label)) != 0)
        return false;
    strtoul(line + strlen(label), &second, 10); /* the real one */
    *effective = (unsigned)strtoul(second, &end, 10);
    return end != second;
}

/* Which user and group PROCESS has now; false: it has ended. */
static bool read_user(const struct attached *process, uid_t *user, gid_t *group)
{
    char path[64], line[200];
    unsigned found[2] = {0};
    bool has_user = false, has_group = false;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process->pid);
    FILE *status = fopen(path, "re");
    while (status && fgets(line, sizeof line, status)) {
        has_user |= read_effective(line, "Uid:", &found[0]);
        has_group |= read_effective(line, "Gid:", &found[1]);
    }
    if (status)
        fclose(status);
    if (!has_user || !has_group)
        return false;
    *user = found[0];
    *group = found[1];
    return true;
}

/*
 * Root may attach to all processes, and they make files as their own user. That they may change
 * what is in the directory, links included, is nothing new (trace_directory.h). Where it cannot be
 * given away, the process says that it may not write.
 */
static void lend_output(const struct record *record, const struct attached *process)
{
    struct stat status;
    uid_t user;
    gid_t group;
    if (geteuid() != 0 || !record->made_output || fstat(record->watch.directory, &status) != 0 ||
        status.st_uid != 0 || !read_user(process, &user, &group) || user == 0)
        return;
    int error = fchown(record->watch.directory, user, group);
    (void)error;
}

/* ---- Asking. ---- */

/* Three strings, one after the other, in TEXT; their length, or 0 after a message. */
static size_t make_text(const struct record *record, const char *pattern,
                        char text[LIVE_REQUEST_TEXT])
{
    char *path = realpath(record->output, NULL);
    const char *options = record->options ? record->options : "";
    int length =
        snprintf(text, LIVE_REQUEST_TEXT, "%s%c:%s%c%s", path ? path : "", 0, options, 0, pattern);
    free(path);
    if (length >= 0 && length < LIVE_REQUEST_TEXT)
        return (size_t)length + 1;
    diag_error("directory and patterns are too long");
    return 0;
}

/* In parts, as PROCESS may not see the file. 0, or -1 after a message. */
static int send_description(const struct record *record, struct attached *process)
{
    size_t length = 0;
    char *text = record->description ? described_text(record->description, &length) : NULL;
    int result = record->description && !text ? -1 : 0;
    for (size_t at = 0; at < length && result == 0; at += LIVE_REQUEST_PROGRAM) {
        size_t left = length - at;
        struct attach_request request = {
            .op = LIVE_DESCRIBE,
            .argument = at,
            .program = text + at,
            .program_size = left < LIVE_REQUEST_PROGRAM ? left : LIVE_REQUEST_PROGRAM};
        result = attach_send(process, &request);
        if (result == 0 && request.result < 0)
            result = diag_error("process %d (%s): %s: %s", (int)process->pid, process->name,
                                record->description, request.message);
    }
    free(text);
    return result;
}

/* Ask for QUESTION with the rings handed over, and take them. */
static int ask_for_rings(struct record *record, struct attached *process,
                         struct attach_request *request)
{
    request->flags |= LIVE_HAND;
    if (send_description(record, process) != 0 || attach_send(process, request) != 0)
        return -1;
    if (request->result <= 0)
        return 0;
    if (request->file < 0)
        return diag_error("process %d (%s): the rings that it hands over cannot be opened",
                          (int)process->pid, process->name);
    return take_rings(&record->watch, request->file, process) == 0 ? 0 : -1;
}

/* Whether it has refused for a reason that is not one if it hands its rings over: what is in our
 * way is the directory, or a file that it should read. */
static bool is_about_files(int result)
{
    static const int errors[] = {EACCES, EPERM,  EROFS,   ENOTDIR, ELOOP,       ENOSPC,
                                 EDQUOT, EISDIR, EBADMSG, EMFILE,  ENAMETOOLONG};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (result == -errors[i])
            return true;
    return false;
}

/* Whether NAME below /proc/PID is something else than OURS. */
static bool differs(pid_t pid, const char *name, const char *ours)
{
    char path[64];
    struct stat theirs, own;
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    return stat(path, &theirs) == 0 && stat(ours, &own) == 0 &&
           (theirs.st_dev != own.st_dev || theirs.st_ino != own.st_ino);
}

/* Whether process PID has another root directory or mounts of its own, so that a name may lead to
 * another file there. False also if that is not known. */
static bool is_apart(pid_t pid)
{
    return differs(pid, "ns/mnt", "/proc/self/ns/mnt") || differs(pid, "root", "/");
}

/* 0, or -1 after a message. A library that is older than we are hands nothing over. */
static int ask(struct record *record, struct attached *process, struct attach_request *request)
{
    const struct attach_request before = *request;
    if (is_apart(process->pid)) {
        int result = ask_for_rings(record, process, request);
        if (result != 0 || request->result != -EINVAL)
            return result;
        *request = before;
    }
    lend_output(record, process);
    if (attach_send(process, request) != 0)
        return -1;
    if (!is_about_files(request->result))
        return 0;
    const struct attach_request refused = *request;
    *request = before;
    int result = ask_for_rings(record, process, request);
    if (result == 0 && request->result == -EINVAL)
        *request = refused;
    return result;
}

int record_ask(struct record *record, struct attached *process, uint64_t *id)
{
    char text[LIVE_REQUEST_TEXT] = "";
    /* Nothing but what is added later, if there is only that. */
    const char *pattern = record->pattern ? record->pattern : record->choice_count ? "" : "*";
    char *resolved = patterns_resolve(process, pattern);
    size_t length = resolved ? make_text(record, resolved, text) : 0;
    int status = length ? STATUS_DONE : STATUS_FAILED;
    struct attach_request request = {
        .op = LIVE_RECORD,
        .text = text,
        .length = length,
        .flags = (target_may_lack(&record->target, process) ? LIVE_PENDING : 0) |
                 (record->target.follows ? LIVE_FOLLOW : 0)};
    if (status == STATUS_DONE && ask(record, process, &request) != 0)
        status = STATUS_FAILED;
    if (status == STATUS_DONE && request.result < 0)
        status = target_refused_by(process, pattern, &request);
    if (status == STATUS_DONE)
        patterns_warn(process, resolved);
    free(resolved);
    *id = status == STATUS_DONE ? (uint64_t)request.result : 0;
    return status;
}
