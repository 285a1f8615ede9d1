/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt serve: measures all processes that its configuration names, for as long as it runs, and
 * exposes what it has measured (docs/serve.md). Everything happens in one thread, twice a second:
 * processes that have ended leave their numbers, new ones are attached to, and when it is time, all
 * tables are read. Beside it, one thread keeps the sessions alive (heart.h), and one each answers
 * HTTP and sends OTLP.
 */
#include "base/diag.h"
#include "base/now.h"
#include "command/command.h"
#include "compile/described_sites.h"
#include "config.h"
#include "heart.h"
#include "measure/metrics_file.h"
#include "member.h"
#include "numbers.h"
#include "otlp/live.h"
#include "otlp/send.h"
#include "page.h"
#include "push.h"
#include "scan.h"
#include "target/interrupt.h"
#include "target/schedule.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define SCAN_SECONDS 0.5
#define LINGER_SECONDS 60 /* of a series of a process that has ended */
enum { MOST_SERIES = 10000, MOST_PROCESSES = 500 };

static const char usage[] =
    "Usage: sdt serve --config=FILE [OPTION...] [--listen=HOST:PORT] [--output=FILE] [--otlp=URL]\n"
    "       sdt serve --config=FILE --check\n"
    "\n"
    "Measure what the lines of FILE say, in all processes that they name, also in those that "
    "start\n"
    "later, and expose it as metrics. SIGHUP reads FILE again.\n"
    "\n"
    "  -c, --config=FILE       a command on each line: count, hist or lat, see sdt-serve(1)\n"
    "      --check             only check FILE\n"
    "      --listen=HOST:PORT  serve http://HOST:PORT/metrics\n"
    "      --output=FILE       write FILE, replaced as a whole each time; for *.prom in "
    "Prometheus'\n"
    "                          text format\n"
    "      --otlp=URL          to a receiver of OpenTelemetry's data\n"
    "  -i, --interval=SECONDS  how often (default: 1 with --listen, else 15)\n"
    "      --series=N          at most N series (default: 10000)\n"
    "      --processes=N       at most N processes (default: 500)\n"
    "      --describe=FILE     names, types and units of arguments, see sdt-describe(5)\n"
    "  -h, --help              print this and exit\n"
    "\n"
    "Exit status: 0 done; 1 the work failed; 2 the command line or FILE is wrong.\n";

enum {
    OPTION_CHECK = 256,
    OPTION_LISTEN,
    OPTION_OUTPUT,
    OPTION_OTLP,
    OPTION_SERIES,
    OPTION_PROCESSES,
    OPTION_DESCRIBE
};

struct serve {
    const char *file, *description;
    bool is_check;
    double interval;
    size_t most_series, most_processes;
    struct metrics_file page, textfile; /* at an address; in a file */
    const char *otlp;                   /* the URL of a receiver; NULL: none */
    struct otlp_live *live;             /* the way to it */
    struct config config;
    struct scan scan;
    struct member **members;
    size_t count;
    struct numbers numbers;
    struct bytes text;
    int64_t put; /* now(): when the metrics were last put out */
};

/* ---- The command line. ---- */

static int wrong(const char *problem)
{
    return command_wrong("serve", problem);
}

static int take_limit(const char *text, size_t *limit)
{
    char *end;
    *limit = strtoul(text, &end, 10);
    return end != text && !*end && *text != '-' && *limit > 0 && *limit <= 10000000
               ? STATUS_DONE
               : wrong("a limit is a number from 1 to 10000000");
}

static int take_url(struct serve *serve)
{
    char *problem = otlp_url_problem(optarg);
    int status = problem ? wrong(problem) : STATUS_DONE;
    free(problem);
    serve->otlp = optarg;
    return status;
}

static int take_option(void *data, int option)
{
    struct serve *serve = data;
    switch (option) {
    case 'c':
        serve->file = optarg;
        return STATUS_DONE;
    case 'i':
        return schedule_seconds("serve", optarg, &serve->interval);
    case OPTION_CHECK:
        serve->is_check = true;
        return STATUS_DONE;
    case OPTION_LISTEN:
        serve->page.address = optarg;
        return *optarg ? STATUS_DONE : wrong("--listen needs an address");
    case OPTION_OUTPUT:
        serve->textfile.path = optarg;
        return *optarg ? STATUS_DONE : wrong("--output needs the name of a file");
    case OPTION_OTLP:
        return take_url(serve);
    case OPTION_SERIES:
        return take_limit(optarg, &serve->most_series);
    case OPTION_PROCESSES:
        return take_limit(optarg, &serve->most_processes);
    case OPTION_DESCRIBE:
    default:
        serve->description = optarg;
        return *optarg ? STATUS_DONE : wrong("--describe needs a file");
    }
}

static int parse(struct serve *serve, int argc, char **argv)
{
    static const struct option options[] = {
        {"config", required_argument, NULL, 'c'},
        {"check", no_argument, NULL, OPTION_CHECK},
        {"listen", required_argument, NULL, OPTION_LISTEN},
        {"output", required_argument, NULL, OPTION_OUTPUT},
        {"otlp", required_argument, NULL, OPTION_OTLP},
        {"interval", required_argument, NULL, 'i'},
        {"series", required_argument, NULL, OPTION_SERIES},
        {"processes", required_argument, NULL, OPTION_PROCESSES},
        {"describe", required_argument, NULL, OPTION_DESCRIBE},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    static const struct command_line line = {"serve", usage, "c:i:h", options};
    int status = command_options(&line, argc, argv, take_option, serve);
    if (status != STATUS_DONE)
        return status;
    if (argv[optind])
        return wrong("what is measured is said in a file: --config=FILE");
    if (!serve->file || !*serve->file)
        return wrong("name a configuration: --config=FILE");
    if (!serve->is_check && !serve->page.address && !serve->textfile.path && !serve->otlp)
        return wrong("where to? --listen=HOST:PORT, --output=FILE or --otlp=URL");
    if (serve->interval == 0)
        serve->interval = serve->page.address ? 1 : 15;
    return STATUS_DONE;
}

/* ---- Processes. ---- */

static bool is_wanted(const struct serve *serve, pid_t pid)
{
    size_t i = 0;
    while (i < serve->config.count && !selector_fits(&serve->config.rules[i]->selector, pid))
        i++;
    return i < serve->config.count;
}

/* Apply the rules that are about MEMBER, and not applied yet. */
static void apply(struct serve *serve, struct member *member)
{
    unsigned before = member_failures(member);
    for (size_t i = 0; i < serve->config.count; i++) {
        struct rule *rule = serve->config.rules[i];
        if (!member_has(member, rule) && selector_fits(&rule->selector, member->pid))
            member_add(member, rule);
    }
    serve->numbers.failures += member_failures(member) - before;
}

static enum scan_outcome take(void *data, pid_t pid, bool is_again)
{
    struct serve *serve = data;
    int why;
    if (!is_wanted(serve, pid))
        return SCAN_UNWANTED;
    if (serve->count == serve->most_processes)
        return SCAN_FULL;
    diag_set_context(NULL, is_again);
    struct member *member = member_open(pid, &why);
    diag_set_context(NULL, false);
    if (!member)
        return why == ATTACH_GONE ? SCAN_UNWANTED : SCAN_REFUSED;
    serve->members = memory_resize(serve->members, serve->count + 1, sizeof(struct member *));
    serve->members[serve->count++] = member;
    serve->numbers.attached++;
    apply(serve, member);
    return SCAN_TAKEN;
}

/* Let go of member number I. */
static void release(struct serve *serve, size_t i)
{
    scan_release(&serve->scan, serve->members[i]->pid);
    member_close(serve->members[i]);
    serve->members[i] = serve->members[--serve->count];
}

/* Those that have ended, and those that have loaded something. */
static void look_after(struct serve *serve)
{
    for (size_t i = 0; i < serve->count;) {
        struct member *member = serve->members[i];
        enum member_state state = member_state(member);
        unsigned before = member_failures(member);
        if (state == MEMBER_THERE) {
            member_look(member);
            serve->numbers.failures += member_failures(member) - before;
            i++;
            continue;
        }
        serve->numbers.ended += state == MEMBER_ENDED;
        serve->numbers.sessions_lost += state == MEMBER_LOST;
        release(serve, i);
    }
}

/* ---- Metrics. ---- */

static void read_all(struct serve *serve)
{
    struct numbers *numbers = &serve->numbers;
    for (size_t i = 0; i < serve->config.count; i++) {
        series_forget(&serve->config.rules[i]->series, LINGER_SECONDS);
        series_begin(&serve->config.rules[i]->series);
    }
    for (size_t i = 0; i < serve->count; i++)
        member_read(serve->members[i]);
    numbers->lost = numbers->lost_gone;
    for (size_t i = 0; i < serve->config.count; i++)
        series_lost(&serve->config.rules[i]->series, &numbers->lost);
    numbers->processes = serve->count;
    numbers->rules = serve->config.count;
    numbers->refused = serve->scan.refused;
    numbers->left_out = serve->scan.left_out;
}

static void put(struct serve *serve, struct metrics_file *file)
{
    page_append(&serve->text, &serve->config, &serve->numbers, serve->most_series,
                metrics_file_form(file));
    metrics_file_put(file, &serve->text);
}

static void push(struct serve *serve)
{
    uint64_t count = push_append(&serve->text, &serve->config, serve->most_series);
    if (count)
        otlp_live_send(serve->live, OTLP_SIGNAL_METRICS, &serve->text, count);
    serve->text.size = 0;
}

static void put_all(struct serve *serve)
{
    read_all(serve);
    if (serve->page.address)
        put(serve, &serve->page);
    if (serve->textfile.path)
        put(serve, &serve->textfile);
    if (serve->live)
        push(serve);
    serve->put = now();
}

/* ---- The configuration. ---- */

static bool has_any(const struct member *member, const struct config *rules)
{
    for (size_t i = 0; i < rules->count; i++)
        if (member_has(member, rules->rules[i]))
            return true;
    return false;
}

/* SIGHUP. A process in which a rule is measured that is gone is attached to anew, since its tables
 * stay as long as its session. */
static void reload(struct serve *serve)
{
    struct config next;
    serve->numbers.is_reloaded = config_read(&next, serve->file) == 0;
    if (!serve->numbers.is_reloaded) {
        fputs("sdt: the configuration stays as it was\n", stderr);
        return;
    }
    struct config before = serve->config;
    config_take_over(&next, &before);
    serve->config = next;
    serve->numbers.reloaded = now_epoch();
    for (size_t i = 0; i < serve->count;)
        if (has_any(serve->members[i], &before))
            release(serve, i);
        else
            apply(serve, serve->members[i++]);
    for (size_t i = 0; i < before.count; i++) {
        series_begin(&before.rules[i]->series);
        series_lost(&before.rules[i]->series, &serve->numbers.lost_gone);
    }
    config_free(&before);
    scan_anew(&serve->scan);
    fprintf(stderr, "sdt: %s: read again, commands: %zu\n", serve->file, serve->config.count);
}

/* ---- The work. ---- */

/* Two descriptors for each process; the usual limit is for 500. */
static void raise_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* Wait until the next scan, which is at once if this one has not SEEN_ALL, or exposition; the
 * signal that has come, or 0. */
static int wait_for_signal(const struct serve *serve, bool seen_all)
{
    double left = serve->interval - seconds_since(serve->put);
    left = left < 0 || !seen_all ? 0 : left < SCAN_SECONDS ? left : SCAN_SECONDS;
    struct pollfd wait = {.fd = interrupt_descriptor(), .events = POLLIN};
    return poll(&wait, 1, (int)(left * 1000) + 1) > 0 ? interrupt_read() : 0;
}

static void run(struct serve *serve)
{
    for (;;) {
        look_after(serve);
        bool seen_all = scan_look(&serve->scan, take, serve);
        if (serve->put == 0 || seconds_since(serve->put) >= serve->interval)
            put_all(serve);
        int signal = wait_for_signal(serve, seen_all);
        if (signal == SIGHUP)
            reload(serve);
        else if (signal)
            return;
    }
}

static int serve_until_ended(struct serve *serve)
{
    if (described_sites_read(serve->description) != 0 || metrics_file_open(&serve->page) != 0 ||
        metrics_file_open(&serve->textfile) != 0)
        return STATUS_FAILED;
    if (serve->otlp && !(serve->live = otlp_live_begin(serve->otlp, true)))
        return STATUS_FAILED;
    interrupt_take();
    raise_limit();
    if (heart_begin() != 0)
        return STATUS_FAILED;
    serve->numbers.is_reloaded = true;
    serve->numbers.reloaded = now_epoch();
    run(serve);
    while (serve->count)
        release(serve, 0);
    put_all(serve);
    heart_end();
    if (serve->live && otlp_live_end(serve->live) != 0)
        return STATUS_FAILED;
    return serve->page.has_failed || serve->textfile.has_failed ? STATUS_FAILED : STATUS_DONE;
}

int serve_main(int argc, char **argv)
{
    struct serve serve = {.most_series = MOST_SERIES, .most_processes = MOST_PROCESSES};
    int status = parse(&serve, argc, argv);
    if (status == STATUS_DONE && config_read(&serve.config, serve.file) != 0)
        status = STATUS_USAGE;
    else if (status == STATUS_DONE && serve.is_check)
        printf("%s: right, commands: %zu\n", serve.file, serve.config.count);
    else if (status == STATUS_DONE)
        status = serve_until_ended(&serve);
    metrics_file_close(&serve.page);
    metrics_file_close(&serve.textfile);
    config_free(&serve.config);
    scan_free(&serve.scan);
    described_sites_free();
    bytes_free(&serve.text);
    free(serve.members);
    return status;
}
