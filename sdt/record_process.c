/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt record -p, sdt snapshot: what record.c does, of a process that runs already. It makes the
 * rings itself, in the directory that we name; while we watch that, it leaves the writing of files
 * to us (runtime/recorder/home.h).
 */
#include "command.h"
#include "diag.h"
#include "memory.h"
#include "now.h"
#include "patterns.h"
#include "record.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Three strings, one behind the other. */
int record_ask(const struct record *record, struct attached *process, uint64_t *id)
{
    char text[LIVE_REQUEST_TEXT] = "";
    char *path = realpath(record->output, NULL);
    const char *options = record->options ? record->options : "";
    /* Nothing but what is added later, if there is only that. */
    const char *pattern = record->pattern ? record->pattern : record->choice_count ? "" : "*";
    char *resolved = patterns_resolve(process, pattern);
    int length = snprintf(text, sizeof text, "%s%c:%s%c%s", path ? path : "", 0, options, 0,
                          resolved ? resolved : "");
    free(path);
    if (!resolved)
        return STATUS_FAILED;
    if (length < 0 || length >= (int)sizeof text) {
        free(resolved);
        diag_error("directory and patterns are too long");
        return STATUS_FAILED;
    }
    struct question question = {.op = LIVE_RECORD,
                                .text = text,
                                .length = (size_t)length + 1,
                                .flags = (record->target.is_started ? LIVE_PENDING : 0) |
                                         (record->target.follows ? LIVE_FOLLOW : 0)};
    int status = attach_ask(process, &question) == 0 ? STATUS_DONE : STATUS_FAILED;
    if (status == STATUS_DONE && question.result < 0)
        status = target_refused_by(process, pattern, &question);
    if (status == STATUS_DONE)
        patterns_warn(process, resolved);
    free(resolved);
    *id = (uint64_t)question.result;
    return status;
}

/* ---- Choices. ---- */

const char *record_choose(struct record *record, const char *text)
{
    const struct clauses_form one = {1, false};
    char *word = memory_format("%s", text), *words[] = {word, NULL};
    struct record_choice choice = {0};
    const char *problem = clauses_parse(&choice.clauses, one, words);
    free(word);
    size_t count = record->choice_count + 1;
    record->choices = memory_resize(record->choices, count, sizeof choice);
    record->choices[record->choice_count++] = choice;
    return problem;
}

void record_free_choices(struct record *record)
{
    for (size_t i = 0; i < record->choice_count; i++) {
        record_probes_free(&record->choices[i].probes);
        clauses_free(&record->choices[i].clauses);
    }
    free(record->choices);
    when_free(&record->when);
}

/* Ask for what conditions choose, of the probes that are new. What takes a snapshot comes last: the
 * event that it is about is recorded before it. */
static int look(struct record *record)
{
    int status = STATUS_DONE;
    for (size_t i = 0; i < record->choice_count && status == STATUS_DONE; i++) {
        struct record_choice *choice = &record->choices[i];
        choice->probes.target = &record->target;
        choice->probes.process = &record->target.process;
        choice->probes.pattern = choice->clauses.pattern[0];
        choice->probes.predicate = choice->clauses.predicate[0];
        status = record_probes_look(&choice->probes);
    }
    return status == STATUS_DONE && record->has_when ? when_look(&record->when, &record->target)
                                                     : status;
}

/* Write what comes, until time is over or somebody or the process ends it; a status. */
static int watch(struct record *record)
{
    double end = now() + record->duration;
    for (unsigned round = 0;; round++) {
        enum target_event event =
            target_wait(&record->target, watch_drain(&record->watch) ? 0 : RECORD_PAUSE / 1000000);
        if (event == TARGET_LOST)
            return target_lost(&record->target);
        if (event != TARGET_TIME && event != TARGET_CAME)
            return STATUS_DONE;
        if (round % RECORD_LOOK_EVERY == 0)
            watch_look(&record->watch);
        int status = look(record);
        if (event == TARGET_CAME)
            target_go(&record->target);
        if (status != STATUS_DONE || (record->duration > 0 && now() >= end))
            return status;
    }
}

static int record_it(struct record *record)
{
    uint64_t id = 0;
    int status = record_ask(record, &record->target.process, &id);
    if (status != STATUS_DONE) {
        target_go(&record->target);
        record_remove_output(record);
        return status;
    }
    watch_look(&record->watch);
    status = look(record);
    target_go(&record->target);
    if (status == STATUS_DONE)
        status = watch(record);
    struct question question = {.op = LIVE_DISABLE, .argument = id};
    if (attach_is_there(&record->target.process))
        attach_ask(&record->target.process, &question);
    watch_look(&record->watch);
    watch_drain(&record->watch);
    record_watch_late(record);
    watch_end(&record->watch);
    if (status == STATUS_DONE || record->watch.events)
        record_summarize(record);
    return status;
}

int record_process(struct record *record)
{
    int status = target_open(&record->target);
    if (status != STATUS_DONE)
        return status;
    status = record_make_output(record) == 0 ? record_it(record) : STATUS_FAILED;
    return target_close(&record->target, status);
}

static const char usage[] =
    "Usage: sdt snapshot -p PID|NAME\n"
    "\n"
    "Have a process that records (SDT_RECORD) write what its rings have to the files: of a flight\n"
    "recorder, what led to this moment.\n"
    "\n"
    "  -p, --process=PID|NAME  a process that lets itself be looked into (see 'sdt ps')\n"
    "  -h, --help              print this and exit\n"
    "\n"
    "Exit status: 0 done; 1 the work failed; 2 the command line is wrong; 3 it does not record.\n";

static int snapshot(struct target *target)
{
    struct question question = {.op = LIVE_FLUSH};
    int status = target_open(target);
    if (status != STATUS_DONE)
        return status;
    if (attach_ask(&target->process, &question) != 0)
        return target_close(target, STATUS_FAILED);
    if (question.result < 0) {
        diag_error("process %d (%s): %s", (int)target->process.pid, target->process.name,
                   question.message);
        status = question.result == -ENOENT ? STATUS_NOTHING : STATUS_FAILED;
    }
    return target_close(target, status);
}

int snapshot_main(int argc, char **argv)
{
    static const struct option options[] = {{"process", required_argument, NULL, 'p'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct target target = {0};
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
