/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt enable, disable, reset: counting that goes on without a tool, and its end. What it has
 * counted, `sdt list` shows.
 */
#include "command.h"
#include "diag.h"
#include "memory.h"
#include "patterns.h"
#include "target.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: sdt enable [-f] -p PID|NAME PATTERN...\n"
    "       sdt disable -p PID|NAME ID...\n"
    "       sdt reset -p PID|NAME\n"
    "\n"
    "Have a running process count the hits of the probes that match, without anybody who watches;\n"
    "'sdt list' shows the counts. enable prints an ID, which disable takes. reset ends whatever\n"
    "tools have asked the process for, also what others look at now.\n"
    "\n"
    "  -p, --process=PID|NAME  a process that lets itself be looked into (see 'sdt ps')\n"
    "  -f, --follow            enable: also in children that are forked later, which count for\n"
    "                          themselves\n"
    "  -h, --help              print this and exit\n"
    "\n"
    "Exit status: 0 done; 1 the work failed; 2 the command line is wrong; 3 no probe matches, or\n"
    "there is no such ID.\n";

static int parse(const char *command, struct target *target, int argc, char **argv, bool *is_done)
{
    bool takes_follow = strcmp(command, "enable") == 0;
    static const struct option options[] = {{"process", required_argument, NULL, 'p'},
                                            {"follow", no_argument, NULL, 'f'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    for (int option;
         (option = getopt_long(argc, argv, takes_follow ? "p:fh" : "p:h", options, NULL)) >= 0;) {
        if (option == 'h') {
            fputs(usage, stdout);
            *is_done = true;
            return STATUS_DONE;
        }
        if (option == 'f' && takes_follow) {
            target->follows = true;
            continue;
        }
        if (option != 'p') {
            fprintf(stderr, "Try 'sdt %s --help'.\n", command);
            return STATUS_USAGE;
        }
        target->who = optarg;
    }
    if (!target->who || !*target->who)
        return command_wrong(command, "say which process: -p PID|NAME");
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

static int run(const char *command, int argc, char **argv, const char *missing,
               int (*work)(struct target *, char **))
{
    struct target target = {0};
    bool is_done = false;
    int status = parse(command, &target, argc, argv, &is_done);
    if (status != STATUS_DONE || is_done)
        return status;
    if (missing ? !argv[optind] : argv[optind] != NULL)
        return command_wrong(command, missing ? missing : "reset takes no arguments");
    status = target_open(&target);
    return status == STATUS_DONE ? target_close(&target, work(&target, argv + optind)) : status;
}

int enable_main(int argc, char **argv)
{
    return run("enable", argc, argv, "no pattern", enable);
}

int disable_main(int argc, char **argv)
{
    return run("disable", argc, argv, "no ID", disable);
}

int reset_main(int argc, char **argv)
{
    return run("reset", argc, argv, NULL, reset);
}
