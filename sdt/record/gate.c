/* SPDX-License-Identifier: BSD-2-Clause */
/* See gate.h. What a program that comes forks records as well, as otherwise (LIVE_FOLLOW). */
#include "gate.h"
#include "ask.h"
#include "base/memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int gate_make(struct record *record)
{
    const int yes = 1;
    int ends[2];
    record->target.process.process = record->target.process.file = -1;
    record->target.started = (struct started){0, -1, -1, 0};
    record->target.is_started = record->target.follows = true;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
    record->target.started.gate = ends[0];
    return ends[1];
}

void gate_tell(int end)
{
    enum { HIGH = 64 }; /* who opens files by number hardly wants that one */
    struct stat status;
    int fd = end < 0 ? -1 : fcntl(end, F_DUPFD, HIGH);
    if (fd < 0 || fstat(fd, &status) != 0)
        return;
    char *value = memory_format("gate:%d:%llu:0", fd, (unsigned long long)status.st_ino);
    setenv("SDT_RECORD_GATE", value, 1);
    free(value);
}

static void meet(struct record *record, pid_t who)
{
    struct attached *process = processes_find(&record->target, who);
    uint64_t id;
    if (!process) {
        process = processes_other(&record->target, who);
        if (!process)
            return;
        process->is_late = true;
        record_ask(record, process, &id);
    }
    attach_pass(process); /* also of one that has loaded something */
}

void gate_look(struct record *record)
{
    struct target *target = &record->target;
    for (pid_t who; (who = started_who(&target->started)) != 0;)
        meet(record, who);
    for (size_t i = 0; i < target->other_count; i++) {
        struct attached *process = target->others[i];
        if (!process->page)
            continue;
        attach_beat(process);
        if (!attach_is_there(process) && !attach_is_followed(process))
            attach_close(process);
    }
}

void gate_close(struct record *record)
{
    started_close_gate(&record->target.started);
    processes_close_all(&record->target);
}
