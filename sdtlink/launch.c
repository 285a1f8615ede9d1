/* SPDX-License-Identifier: BSD-2-Clause */
/* The launcher's table of contents: a driver's command, and the linker's. */
#include "launch.h"

#include "diag.h"
#include "intermediate.h"
#include "launch_command.h"
#include "launch_compile.h"
#include "launch_inputs.h"
#include "launch_line.h"
#include "launch_lto.h"
#include "launch_output.h"
#include "launch_place.h"
#include "launch_runtime.h"
#include "launch_scan.h"
#include "launch_search.h"
#include "launch_supervise.h"
#include "run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Words that are too long for one command go through a file: the kernel's limit is 128 KiB a word
 * and, by default, 2 MiB in all with the environment. */
enum { LONG_LINE = 1 << 16 };

/* ---- driver mode ---- */

/* Our -B, and what the inner process has to know about the user's. Returns NULL: said why not. */
static char **with_shadow(struct launch *launch, const struct command *command, char **argv)
{
    static const char *const places[] = {"launch", "../libexec/sdtlink/launch", NULL};
    char *shadow = launch_find_part(places);
    struct words words = {0};
    if (!shadow) {
        diag_error("the directory 'launch' is not installed with this sdtlink: run its "
                   "`cmake --install`, not a copy of the executable");
        return NULL;
    }
    for (size_t i = 0; argv[i]; i++) {
        static const char path[] = "--ld-path=", name[] = "-fuse-ld=";
        if (i == command->driver + 1)
            words_add(&words, memory_format("-B%s", shadow));
        if (i > command->driver && !strncmp(argv[i], path, sizeof path - 1)) {
            launch->linker = argv[i] + sizeof path - 1;
            words_add(&words, memory_format("%s%s/ld", path, shadow));
            continue;
        }
        if (i > command->driver && !strncmp(argv[i], name, sizeof name - 1) &&
            strchr(argv[i], '/')) {
            launch->linker = argv[i] + sizeof name - 1;
            words_add(&words, memory_format("%s%s/ld", name, shadow));
            continue;
        }
        if (i > command->driver && !strncmp(argv[i], "-B", 2) && (argv[i][2] || argv[i + 1]))
            words_add(&launch->directories, argv[i][2] ? argv[i] + 2 : argv[i + 1]);
        words_add(&words, argv[i]);
    }
    if (!argv[command->driver + 1])
        words_add(&words, memory_format("-B%s", shadow));
    free(shadow);
    return words.list;
}

int launch_main(int argc, char **argv)
{
    static struct launch launch;
    struct command command;
    int used = launch_options_import(&launch);
    if (used == 0)
        used = launch_options_parse(&launch, argc - 1, argv + 1);
    if (used < 0)
        return STATUS_USAGE;
    argv += used + 1;
    if (!*argv) {
        diag_error("no program to launch");
        fputs("Try 'sdtlink --help'.\n", stderr);
        return STATUS_USAGE;
    }
    if (launch_refuse_object(*argv) != 0)
        return STATUS_USAGE;
    command_read(&command, argv);
    if (launch.is_linker || command.kind == COMMAND_LINKER)
        return launch_link(&launch, argv);
    if (command.kind == COMMAND_LINK) {
        char **words = with_shadow(&launch, &command, argv);
        if (!words)
            return STATUS_FAILED;
        launch_options_export(&launch);
        return launch_exec(NULL, words);
    }
    if (launch.at_compile && command.writes_objects)
        return compile_and_process(&launch, &command, argv);
    return launch_exec(NULL, argv);
}

bool launch_is_linker_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    name = slash ? slash + 1 : name;
    return !strcmp(name, "ld") || !strncmp(name, "ld.", 3);
}

/* ---- linker mode ---- */

int launch_linker_main(int argc, char **argv)
{
    static struct launch launch;
    (void)argc;
    if (launch_options_import(&launch) != 0)
        return STATUS_USAGE;
    if (!launch.linker) {
        const char *slash = strrchr(argv[0], '/');
        launch.linker = slash ? slash + 1 : argv[0];
    }
    char *linker = launch_find_linker(&launch, launch.linker);
    if (!linker)
        return STATUS_NOT_FOUND;
    argv[0] = linker;
    return launch_link(&launch, argv);
}

/* Words as an argv, or as a response file in the link's directory if they are too long for that. */
static char **shorten(struct words *words)
{
    struct bytes text = {0};
    for (size_t i = 1; i < words->count; i++)
        words_quote(&text, words->list[i]);
    if (text.size < LONG_LINE || !place_directory()) {
        bytes_free(&text);
        return words->list;
    }
    char *path = memory_format("%s/line", place_directory());
    FILE *file = fopen(path, "we");
    bool is_written = file && fwrite(text.data, 1, text.size, file) == text.size;
    bytes_free(&text);
    if ((file && fclose(file) != 0) || !is_written) {
        diag_errno("cannot write %s", path);
        return NULL;
    }
    char **argv = memory_zeroed(3, sizeof *argv);
    argv[0] = words->list[0];
    argv[1] = memory_format("@%s", path);
    return argv;
}

static void show_command(const struct words *words)
{
    for (size_t i = 0; i < words->count; i++)
        fprintf(stderr, "%s%s", i ? " " : "sdtlink: ", words->list[i]);
    fputc('\n', stderr);
}

static char **prepare_command(struct words *words)
{
    if (diag_is_verbose())
        show_command(words);
    return shorten(words);
}

/* Run the linker on words that name copies, and give everything its original name again. */
static int run_linker(const struct line *line, const char *linker, char **argv)
{
    struct relay relays[2];
    int count = relay_open(relays), status = 0;
    if (count < 0)
        return STATUS_FAILED;
    fflush(stderr);
    pid_t child = supervise_fork();
    if (child == 0) {
        relay_attach(relays, count);
        _exit(launch_exec(linker, argv));
    }
    relay_started(relays, count);
    if (child > 0)
        supervise_wait(&child, &status, 1, relays, (size_t)count);
    relay_finish(relays, count);
    if (child < 0)
        return STATUS_FAILED;
    for (size_t i = 0; i < line->reports.count; i++)
        if (output_restore_names(line->reports.list[i]) != 0 && status == 0)
            return STATUS_FAILED;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* Process copies, link them. The link's directory exists, and signals wait. */
static int link_copies(struct line *line, const char *linker, struct words *runtime)
{
    struct words at_start = {0}, at_end = {0}, words = {0};
    int result = inputs_process(line, &at_start, &at_end);
    if (result != 0)
        return result;
    if (lto_interpose(line) != 0)
        return STATUS_FAILED;
    if (lto_needs_two_links(line)) {
        struct words first = {0};
        bool is_done;
        line_compose(line, &first, &at_start, runtime, &at_end);
        lto_add_options(&first);
        char **argv = prepare_command(&first);
        result = argv ? lto_link_first(line, linker, argv, &is_done) : STATUS_FAILED;
        if (result != 0 || is_done)
            return result;
    }
    line_compose(line, &words, &at_start, runtime, &at_end);
    char **argv = prepare_command(&words);
    return argv ? run_linker(line, linker, argv) : STATUS_FAILED;
}

/* The result of a partial link is an object: process that, instead of what it is made of. */
static int link_partially(const struct line *line, const char *linker, char **argv)
{
    int status = 0;
    if (supervise_begin() != 0)
        return STATUS_FAILED;
    pid_t child = supervise_fork();
    if (child == 0)
        _exit(launch_exec(linker, argv));
    if (child < 0)
        return STATUS_FAILED;
    supervise_wait(&child, &status, 1, NULL, 0);
    supervise_end();
    if (WIFSIGNALED(status))
        supervise_die(WTERMSIG(status));
    if (WEXITSTATUS(status) != 0)
        return WEXITSTATUS(status);
    unsigned found = scan_file(line->output);
    if (!(found & SCAN_PROBES) || (found & SCAN_INTERMEDIATE))
        return STATUS_DONE;
    return compile_process_object(line->output);
}

int launch_link(const struct launch *launch, char **argv)
{
    struct line line;
    struct words runtime = {0}, words = {0}, none = {0};
    const char *linker = strchr(argv[0], '/') ? argv[0] : launch_find_linker(launch, argv[0]);
    if (!linker)
        return STATUS_NOT_FOUND;
    line_read(&line, argv, line_flavour(linker));
    if (line.is_relocatable)
        return link_partially(&line, linker, argv);
    scan_ignore_fat(lto_takes_fat(&line));
    unsigned found = inputs_scan(&line);
    if (!(found & (SCAN_PROBES | SCAN_PROCESSED | SCAN_LTO)))
        return launch_exec(linker, argv);
    if (lto_check(&line) != 0)
        return STATUS_FAILED;
    if (runtime_choose(launch, &line, &runtime) != 0)
        return STATUS_FAILED;
    if (!(found & (SCAN_PROBES | SCAN_LTO))) {
        line_compose(&line, &words, &none, &runtime, &none);
        if (diag_is_verbose())
            show_command(&words);
        return launch_exec(linker, words.list);
    }
    if (supervise_begin() != 0 || place_create() != 0)
        return STATUS_FAILED;
    int result = link_copies(&line, linker, &runtime);
    place_remove();
    supervise_end();
    if (result < 0)
        supervise_die(-result);
    return result;
}
