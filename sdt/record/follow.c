/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt trace: the events of a running process, as they happen.
 *
 * The process records, as for `sdt record`, into a temporary directory. Several times a second, the
 * contents of the files are printed and the files truncated.
 */
#include "follow.h"
#include "ask.h"
#include "base/diag.h"
#include "base/now.h"
#include "command/command.h"
#include "compile/described_sites.h"
#include "follow_format.h"
#include "options.h"
#include "output.h"
#include "process.h"
#include "report/stack.h"
#include "target/patterns.h"
#include "target/schedule.h"
#include "trace/debug_info.h"
#include "trace/recording.h"
#include "trace_directory.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TICK = 200 /* ms */ };
#define CALL_WAITS (INT64_C(1000000000)) /* ns: for its return, before its line is printed */

/* ---- The directory. ---- */

#define PREFIX "sdt-trace-"

/* Who sees the same directory makes its rings there; services often have a /tmp of their own. */
static const char *choose_parent(void)
{
    const char *parent = getenv("TMPDIR");
    if (parent && *parent)
        return parent;
    return access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp";
}

static int make_directory(struct follow *follow)
{
    const char *parent = choose_parent();
    trace_directory_remove_left_over(parent, PREFIX);
    follow->directory = memory_format("%s/" PREFIX "XXXXXX", parent);
    if (!mkdtemp(follow->directory)) {
        diag_errno("%s", follow->directory);
        free(follow->directory);
        follow->directory = NULL;
        return -1;
    }
    follow->record.output = follow->directory;
    int error = record_make_output(&follow->record);
    follow->record.made_output = true; /* by mkdtemp() */
    return error;
}

/* ---- Events. ---- */

static bool may_print(struct follow *follow)
{
    time_t second = time(NULL);
    if (second != follow->second)
        follow->left = follow->rate;
    follow->second = second;
    if (follow->rate && follow->left == 0) {
        follow->skipped++;
        return false;
    }
    follow->left -= follow->left > 0;
    return true;
}

static void print_event(struct follow *follow, const struct event *event)
{
    struct report *report = &follow->report;
    if (report->seen++ == 0)
        report->start = event->time;
    if (report->printed == report->limit || !filter_passes(&report->filter, event))
        return;
    if (report->has_calls && follow_calls_join(&follow->calls, report, event))
        return;
    if (!may_print(follow))
        return;
    if (report->has_calls && follow_calls_hold(&follow->calls, report, event))
        return;
    if (follow->format) {
        follow_format_append(&report->line, follow->format, event);
        if (report->shows_stack)
            stack_text(&report->line, STACK_INDENT, &report->symbols, event);
        report_put(report);
    } else {
        report->printer->event(report, event);
    }
    report->printed++;
}

/* What the files have. -1: after a message. */
static int print_events(struct follow *follow)
{
    struct report *report = &follow->report;
    struct merge merge;
    struct event event;
    int result = recording_follow(&report->recording, follow->directory);
    follow->has_probe = follow->has_probe || report->recording.probe_count;
    if (result == 0)
        debug_info_annotate(&report->recording);
    if (result == 0 && !follow->has_begun) {
        result = filter_check(&report->filter, report->filter_text, &report->recording);
        if (result == 0 && !follow->format && report->printer->begin)
            report->printer->begin(report);
        follow->has_begun = true;
    }
    if (result == 0) {
        merge_start(&merge, &report->recording);
        while (merge_next(&merge, &event))
            print_event(follow, &event);
        merge_end(&merge);
    }
    recording_close(&report->recording);
    report->recording = (struct recording){0};
    fflush(stdout);
    return ferror(stdout) ? -1 : result;
}

/* Have processes that are new record. */
static int ask_for_records(struct follow *follow)
{
    struct target *target = &follow->record.target;
    const char *pattern = follow->clauses.pattern[0], *predicate = follow->clauses.predicate[0];
    int status = STATUS_DONE;
    for (size_t i; (i = follow->process_count) < target_count(target) && status == STATUS_DONE;) {
        struct followed followed = {.probes = {.target = target,
                                               .process = target_at(target, i),
                                               .pattern = pattern,
                                               .predicate = predicate,
                                               .may_choose_later = true}};
        if (target_is_there(&follow->record.target, i))
            status =
                target_settle(followed.probes.process,
                              record_ask(&follow->record, followed.probes.process, &followed.id));
        follow->processes = memory_resize(follow->processes, i + 1, sizeof followed);
        follow->processes[follow->process_count++] = followed;
    }
    return status;
}

/* Whether it takes a look at the probes to say what should be recorded. */
static bool chooses(const struct follow *follow)
{
    return follow->clauses.predicate[0] || patterns_have_functions(follow->clauses.pattern[0]);
}

/*
 * With a predicate, each probe gets its own program, and what passed in the process is not asked
 * about again. Where one cannot be made, all hits are recorded, and the filter chooses here.
 */
static int choose(struct follow *follow)
{
    bool has_found = false, is_left_over = false;
    int status = ask_for_records(follow);
    if (!chooses(follow))
        return status;
    for (size_t i = 0; i < follow->process_count && status == STATUS_DONE; i++) {
        struct record_probes *probes = &follow->processes[i].probes;
        if (target_is_there(&follow->record.target, i))
            status = target_settle(probes->process, record_probes_look(probes));
        has_found = has_found || probes->has_found;
        is_left_over = is_left_over || probes->left_over;
    }
    if (has_found && !is_left_over)
        filter_free(&follow->report.filter);
    else if (!follow->report.filter.expression &&
             filter_parse(&follow->report.filter, follow->report.filter_text) != 0)
        status = STATUS_FAILED;
    return status;
}

/* Print what was recorded since the last time. */
static int look(struct follow *follow)
{
    struct watch *watch = &follow->record.watch;
    follow_calls_flush(&follow->calls, &follow->report, now_epoch() - CALL_WAITS);
    watch_look(watch);
    bool has_written = watch_drain(watch);
    has_written = watch_drain_rest(watch) || has_written;
    /* The first pass tells whether the names of the predicate are right, whatever was hit. */
    if (watch->traces == 0 || (!has_written && follow->has_begun)) {
        fflush(stdout);
        return 0;
    }
    int result = print_events(follow);
    trace_directory_empty_all(watch->directory);
    return result;
}

/* ---- The work. ---- */

static int watch(struct follow *follow)
{
    struct target *target = &follow->record.target;
    follow->began = now();
    for (;;) {
        double left = follow->duration > 0 ? follow->duration - seconds_since(follow->began) : TICK;
        int ms = left * 1000 < TICK ? (left > 0 ? (int)(left * 1000 + 0.5) : 0) : TICK;
        enum target_event event = target_wait(target, ms);
        if (event == TARGET_LOST)
            return target_lost(target);
        if (event == TARGET_ENDED)
            target_say_ended(target);
        if (event != TARGET_CAME && event != TARGET_TIME)
            return STATUS_DONE;
        int status = choose(follow);
        if (event == TARGET_CAME)
            target_go(target);
        if (status != STATUS_DONE)
            return status;
        if (look(follow) != 0)
            return STATUS_FAILED;
        if (left <= 0 || follow->report.printed == follow->report.limit)
            return STATUS_DONE;
    }
}

static void tell(const struct follow *follow, uint64_t number, const char *what)
{
    const struct attached *process = &follow->record.target.process;
    char *who = memory_format("%s (%d)", process->name, (int)process->pid);
    char *text = memory_format("%" PRIu64 " events %s", number, what);
    if (number)
        diag_warn(&(struct diag_place){.file = who}, text, NULL);
    free(text);
    free(who);
}

/* What was started may only be what starts the right program: env, chroot, a script. */
static void tell_nothing(const struct follow *follow)
{
    const struct target *target = &follow->record.target;
    if (target->is_started && !target->follows && !follow->has_probe)
        target_nothing(target, follow->clauses.pattern[0]);
}

/* Children record on until they see that the session is over; and a process that was just killed
 * closes its files a moment later. Then the rings are unused, and the watch removes them. */
static int wait_for_rings(struct follow *follow)
{
    enum { PATIENCE = 2000, SLICE = 10 /* ms */ };
    const struct timespec slice = {.tv_nsec = SLICE * 1000000L};
    for (size_t i = 0; i < follow->process_count; i++)
        attach_leave(target_at(&follow->record.target, i));
    int result = look(follow);
    for (int waited = 0; waited < PATIENCE && follow->record.watch.first; waited += SLICE) {
        nanosleep(&slice, NULL);
        result = look(follow) == 0 ? result : -1;
    }
    return result;
}

static int follow_it(struct follow *follow)
{
    struct target *target = &follow->record.target;
    if (make_directory(follow) != 0)
        return STATUS_FAILED;
    follow->record.pattern = memory_format("%s", chooses(follow) ? "" : follow->clauses.pattern[0]);
    int status = target_check_matches(target, follow->clauses.pattern[0]);
    if (status == STATUS_DONE)
        status = choose(follow);
    target_go(target);
    if (status == STATUS_DONE)
        status = watch(follow);
    for (size_t i = 0; i < follow->process_count; i++) {
        struct attach_request request = {.op = LIVE_DISABLE, .argument = follow->processes[i].id};
        if (request.argument && target_is_there(&follow->record.target, i))
            attach_send(target_at(target, i), &request);
    }
    bool has_ended = !attach_is_there(&target->process);
    if ((target->follows || has_ended) && wait_for_rings(follow) != 0)
        status = STATUS_FAILED;
    if (status == STATUS_DONE && look(follow) != 0)
        status = STATUS_FAILED;
    watch_look(&follow->record.watch); /* also of a process that was killed meanwhile */
    watch_drain(&follow->record.watch);
    watch_end(&follow->record.watch);
    follow_calls_flush(&follow->calls, &follow->report, INT64_MAX);
    tell(follow, follow->skipped, "more than --rate allows were not printed");
    tell(follow, follow->record.watch.lost, "were lost: there was no room in the rings");
    if (status == STATUS_DONE)
        tell_nothing(follow);
    trace_directory_remove_all(follow->record.watch.directory);
    rmdir(follow->directory);
    return status;
}

int trace_main(int argc, char **argv)
{
    struct follow follow = {.rate = 1000,
                            .record.watch.files.are_linked = true,
                            .report = {.limit = UINT64_MAX, .printer = &report_text}};
    const char *no_color = getenv("NO_COLOR");
    int status = follow_parse(&follow, argc, argv);
    if (status == STATUS_DONE) {
        follow.report.has_colour = isatty(STDOUT_FILENO) && !(no_color && *no_color);
        status = record_add_description(&follow.record) == 0 ? target_open(&follow.record.target)
                                                             : STATUS_FAILED;
        if (status == STATUS_DONE)
            status = target_close(&follow.record.target, follow_it(&follow));
    }
    watch_free(&follow.record.watch);
    follow_calls_free(&follow.calls);
    filter_free(&follow.report.filter);
    for (size_t i = 0; i < follow.process_count; i++)
        record_probes_free(&follow.processes[i].probes);
    free(follow.processes);
    clauses_free(&follow.clauses);
    bytes_free(&follow.report.line);
    free(follow.directory);
    symbols_free(&follow.report.symbols);
    free(follow.record.pattern);
    free(follow.record.options);
    described_sites_free();
    return status;
}
