/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt record: the command line. */
#include "options.h"
#include "base/diag.h"
#include "base/memory.h"
#include "command/command.h"
#include "compile/described_sites.h"
#include "probes.h"
#include "target/patterns.h"
#include "target/schedule.h"

#include <unwind/stack.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: sdt record [OPTION...] [--] PROGRAM [ARGUMENT...]\n"
    "       sdt record [OPTION...] -p PID|NAME\n"
    "\n"
    "Run PROGRAM, and record its probes and those of the programs that it runs; or record those "
    "of\n"
    "a process that runs, until Ctrl-C or its end.\n"
    "\n"
    "  -p, --process=PID|NAME  an attachable process (see 'sdt ps')\n"
    "  -d, --duration=SECONDS  with -p: record that long\n"
    "  -f, --follow         also children that a process forks later; with a condition, also what\n"
    "                       PROGRAM executes. Without one, those are always recorded\n"
    "      --restarts       with -p NAME: also processes of that name that start later\n"
    "  -o, --output=DIR     the recording; it must not exist, or be empty or a recording\n"
    "                       (default: recording-DATE-TIME)\n"
    "  -e, --event=PATTERN  record the probes that match, as 'web:*'; repeatable (default: all);\n"
    "                       'web:request /bytes > 4096/': only hits for which that holds\n"
    "      --flight         when memory is full, overwrite the oldest events, not lose the "
    "newest;\n"
    "                       what is left is written when PROGRAM ends\n"
    "      --when=CONDITION take a snapshot whenever it holds: 'web:done /status >= 500/', or\n"
    "                       'lat web:begin web:done > 10ms'. Implies --flight\n"
    "      --describe=FILE  fields of probes that have no names or types of their own: see\n"
    "                       sdt-describe(5)\n"
    "      --stack[=N]      record the callers of each event, up to N (default: 16)\n"
    "      --context        and the ids of the trace and span that its thread works for\n"
    "      --ring=SIZE      memory for each CPU, as 4M: a power of two\n"
    "      --text=N         bytes of a string that are kept (default: 256)\n"
    "  -h, --help           print this and exit\n"
    "\n"
    "Exit status: that of PROGRAM, 128 and its number if a signal ended it; 126 or 127 if it "
    "could\n"
    "not be run; 2 the command line is wrong; 1 the recording could not be made.\n";

enum {
    OPTION_FLIGHT = 256,
    OPTION_DESCRIBE,
    OPTION_RING,
    OPTION_TEXT,
    OPTION_WHEN,
    OPTION_STACK,
    OPTION_CONTEXT,
    OPTION_RESTARTS
};

static int wrong(const char *problem)
{
    return command_wrong("record", problem);
}

/* ---- The command line. ---- */

/* TEXT, a separator and ADDED; frees TEXT. */
static char *join(char *text, char separator, const char *added)
{
    char *joined =
        text ? memory_format("%s%c%s", text, separator, added) : memory_format("%s", added);
    free(text);
    return joined;
}

/* With a predicate: the process is asked for it, and nothing of it is in the environment. */
static int add_choice(struct record *record, const char *text)
{
    const struct clauses_form one = {1, false, false};
    char *word = memory_format("%s", text), *words[] = {word, NULL};
    struct clauses choice = {0};
    const char *problem = clauses_parse(&choice, one, words);
    free(word);
    size_t count = record->choice_count + 1;
    record->choices = memory_resize(record->choices, count, sizeof choice);
    record->choices[record->choice_count++] = choice;
    return problem ? wrong(problem) : 0;
}

static int add_pattern(struct record *record, const char *pattern)
{
    /* The runtime knows no C++ names either. */
    if (strchr(pattern, '/') || patterns_have_functions(pattern))
        return add_choice(record, pattern);
    if (!*pattern || strchr(pattern, ';'))
        return wrong("--event needs a pattern, as 'web:*'");
    /* A word alone may be a provider or a name (target/patterns.h); the runtime knows providers. */
    bool is_word = !strchr(pattern, ':') && strcmp(pattern, "*") != 0;
    char *entry = is_word ? memory_format("%s=record;*:%s=record", pattern, pattern)
                          : memory_format("%s=record", pattern);
    record->patterns = join(record->patterns, ';', entry);
    record->pattern = join(record->pattern, ',', pattern);
    free(entry);
    return 0;
}

void record_add_option(struct record *record, const char *name, const char *value)
{
    char *entry = memory_format("%s%s", name, value);
    record->options = join(record->options, ',', entry);
    free(entry);
}

static int add_option(struct record *record, const char *name, const char *value)
{
    record_add_option(record, name, value);
    return strchr(value, ',') ? wrong("a size is a number, perhaps with K or M") : 0;
}

/*
 * Programs read the file as well; its errors are reported here, once. It is the last option,
 * since its name may have commas.
 */
int record_add_description(struct record *record)
{
    if (!record->description)
        return 0;
    if (described_sites_read(record->description) != 0)
        return -1;
    char *path = realpath(record->description, NULL);
    if (!path)
        return diag_errno("%s", record->description);
    record_add_option(record, "describe=", path);
    free(path);
    return 0;
}

int record_add_stack(struct record *record, const char *text)
{
    char *end;
    unsigned long n = text ? strtoul(text, &end, 10) : STACK_DEFAULT;
    if (n == 0 || n > MAX_STACK || (text && (*end || *text < '0' || *text > '9')))
        return -1;
    char *number = memory_format("%lu", n);
    record_add_option(record, "stack=", number);
    free(number);
    return 0;
}

static int take_when(struct record *record)
{
    if (record->has_when)
        return wrong("there can be only one --when");
    record->has_when = true;
    const char *problem = when_parse(&record->when, optarg);
    record->watch.pair = record->when.pair;
    return problem ? wrong(problem) : add_option(record, "flight", "");
}

static int take_option(void *data, int option)
{
    struct record *record = data;
    switch (option) {
    case 'o':
        record->output = optarg;
        return *optarg ? 0 : wrong("--output needs a directory");
    case 'p':
        record->target.who = optarg;
        return *optarg ? 0 : wrong("-p needs a number or a name");
    case 'f':
        record->target.follows = true;
        return 0;
    case 'd':
        return schedule_seconds("record", optarg, &record->duration);
    case 'e':
        return add_pattern(record, optarg);
    case OPTION_STACK:
        return record_add_stack(record, optarg) == 0 ? 0
                                                     : wrong("--stack takes a number from 1 to 64");
    case OPTION_CONTEXT:
        return add_option(record, "context", "");
    case OPTION_RESTARTS:
        record->target.restarts = true;
        return 0;
    case OPTION_WHEN:
        return take_when(record);
    case OPTION_FLIGHT:
        return add_option(record, "flight", "");
    case OPTION_DESCRIBE:
        record->description = optarg;
        return *optarg ? 0 : wrong("--describe needs a file");
    case OPTION_RING:
        return add_option(record, "ring=", optarg);
    case OPTION_TEXT:
    default:
        return add_option(record, "text=", optarg);
    }
}

int record_parse(struct record *record, int argc, char **argv)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"process", required_argument, NULL, 'p'},
        {"duration", required_argument, NULL, 'd'},
        {"event", required_argument, NULL, 'e'},
        {"follow", no_argument, NULL, 'f'},
        {"describe", required_argument, NULL, OPTION_DESCRIBE},
        {"flight", no_argument, NULL, OPTION_FLIGHT},
        {"ring", required_argument, NULL, OPTION_RING},
        {"text", required_argument, NULL, OPTION_TEXT},
        {"stack", optional_argument, NULL, OPTION_STACK},
        {"context", no_argument, NULL, OPTION_CONTEXT},
        {"restarts", no_argument, NULL, OPTION_RESTARTS},
        {"when", required_argument, NULL, OPTION_WHEN},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    static const struct command_line line = {"record", usage, "+o:p:d:e:fh", options};
    int status = command_options(&line, argc, argv, take_option, record);
    if (status != STATUS_DONE)
        return status;
    record->command = argv + optind;
    record->target.takes_all = true;
    if (record->target.restarts && !target_is_named(&record->target))
        return wrong("--restarts is for processes of a name: -p NAME");
    if (record->target.who)
        return argv[optind] ? wrong("-p and a program are mutually exclusive; -e names the probes")
                            : 0;
    if (record->duration > 0)
        return wrong("-d is for a running process (-p): a program is recorded until it ends");
    if (record->has_when || record->choice_count)
        record->target.command = record->command;
    return argv[optind] ? 0 : wrong("no program");
}

void record_free_choices(struct record *record)
{
    for (size_t i = 0; i < record->process_count; i++) {
        struct recorded *recorded = &record->processes[i];
        for (size_t k = 0; k < record->choice_count; k++)
            record_probes_free(&recorded->choices[k]);
        free(recorded->choices);
        when_asked_free(&recorded->when);
    }
    free(record->processes);
    for (size_t i = 0; i < record->choice_count; i++)
        clauses_free(&record->choices[i]);
    free(record->choices);
    when_free(&record->when);
}
