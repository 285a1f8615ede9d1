/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt record: run a program with its probes recorded, and write what its rings get to files.
 *
 * The program itself makes the rings (runtime/recorder), as requested by its environment. So its
 * children are recorded as well, whatever they are.
 */
#include "record.h"
#include "base/described.h"
#include "base/diag.h"
#include "base/memory.h"
#include "command.h"
#include "preload.h"
#include "schedule.h"

#include <recorder/stack.h>

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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
    "      --ring=SIZE      memory for each CPU, as 4M: a power of two\n"
    "      --text=N         bytes of a string that are kept (default: 256)\n"
    "  -h, --help           print this and exit\n"
    "\n"
    "Exit status: that of PROGRAM, 128 and its number if a signal ended it; 126 or 127 if it "
    "could\n"
    "not be run; 2 the command line is wrong; 1 the recording could not be made.\n";

enum { OPTION_FLIGHT = 256, OPTION_DESCRIBE, OPTION_RING, OPTION_TEXT, OPTION_WHEN, OPTION_STACK };
enum { LATE_LOOKS = 5 };

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
    const char *problem = record_choose(record, text);
    return problem ? wrong(problem) : 0;
}

static int add_pattern(struct record *record, const char *pattern)
{
    if (strchr(pattern, '/'))
        return add_choice(record, pattern);
    if (!*pattern || strchr(pattern, ';'))
        return wrong("--event needs a pattern, as 'web:*'");
    char *entry = memory_format("%s=record", pattern);
    record->patterns = join(record->patterns, ';', entry);
    record->pattern = join(record->pattern, ',', pattern);
    free(entry);
    return 0;
}

static int add_option(struct record *record, const char *name, const char *value)
{
    char *entry = memory_format("%s%s", name, value);
    record->options = join(record->options, ',', entry);
    free(entry);
    return strchr(value, ',') ? wrong("a size is a number, perhaps with K or M") : 0;
}

int record_add_stack(struct record *record, const char *text)
{
    char *end;
    unsigned long n = text ? strtoul(text, &end, 10) : STACK_DEFAULT;
    if (n == 0 || n > MAX_STACK || (text && (*end || *text < '0' || *text > '9')))
        return -1;
    char *entry = memory_format("stack=%lu", n);
    record->options = join(record->options, ',', entry);
    free(entry);
    return 0;
}

static int take_when(struct record *record)
{
    if (record->has_when)
        return wrong("there can be only one --when");
    record->has_when = true;
    const char *problem = when_parse(&record->when, optarg);
    return problem ? wrong(problem) : add_option(record, "flight", "");
}

static int take_option(struct record *record, int option)
{
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
        return add_option(record, "text=", optarg);
    default:
        fputs("Try 'sdt record --help'.\n", stderr);
        return STATUS_USAGE;
    }
}

static int parse_options(struct record *record, int argc, char **argv, bool *is_done)
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
        {"when", required_argument, NULL, OPTION_WHEN},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    for (int option; (option = getopt_long(argc, argv, "+o:p:d:e:fh", options, NULL)) >= 0;) {
        if (option == 'h') {
            fputs(usage, stdout);
            *is_done = true;
            return STATUS_DONE;
        }
        int status = take_option(record, option);
        if (status != 0)
            return status;
    }
    record->command = argv + optind;
    record->target.takes_all = true;
    if (record->target.who)
        return argv[optind] ? wrong("-p and a program are mutually exclusive") : 0;
    if (record->duration > 0)
        return wrong("-d is for a running process (-p): a program is recorded until it ends");
    if (record->has_when || record->choice_count)
        record->target.command = record->command;
    return argv[optind] ? 0 : wrong("no program");
}

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

int record_make_output(struct record *record)
{
    record->made_output = access(record->output, F_OK) != 0;
    int directory = home_recording(record->output);
    if (directory == -EEXIST)
        return diag_error("%s exists and is not a recording: name another directory with -o",
                          record->output);
    if (directory < 0)
        return diag_error("%s: %s", record->output, strerror(-directory));
    record->watch.path = record->output;
    record->watch.directory = directory;
    int error = home_watch(directory, &record->lock);
    return error ? diag_error("%s: %s", record->output, strerror(-error)) : 0;
}

/* Nothing came into it: as if it had not been made. */
void record_remove_output(const struct record *record)
{
    if (!record->made_output)
        return;
    unlinkat(record->watch.directory, ".sdt-recording", 0);
    if (rmdir(record->output) == 0)
        return;
    /* Somebody whom the program left behind has begun to record meanwhile. */
    int mark =
        openat(record->watch.directory, ".sdt-recording", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (mark >= 0)
        close(mark);
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
static pid_t start(const struct record *record, int *error)
{
    int pipes[2];
    if (pipe2(pipes, O_CLOEXEC) != 0) {
        *error = errno;
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        tell_program(record);
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

static int status_of(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/*
 * Write until the program has ended and nobody records any more; of those that outlive it, until
 * somebody loses patience.
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
        if (round % RECORD_LOOK_EVERY == 0)
            watch_look(&record->watch);
        bool is_busy = watch_drain(&record->watch);
        if (has_ended && (!record->watch.first || interrupts))
            return status_of(status);
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

/*
 * A program that ends while we hold the lock leaves its rings to us; it may have done so behind our
 * last look. Who ends from now on writes them itself.
 */
void record_watch_late(struct record *record)
{
    const struct timespec pause = {.tv_nsec = RECORD_PAUSE};
    close(record->lock);
    record->lock = -1;
    for (int i = 0; i < LATE_LOOKS && watch_look(&record->watch) >= 0; i++) {
        watch_drain(&record->watch);
        if (!record->watch.first)
            break;
        nanosleep(&pause, NULL);
    }
}

/* ---- All together. ---- */

static char *size_text(uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double size = (double)bytes;
    unsigned unit = 0;
    for (; size >= 1024 && unit < 4; unit++)
        size /= 1024;
    return memory_format(unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
}

void record_summarize(const struct record *record)
{
    const struct watch *watch = &record->watch;
    char *size = size_text(watch->bytes);
    char *snapshots = record->has_when
                          ? memory_format(", %llu snapshot%s", (unsigned long long)watch->snapshots,
                                          watch->snapshots == 1 ? "" : "s")
                          : memory_format("%s", "");
    if (watch->traces || record->target.who || record->target.command)
        fprintf(stderr, "sdt: %s: %llu event%s, %llu lost, %s%s\n", record->output,
                (unsigned long long)watch->events, watch->events == 1 ? "" : "s",
                (unsigned long long)watch->lost, size, snapshots);
    else
        diag_error("%s recorded nothing: it has no probes, or not the library libsdt; see "
                   "'sdtlink list %s'",
                   record->command[0], record->command[0]);
    if (watch->traces && !watch->events && !watch->lost)
        diag_warn(&(struct diag_place){.file = record->output}, "no matching probe was hit",
                  "with SDT_DEBUG=1, the program says what each pattern matches");
    free(snapshots);
    free(size);
}

/*
 * Programs read the file as well; its errors are reported here, once. It is the last option,
 * since its name may have commas.
 */
static int add_description(struct record *record)
{
    struct description *description;
    if (!record->description)
        return 0;
    if (described_read(record->description, &description) != 0)
        return -1;
    describe_free(description);
    char *path = realpath(record->description, NULL);
    if (!path)
        return diag_errno("%s", record->description);
    char *entry = memory_format("describe=%s", path);
    record->options = join(record->options, ',', entry);
    free(entry);
    free(path);
    return 0;
}

static int run(struct record *record)
{
    int error;
    if (record_make_output(record) != 0)
        return STATUS_FAILED;
    handle_signals();
    program = start(record, &error);
    if (program < 0) {
        record_remove_output(record);
        diag_error("%s: %s", record->command[0], strerror(error));
        return error == ENOENT ? 127 : 126;
    }
    int status = watch_program(record);
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
    bool is_done = false;
    int status = parse_options(&record, argc, argv, &is_done);
    char *output = NULL;
    if (!record.output)
        record.output = output = default_output();
    if (!record.patterns)
        record.patterns = memory_format("%s", "*=record");
    if (status == 0 && !is_done)
        status = add_description(&record) != 0                ? STATUS_FAILED
                 : record.target.who || record.target.command ? record_process(&record)
                                                              : run(&record);
    if (record.lock >= 0)
        close(record.lock);
    if (record.watch.directory >= 0)
        close(record.watch.directory);
    free(output);
    free(record.patterns);
    free(record.pattern);
    free(record.options);
    record_free_choices(&record);
    return status;
}
