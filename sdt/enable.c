/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt enable, disable, reset: counting that continues without a tool, and its end. `sdt list` shows
 * the counts.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "command/command.h"
#include "target/patterns.h"
#include "target/target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROCESS "  -p, --process=PID|NAME  an attachable process (see 'sdt ps')\n"
#define HELP "  -h, --help              print this and exit\n\n"
#define STATUS "Exit status: 0 done; 1 the work failed; 2 the command line is wrong"

static const char enable_usage[] =
    "Usage: sdt enable [-f] -p PID|NAME PATTERN...\n"
    "\n"
    "Count the hits of the probes that match in the background, until 'sdt disable' or 'sdt "
    "reset';\n"
    "'sdt list' shows the counts. Prints an ID for 'sdt disable'; if several processes have that\n"
    "NAME, PID:ID for each of them in which a probe matches.\n"
    "\n" PROCESS
    "  -f, --follow            also in children that are forked later, which count for\n"
    "                          themselves\n" HELP STATUS "; 3 no probe\n"
    "matches.\n";

static const char disable_usage[] =
    "Usage: sdt disable -p PID|NAME ID...\n"
    "       sdt disable PID:ID...\n"
    "\n"
    "End the counting for which 'sdt enable' has printed ID, or PID:ID.\n"
    "\n" PROCESS HELP STATUS "; 3 there is no\n"
    "such ID.\n";

static const char reset_usage[] = "Usage: sdt reset -p PID|NAME\n"
                                  "\n"
                                  "End everything that tools have requested of a process, also for "
                                  "tools that still\n"
                                  "run; in all processes, if several have that NAME.\n"
                                  "\n" PROCESS HELP STATUS ".\n";

struct work {
    const char *command, *usage;
    const char *missing; /* what to say when there is no argument; NULL where none is taken */
    bool names_process;  /* its arguments may */
    int (*run)(struct target *, char **);
    struct target target;
};

static bool has_colons(char **words)
{
    size_t n = 0;
    while (words[n] && strchr(words[n], ':'))
        n++;
    return n > 0 && !words[n];
}

/* ---- enable ---- */

/* If there are several processes, one in which nothing matches is not reported. */
static int refused(struct target *target, struct attached *process, const char *pattern,
                   const struct attach_request *request)
{
    if (request->result == -ENOENT && target_count(target) > 1)
        return STATUS_NOTHING;
    return target_refused_by(process, pattern, request);
}

static int enable_in(struct target *target, struct attached *process, const char *pattern)
{
    char *resolved = patterns_resolve(process, pattern);
    struct attach_request request = {.op = LIVE_ENABLE,
                                     .text = resolved,
                                     .flags =
                                         LIVE_BACKGROUND | (target->follows ? LIVE_FOLLOW : 0)};
    int status = resolved && attach_send(process, &request) == 0 ? STATUS_DONE : STATUS_FAILED;
    if (status == STATUS_DONE && request.result < 0)
        status = refused(target, process, pattern, &request);
    if (status == STATUS_DONE) {
        if (target_count(target) > 1)
            printf("%d:", (int)process->pid);
        printf("%d\n", request.result);
        patterns_warn(process, resolved);
    }
    free(resolved);
    return status;
}

/* A pattern must match in one of the processes; and none must fail. */
static int enable(struct target *target, char **words)
{
    char *pattern = target_patterns(words);
    bool has_failed = false, is_any = false;
    if (target_check_matches(target, pattern) != STATUS_DONE) {
        free(pattern);
        return STATUS_NOTHING;
    }
    for (size_t i = 0; i < target_count(target); i++) {
        int status = enable_in(target, target_at(target, i), pattern);
        is_any = is_any || status == STATUS_DONE;
        has_failed = has_failed || status == STATUS_FAILED;
    }
    free(pattern);
    return has_failed ? STATUS_FAILED : is_any ? STATUS_DONE : STATUS_NOTHING;
}

/* ---- disable ---- */

static int disable_one(struct target *target, const char *word)
{
    char *end;
    unsigned long long id = strtoull(word, &end, 10);
    struct attach_request request = {.op = LIVE_DISABLE, .argument = id};
    if (end == word || *end)
        return command_wrong("disable", "an ID is the number that 'sdt enable' has printed");
    if (attach_send(&target->process, &request) != 0)
        return STATUS_FAILED;
    if (request.result == 0)
        return STATUS_DONE;
    diag_error("process %d (%s): nothing is enabled with ID %s", (int)target->process.pid,
               target->process.name, word);
    return STATUS_NOTHING;
}

static int disable(struct target *target, char **words)
{
    int status = STATUS_DONE;
    for (; *words && status == STATUS_DONE; words++)
        status = disable_one(target, *words);
    return status;
}

/* WORD is PID:ID. */
static int disable_there(const char *word)
{
    char *pid = memory_format("%.*s", (int)strcspn(word, ":"), word);
    struct target target = {.who = pid};
    int status =
        *pid && !target_is_named(&target)
            ? target_open(&target)
            : command_wrong("disable", "an ID is the number that 'sdt enable' has printed");
    if (status == STATUS_DONE)
        status = target_close(&target, disable_one(&target, strchr(word, ':') + 1));
    free(pid);
    return status;
}

/* All are tried: of some, the process may have ended. */
static int disable_everywhere(char **words)
{
    int worst = STATUS_DONE;
    for (; *words; words++) {
        int status = disable_there(*words);
        worst = worst == STATUS_DONE ? status : worst;
    }
    return worst;
}

/* ---- reset ---- */

static int reset(struct target *target, char **words)
{
    int status = STATUS_DONE;
    (void)words;
    for (size_t i = 0; i < target_count(target); i++) {
        struct attached *process = target_at(target, i);
        struct attach_request request = {.op = LIVE_RESET};
        if (attach_send(process, &request) != 0)
            status = STATUS_FAILED;
        else if (request.result < 0)
            status = target_refused_by(process, "", &request);
    }
    return status;
}

/* ---- All three. ---- */

static int take_option(void *data, int option)
{
    struct work *work = data;
    if (option == 'p') {
        work->target.who = optarg;
    } else if (work->run == enable) {
        work->target.follows = true;
    } else {
        fprintf(stderr, "Try 'sdt %s --help'.\n", work->command);
        return STATUS_USAGE;
    }
    return STATUS_DONE;
}

static int run(struct work *work, int argc, char **argv)
{
    static const struct option options[] = {{"process", required_argument, NULL, 'p'},
                                            {"follow", no_argument, NULL, 'f'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    const char *letters = work->run == enable ? "p:fh" : "p:h";
    const struct command_line line = {work->command, work->usage, letters, options};
    int status = command_options(&line, argc, argv, take_option, work);
    if (status != STATUS_DONE)
        return status;
    const char *who = work->target.who;
    if ((!who || !*who) && !(work->names_process && has_colons(argv + optind)))
        return command_wrong(work->command, "say which process: -p PID|NAME");
    if (work->missing ? !argv[optind] : argv[optind] != NULL)
        return command_wrong(work->command,
                             work->missing ? work->missing : "reset takes no arguments");
    if (work->names_process && has_colons(argv + optind))
        return disable_everywhere(argv + optind);
    status = target_open(&work->target);
    return status == STATUS_DONE
               ? target_close(&work->target, work->run(&work->target, argv + optind))
               : status;
}

int enable_main(int argc, char **argv)
{
    struct work work = {"enable", enable_usage, "no pattern", false, enable, {.takes_all = true}};
    return run(&work, argc, argv);
}

int disable_main(int argc, char **argv)
{
    struct work work = {"disable", disable_usage, "no ID", true, disable, {0}};
    return run(&work, argc, argv);
}

int reset_main(int argc, char **argv)
{
    struct work work = {"reset", reset_usage, NULL, false, reset, {.takes_all = true}};
    return run(&work, argc, argv);
}
