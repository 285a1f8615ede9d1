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

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROCESS "  -p, --process=PID|NAME  an attachable process (see 'sdt ps')\n"
#define HELP "  -h, --help              print this and exit\n\n"
#define STATUS "Exit status: 0 done; 1 the work failed; 2 the command line is wrong"

static const char enable_usage[] =
    "Usage: sdt enable [-f] -p PID|NAME PATTERN...\n"
    "\n"
    "Have a running process count the hits of the probes that match, without anybody who watches;\n"
    "'sdt list' shows the counts. Prints an ID, which 'sdt disable' takes.\n"
    "\n" PROCESS
    "  -f, --follow            also in children that are forked later, which count for\n"
    "                          themselves\n" HELP STATUS "; 3 no probe\n"
    "matches.\n";

static const char disable_usage[] =
    "Usage: sdt disable -p PID|NAME ID...\n"
    "\n"
    "End the counting that 'sdt enable' has begun and printed ID for.\n"
    "\n" PROCESS HELP STATUS "; 3 there is no\n"
    "such ID.\n";

static const char reset_usage[] =
    "Usage: sdt reset -p PID|NAME\n"
    "\n"
    "End whatever tools have asked a process for, also what others look at now.\n"
    "\n" PROCESS HELP STATUS ".\n";

struct work {
    const char *command, *usage;
    const char *missing; /* what to say when there is no argument; NULL where none is taken */
    int (*run)(struct target *, char **);
};

static int parse(const struct work *work, struct target *target, int argc, char **argv,
                 bool *is_done)
{
    bool takes_follow = strcmp(work->command, "enable") == 0;
    static const struct option options[] = {{"process", required_argument, NULL, 'p'},
                                            {"follow", no_argument, NULL, 'f'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    for (int option;
         (option = getopt_long(argc, argv, takes_follow ? "p:fh" : "p:h", options, NULL)) >= 0;) {
        if (option == 'h') {
            fputs(work->usage, stdout);
            *is_done = true;
            return STATUS_DONE;
        }
        if (option == 'f' && takes_follow) {
            target->follows = true;
            continue;
        }
        if (option != 'p') {
            fprintf(stderr, "Try 'sdt %s --help'.\n", work->command);
            return STATUS_USAGE;
        }
        target->who = optarg;
    }
    if (!target->who || !*target->who)
        return command_wrong(work->command, "say which process: -p PID|NAME");
    return STATUS_DONE;
}

/* Ask, as the only thing of a session, for PATTERN. A status; the answer is in QUESTION. */
static int ask(struct target *target, struct question *question, const char *pattern)
{
    if (attach_ask(&target->process, question) != 0)
        return STATUS_FAILED;
    return question->result < 0 ? target_refused(target, pattern, question) : STATUS_DONE;
}

static int enable(struct target *target, char **words)
{
    char *pattern = target_patterns(words);
    char *resolved = patterns_resolve(&target->process, pattern);
    struct question question = {.op = LIVE_ENABLE,
                                .text = resolved,
                                .flags = LIVE_BACKGROUND | (target->follows ? LIVE_FOLLOW : 0)};
    int status = resolved ? ask(target, &question, pattern) : STATUS_FAILED;
    if (status == STATUS_DONE) {
        printf("%d\n", question.result);
        patterns_warn(&target->process, resolved);
    }
    free(resolved);
    free(pattern);
    return status;
}

static int disable_one(struct target *target, const char *word)
{
    char *end;
    unsigned long long id = strtoull(word, &end, 10);
    struct question question = {.op = LIVE_DISABLE, .argument = id};
    if (end == word || *end)
        return command_wrong("disable", "an ID is the number that 'sdt enable' has printed");
    if (attach_ask(&target->process, &question) != 0)
        return STATUS_FAILED;
    if (question.result == 0)
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

static int reset(struct target *target, char **words)
{
    struct question question = {.op = LIVE_RESET};
    (void)words;
    return ask(target, &question, "");
}

static int run(const struct work *work, int argc, char **argv)
{
    struct target target = {0};
    bool is_done = false;
    int status = parse(work, &target, argc, argv, &is_done);
    if (status != STATUS_DONE || is_done)
        return status;
    if (work->missing ? !argv[optind] : argv[optind] != NULL)
        return command_wrong(work->command,
                             work->missing ? work->missing : "reset takes no arguments");
    status = target_open(&target);
    return status == STATUS_DONE ? target_close(&target, work->run(&target, argv + optind))
                                 : status;
}

int enable_main(int argc, char **argv)
{
    return run(&(struct work){"enable", enable_usage, "no pattern", enable}, argc, argv);
}

int disable_main(int argc, char **argv)
{
    return run(&(struct work){"disable", disable_usage, "no ID", disable}, argc, argv);
}

int reset_main(int argc, char **argv)
{
    return run(&(struct work){"reset", reset_usage, NULL, reset}, argc, argv);
}
