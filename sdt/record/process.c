/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt record -p, sdt snapshot: what record.c does, for a running process (ask.c), which while we
 * watch leaves the writing of files to us.
 */
#include "process.h"
#include "ask.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/now.h"
#include "clock_note.h"
#include "command/command.h"
#include "output.h"
#include "target/patterns.h"
#include "trace_directory.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- Processes. ---- */

static struct recorded recorded_of(struct record *record, struct attached *process)
{
    struct recorded recorded = {
        .choices = memory_zeroed(record->choice_count + 1, sizeof *recorded.choices),
        .when = {.when = &record->when, .target = &record->target, .process = process}};
    for (size_t i = 0; i < record->choice_count; i++)
        recorded.choices[i] = (struct record_probes){.target = &record->target,
                                                     .process = process,
                                                     .pattern = record->choices[i].pattern[0],
                                                     .predicate = record->choices[i].predicate[0]};
    return recorded;
}

/* Have processes that are new record. */
static int ask_for_records(struct record *record)
{
    int status = STATUS_DONE;
    for (size_t i; (i = record->process_count) < target_count(&record->target) && !status;) {
        struct attached *process = target_at(&record->target, i);
        struct recorded recorded = recorded_of(record, process);
        if (target_is_there(&record->target, i)) {
            recorded.pid = (pid_t)process->page->pid;
            status = target_settle(process, record_ask(record, process, &recorded.id));
        }
        record->processes = memory_resize(record->processes, i + 1, sizeof recorded);
        record->processes[record->process_count++] = recorded;
    }
    return status;
}

/* Ask for what conditions choose, of the probes that are new. What takes a snapshot comes last: the
 * event that it is about is recorded before it. */
static int look_at(struct record *record, struct recorded *recorded)
{
    int status = STATUS_DONE;
    for (size_t i = 0; i < record->choice_count && status == STATUS_DONE; i++)
        status = record_probes_look(&recorded->choices[i]);
    return status == STATUS_DONE && record->has_when ? when_look(&recorded->when) : status;
}

static int look(struct record *record)
{
    int status = ask_for_records(record);
    for (size_t i = 0; i < record->process_count && status == STATUS_DONE; i++)
        if (record->processes[i].id && target_is_there(&record->target, i))
            status = target_settle(target_at(&record->target, i),
                                   look_at(record, &record->processes[i]));
    return status;
}

/* Write what comes, until time is over, or the user or the process ends it; a status. */
static int watch(struct record *record)
{
    int64_t began = now();
    for (unsigned round = 0;; round++) {
        enum target_event event =
            target_wait(&record->target, watch_drain(&record->watch) ? 0 : RECORD_PAUSE / 1000000);
        if (event == TARGET_LOST)
            return target_lost(&record->target);
        if (event == TARGET_ENDED)
            target_say_ended(&record->target);
        if (event != TARGET_TIME && event != TARGET_CAME)
            return STATUS_DONE;
        if (round % RECORD_LOOK_EVERY == 0)
            watch_look(&record->watch);
        int status = look(record);
        if (event == TARGET_CAME)
            target_go(&record->target);
        if (status != STATUS_DONE ||
            (record->duration > 0 && seconds_since(began) >= record->duration))
            return status;
    }
}

/* Children that follow use the same rings until they see that the session is over. */
static void wait_for_children(struct record *record)
{
    enum { PATIENCE = 2000, SLICE = 10 /* ms */ };
    const struct timespec slice = {.tv_nsec = SLICE * 1000000L};
    for (size_t i = 0; i < record->process_count; i++)
        attach_leave(target_at(&record->target, i));
    for (int waited = 0; waited < PATIENCE && record->watch.first; waited += SLICE) {
        nanosleep(&slice, NULL);
        watch_drain(&record->watch);
    }
}

/* Have everybody end, and write the rest. */
static void end(struct record *record)
{
    for (size_t i = 0; i < record->process_count; i++) {
        struct attach_request request = {.op = LIVE_DISABLE, .argument = record->processes[i].id};
        if (request.argument && target_is_there(&record->target, i))
            attach_send(target_at(&record->target, i), &request);
    }
    watch_look(&record->watch);
    watch_drain(&record->watch);
    if (record->target.follows)
        wait_for_children(record);
    record_watch_late(record);
    watch_end(&record->watch);
}

/* Of several processes, some may lack what others have. */
static int check_patterns(struct record *record)
{
    int status =
        record->pattern ? target_check_matches(&record->target, record->pattern) : STATUS_DONE;
    for (size_t i = 0; i < record->choice_count && status == STATUS_DONE; i++)
        status = target_check_matches(&record->target, record->choices[i].pattern[0]);
    for (unsigned end = 0; end < 2 && status == STATUS_DONE && record->has_when; end++)
        if (record->when.clauses.pattern[end])
            status = target_check_matches(&record->target, record->when.clauses.pattern[end]);
    return status;
}

static int record_it(struct record *record)
{
    int status = check_patterns(record);
    if (status == STATUS_DONE)
        status = look(record);
    watch_look(&record->watch);
    target_go(&record->target);
    if (status == STATUS_DONE)
        status = watch(record);
    end(record);
    uint64_t restarted = 0, evicted = 0;
    for (size_t i = 0; i < record->process_count; i++)
        when_count(&record->processes[i].when, &restarted, &evicted);
    if (record->has_when && record->process_count)
        when_warn(&record->processes[0].when, restarted, evicted);
    if (status == STATUS_DONE || record->watch.events)
        record_summarize(record);
    else {
        /* A process has refused something, before anything was recorded: as if nothing had been
         * made. */
        for (size_t i = 0; i < record->process_count; i++)
            if (record->processes[i].id)
                trace_directory_remove_empty(record->watch.directory, record->processes[i].pid);
            else if (record->processes[i].pid && !target_is_there(&record->target, i))
                trace_directory_remove_undescribed(record->watch.directory,
                                                   record->processes[i].pid);
        record_remove_output(record);
    }
    return status;
}

int record_process(struct record *record)
{
    int status = target_open(&record->target);
    if (status != STATUS_DONE)
        return status;
    status = record_make_output(record) == 0 ? STATUS_DONE : STATUS_FAILED;
    if (status == STATUS_DONE) {
        record->made_clock = clock_note(record->watch.directory);
        status = record_it(record);
    }
    return target_close(&record->target, status);
}

static const char usage[] =
    "Usage: sdt snapshot -p PID|NAME\n"
    "\n"
    "Have a process that records (SDT_RECORD) write what its rings have to the files: of a flight\n"
    "recorder, what led to this moment. If several processes have that NAME, all that record do.\n"
    "\n"
    "  -p, --process=PID|NAME  an attachable process (see 'sdt ps')\n"
    "  -h, --help              print this and exit\n"
    "\n"
    "Exit status: 0 done; 1 the work failed; 2 the command line is wrong; 3 it does not record.\n";

/* IS_QUIET: that it does not record is no news. */
static int snapshot_of(struct attached *process, bool is_quiet)
{
    struct attach_request request = {.op = LIVE_FLUSH};
    if (attach_send(process, &request) != 0)
        return STATUS_FAILED;
    if (request.result >= 0)
        return STATUS_DONE;
    if (request.result != -ENOENT || !is_quiet)
        diag_error("process %d (%s): %s", (int)process->pid, process->name, request.message);
    return request.result == -ENOENT ? STATUS_NOTHING : STATUS_FAILED;
}

/* Of several processes, one must record, and none must fail. */
static int snapshot(struct target *target)
{
    bool has_failed = false, is_any = false;
    int status = target_open(target);
    if (status != STATUS_DONE)
        return status;
    size_t count = target_count(target);
    for (size_t i = 0; i < count; i++) {
        status = snapshot_of(target_at(target, i), count > 1);
        is_any = is_any || status == STATUS_DONE;
        has_failed = has_failed || status == STATUS_FAILED;
    }
    if (!is_any && !has_failed && count > 1)
        diag_error("none of %zu processes '%s' records", count, target->who);
    return target_close(target, has_failed ? STATUS_FAILED : is_any ? STATUS_DONE : STATUS_NOTHING);
}

int snapshot_main(int argc, char **argv)
{
    static const struct option options[] = {{"process", required_argument, NULL, 'p'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct target target = {.takes_all = true};
    for (int option; (option = getopt_long(argc, argv, "p:h", options, NULL)) >= 0;) {
        if (option == 'h') {
            fputs(usage, stdout);
            return STATUS_DONE;
        }
        if (option != 'p') {
            fputs("Try 'sdt snapshot --help'.\n", stderr);
            return STATUS_USAGE;
        }
        target.who = optarg;
    }
    if (!target.who || !*target.who || argv[optind])
        return command_wrong("snapshot", "say which process: -p PID|NAME, and nothing else");
    return snapshot(&target);
}
