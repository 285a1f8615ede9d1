/* SPDX-License-Identifier: BSD-2-Clause */
/* See take.h. */
#include "take.h"

#include "base/diag.h"
#include "handed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What the process is called, as a part of a file's name. */
static void choose_name(const struct attached *process, char name[PROCESS_NAME])
{
    snprintf(name, PROCESS_NAME, "%s", process->name);
    for (char *at = name; *at; at++)
        if (*at == '/' || (unsigned char)*at <= ' ' || *at == 0x7f)
            *at = '_';
    if (*name == '.' || !*name)
        snprintf(name, PROCESS_NAME, "program");
}

/* FD and DIRECTORY become ONE's. */
static int begin(struct watched *one, int fd, int directory)
{
    int error = handed_open(&one->storage, fd, directory);
    if (!error)
        error = handed_begin(&one->storage, &one->described);
    if (!error)
        error = storage_lock_drain(&one->storage, &one->lock);
    return error ? error
                 : drain_begin(&one->drain, directory, one->storage.file,
                               one->storage.size - HANDED_ROOM);
}

int take_rings(struct watch *watch, int fd, const struct attached *process)
{
    char program[PROCESS_NAME], name[NAME_MAX];
    choose_name(process, program);
    int directory = storage_make_trace(watch->directory, program, (pid_t)process->page->pid, name);
    if (directory < 0) {
        close(fd);
        return diag_error("%s: %s", watch->path, strerror(-directory));
    }
    struct watched *one = watch_new(name);
    one->process = process->pid;
    int error = begin(one, fd, directory);
    if (error) {
        watch_forget(one);
        unlinkat(watch->directory, name, AT_REMOVEDIR);
        if (error == -EINVAL)
            return diag_error("%s/%s: what the process hands over is not a ring file", watch->path,
                              name);
        return diag_error("%s/%s: %s", watch->path, name, strerror(-error));
    }
    watch_add(watch, one);
    return 0;
}
