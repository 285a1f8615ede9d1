/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt record: run a program with its probes recorded, and write what its rings get to files.
 *
 * The program itself makes the rings (runtime/recorder), as requested by its environment. So its
 * children are recorded as well, whatever they are.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "clock_note.h"
#include "command/command.h"
#include "compile/described_sites.h"
#include "gate.h"
#include "options.h"
#include "output.h"
#include "process.h"
#include "target/preload.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- The recording. ---- */

static char *default_output(void)
{
    char text[64];
    time_t now = time(NULL);
    struct tm local;
    localtime_r(&now, &local);
    strftime(text, sizeof text, "recording-%Y%m%d-%H%M%S", &local);
    return memory_format("%s", text);
}

/* ---- The program. ---- */

static void tell_program(const struct record *record)
{
    char *path = realpath(record->output, NULL);
    const char *others = getenv("SDT_ENABLE");
    char *entries = others && *others ? memory_format("%s;%s", others, record->patterns)
                                      : memory_format("%s", record->patterns);
    if (!path || setenv("SDT_RECORD", path, 1) != 0 || setenv("SDT_ENABLE", entries, 1) != 0 ||
        (record->options && setenv("SDT_RECORD_OPTIONS", record->options, 1) != 0))
        diag_errno("%s", record->output);
    free(path);
    free(entries);
}

/* Start it. Whether it could be run comes through a pipe that is closed if it could. */
static pid_t start(const struct record *record, int gate, int *error)
{
    int pipes[2];
    if (pipe2(pipes, O_CLOEXEC) != 0) {
        *error = errno;
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        tell_program(record);
        gate_tell(gate);
        preload_for_notes(record->command[0]);
        execvp(record->command[0], record->command);
        int problem = errno;
        _exit(write(pipes[1], &problem, sizeof problem) < 0 ? 127 : 126);
    }
    *error = child < 0 ? errno : 0;
    close(pipes[1]);
    if (child > 0 && read(pipes[0], error, sizeof *error) > 0) {
        waitpid(child, NULL, 0);
        child = -1;
    }
    close(pipes[0]);
    return child;
}

static volatile sig_atomic_t interrupts;

static void on_interrupt(int number)
{
    (void)number;
    interrupts++;
}

/*
 * The terminal also sends these to the program, whose reaction decides. Signals sent to us
 * alone are passed on.
 */
static pid_t program;

static void on_request(int number)
{
    if (program > 0)
        kill(program, number);
}

static void handle_signals(void)
{
    struct sigaction wait_on = {.sa_handler = on_interrupt}, pass = {.sa_handler = on_request};
    sigaction(SIGINT, &wait_on, NULL);
    sigaction(SIGQUIT, &wait_on, NULL);
    sigaction(SIGTERM, &pass, NULL);
    sigaction(SIGHUP, &pass, NULL);
}

/*
 * Write until the program has ended and no process records any more. If some outlive it, Ctrl-C
 * ends it.
 */
static int watch_program(struct record *record)
{
    int status = 0;
    bool has_ended = false, has_told = false;
    const struct timespec pause = {.tv_nsec = RECORD_PAUSE};
    for (unsigned round = 0;; round++) {
        if (!has_ended && waitpid(program, &status, WNOHANG) == program) {
            has_ended = true;
            interrupts = 0;
            round = 0;
        }
        gate_look(record);
        if (round % RECORD_LOOK_EVERY == 0)
            watch_look(&record->watch);
        bool is_busy = watch_drain(&record->watch);
        if (has_ended && (!record->watch.first || interrupts))
            return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        if (has_ended && !has_told && round > 250) {
            fprintf(stderr,
                    "sdt: %s has ended; processes that it started still record: Ctrl-C "
                    "ends the recording\n",
                    record->command[0]);
            has_told = true;
        }
        if (!is_busy)
            nanosleep(&pause, NULL);
    }
}

/* ---- All together. ---- */

static int run(struct record *record)
{
    int error;
    if (record_make_output(record) != 0)
        return STATUS_FAILED;
    record->made_clock = clock_note(record->watch.directory);
    handle_signals();
    int gate = gate_make(record);
    program = start(record, gate, &error);
    if (gate >= 0)
        close(gate);
    if (program < 0) {
        gate_close(record);
        record_remove_output(record);
        diag_error("%s: %s", record->command[0], strerror(error));
        return error == ENOENT ? 127 : 126;
    }
    int status = watch_program(record);
    gate_close(record);
    record_watch_late(record);
    watch_end(&record->watch);
    record_summarize(record);
    if (!record->watch.traces)
        record_remove_output(record);
    return status;
}

int record_main(int argc, char **argv)
{
    struct record record = {.watch.directory = -1, .lock = -1};
    int status = record_parse(&record, argc, argv);
    char *output = NULL;
    if (!record.output)
        record.output = output = default_output();
    if (!record.patterns)
        record.patterns = memory_format("%s", "*=record");
    if (status == STATUS_DONE)
        status = record_add_description(&record) != 0         ? STATUS_FAILED
                 : record.target.who || record.target.command ? record_process(&record)
                                                              : run(&record);
    watch_free(&record.watch);
    if (record.lock >= 0)
        close(record.lock);
    if (record.watch.directory >= 0)
        close(record.watch.directory);
    free(output);
    free(record.patterns);
    free(record.pattern);
    free(record.options);
    record_free_choices(&record);
    described_sites_free();
    return status;
}
