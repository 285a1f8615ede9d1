/* SPDX-License-Identifier: BSD-2-Clause */
/* The launcher from above: what is done with a driver's command, and with the linker's. */
#include "launch.h"

#include "base/diag.h"
#include "base/escape.h"
#include "base/status.h"
#include "command.h"
#include "compile.h"
#include "compose.h"
#include "exec.h"
#include "finalize/finalize.h"
#include "find.h"
#include "functions.h"
#include "in_place.h"
#include "inputs.h"
#include "launcher_options.h"
#include "line.h"
#include "lto.h"
#include "relay.h"
#include "runtime.h"
#include "scan.h"
#include "search.h"
#include "supervise.h"
#include "temporary.h"

#include <arch/tool_arch.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Words that are too long for one command go through a file: the kernel's limit is 128 KiB a word
 * and, by default, 2 MiB in all with the environment. */
enum { LONG_LINE = 1 << 16 };

/* ---- linker mode ---- */

/*
 * A response file, in the link's directory. Without one the linker replaces this process, which
 * then could not remove the file: so it is in memory, and the linker inherits its descriptor.
 */
static FILE *create_response_file(char **path)
{
    if (temporary_directory()) {
        *path = memory_format("%s/line", temporary_directory());
        return fopen(*path, "we");
    }
    int fd = memfd_create("line", 0), copy = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
    *path = memory_format("/proc/self/fd/%d", fd);
    return copy < 0 ? NULL : fdopen(copy, "w");
}

/* Words that are too long for a command go into a response file. */
static int shorten(struct words *words)
{
    struct bytes text = {0};
    for (size_t i = 1; i < words->count; i++)
        words_quote(&text, words->list[i]);
    if (text.size < LONG_LINE) {
        bytes_free(&text);
        return 0;
    }
    char *path;
    FILE *file = create_response_file(&path);
    bool is_written = file && fwrite(text.data, 1, text.size, file) == text.size;
    bytes_free(&text);
    int result = 0;
    if ((file && fclose(file) != 0) || !is_written)
        result = diag_errno("cannot write %s", path);
    words->count = 1;
    words_add(words, words_keep(memory_format("@%s", path)));
    free(path);
    return result;
}

static int prepare_command(struct words *words)
{
    if (diag_is_verbose()) {
        for (size_t i = 0; i < words->count; i++) {
            fputs(i ? " " : "sdtlink: ", stderr);
            escape_print_text(stderr, slice_of(words->list[i]));
        }
        fputc('\n', stderr);
    }
    return shorten(words);
}

/* Run the linker on words that name copies, and give everything its original name again. */
static int run_linker(const struct line *line, const char *linker, char **argv)
{
    struct relay relays[MAX_RELAYS];
    int count = relay_open(relays), status = 0;
    if (count < 0)
        return STATUS_FAILED;
    fflush(stderr);
    pid_t child = supervise_fork();
    if (child == 0) {
        relay_attach(relays, count);
        _exit(exec_program(linker, argv));
    }
    relay_started(relays, count);
    if (child > 0)
        supervise_wait(&child, &status, 1, relays, (size_t)count);
    relay_finish(relays, count);
    if (child < 0)
        return STATUS_FAILED;
    for (size_t i = 0; i < line->reports.count; i++)
        if (relay_restore_names(line->reports.list[i]) != 0 && status == 0)
            return STATUS_FAILED;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* Intermediate code for lld: the first of its two links. */
static int link_first(struct line *line, const char *linker, const struct words *at_start,
                      const struct words *runtime, const struct words *at_end)
{
    struct words words = {0};
    compose_words(line, &words, at_start, runtime, at_end);
    lto_add_options(&words);
    int result = STATUS_FAILED;
    if (prepare_command(&words) == 0)
        result = lto_link_first(line, linker, words.list);
    words_free(&words);
    return result;
}

/* Not of /dev/null, nor of what --oformat makes. */
static bool is_elf_file(const char *path)
{
    char magic[SELFMAG];
    struct stat status;
    int fd =
        stat(path, &status) == 0 && S_ISREG(status.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    bool result = fd >= 0 && read(fd, magic, sizeof magic) == (ssize_t)sizeof magic &&
                  memcmp(magic, ELFMAG, SELFMAG) == 0;
    if (fd >= 0)
        close(fd);
    return result;
}

/* As a linker does when it fails, remove the output: make would take it for a good one. */
static int finalize_output(const struct line *line)
{
    if (!is_elf_file(line->output))
        return STATUS_DONE;
    if (!diag_is_verbose())
        diag_set_level(DIAG_QUIET);
    if (finalize_file(line->output, false) == 0)
        return STATUS_DONE;
    unlink(line->output);
    return STATUS_FAILED;
}

/* Process copies, link them. The link's directory exists, and signals wait. */
static int link_copies(const struct launcher_options *launch, struct line *line, const char *linker,
                       const struct words *runtime)
{
    struct words at_start = {0}, at_end = {0}, words = {0};
    /* Standard error is a pipe to the linker; it should keep colours as on a terminal. */
    bool knows = line->flavour == FLAVOUR_LLD || line->flavour == FLAVOUR_MOLD;
    if (knows && !line->has_color_option && diag_has_colour())
        words_add(&at_start, "--color-diagnostics=always");
    int result = inputs_process(launch, line, &at_start, &at_end);
    if (result == 0 && lto_interpose(line) != 0)
        result = STATUS_FAILED;
    if (result == 0 && lto_needs_two_links(line))
        result = link_first(line, linker, &at_start, runtime, &at_end);
    if (result == 0) {
        compose_words(line, &words, &at_start, runtime, &at_end);
        result =
            prepare_command(&words) == 0 ? run_linker(line, linker, words.list) : STATUS_FAILED;
        if (result == 0 && line->has_late_notes)
            result = finalize_output(line);
    }
    words_free(&at_start);
    words_free(&at_end);
    words_free(&words);
    return result;
}

/* The result of a partial link is an object: process that, instead of what it is made of. */
static int link_partially(const struct launcher_options *launch, const struct line *line,
                          const char *linker, char **argv)
{
    struct words outputs = {0};
    words_add(&outputs, (char *)(uintptr_t)line->output);
    int result = in_place_run(launch, linker, argv, &outputs);
    words_free(&outputs);
    return result;
}

/* The inputs are linked as they are, with RUNTIME. */
static int link_originals(const struct line *line, const char *linker, const struct words *runtime)
{
    struct words words = {0}, none = {0};
    compose_words(line, &words, &none, runtime, &none);
    int result = prepare_command(&words) == 0 ? exec_program(linker, words.list) : STATUS_FAILED;
    words_free(&words);
    return result;
}

/* No probes, but code that calls the runtime. */
static int link_with_runtime(const struct launcher_options *launch, const struct line *line,
                             const char *linker, unsigned found, char **argv)
{
    struct words runtime = {0};
    int result = STATUS_FAILED;
    if (runtime_offer(launch, line, found, &runtime) == 0)
        result =
            runtime.count ? link_originals(line, linker, &runtime) : exec_program(linker, argv);
    words_free(&runtime);
    return result;
}

/* The inputs hold probes, or sites that have been processed: link with what that takes. */
static int link_with_probes(const struct launcher_options *launch, struct line *line,
                            const char *linker, unsigned found)
{
    struct words runtime = {0};
    int result = STATUS_FAILED;
    if (lto_check(line) != 0 || runtime_choose(launch, line, &runtime) != 0)
        goto done;
    if (!(found & (SCAN_PROBES | SCAN_LTO_PROBES))) {
        result = link_originals(line, linker, &runtime);
        goto done;
    }
    if (supervise_begin() != 0 || temporary_create(inputs_size(line)) != 0)
        goto done;
    result = link_copies(launch, line, linker, &runtime);
    temporary_remove();
    supervise_end();
    if (result < 0)
        supervise_die(-result);
done:
    words_free(&runtime);
    return result;
}

/* Run LINKER on ARGV, a NULL-terminated copy of the user's words. */
static int linker_mode(const struct launcher_options *launch, char *linker, char **argv)
{
    struct line line;
    int result;
    line_read(&line, argv, linker);
    line.rules = (struct scan_rules){.notes = line.arch->note_kind ? launch->notes : NOTES_OF_NONE,
                                     .ignores_fat = lto_takes_fat(&line),
                                     .arch = line.arch,
                                     .functions = launch->functions};
    if (line.is_relocatable) {
        result = link_partially(launch, &line, linker, argv);
    } else {
        unsigned found;
        if (inputs_scan(&line, &found) != 0)
            result = STATUS_FAILED;
        else if (found & SCAN_FOREIGN) {
            diag_detail("the objects are for another machine, which has no probes: linked as they "
                        "are");
            result = exec_program(linker, argv);
        } else if (found & (SCAN_PROBES | SCAN_PROCESSED | SCAN_LTO_PROBES))
            result = link_with_probes(launch, &line, linker, found);
        else if (found & SCAN_API)
            result = link_with_runtime(launch, &line, linker, found, argv);
        else
            result = exec_program(linker, argv);
    }
    line_free(&line);
    return result;
}

bool launch_is_linker_name(const char *name)
{
    name = basename(name);
    return !strcmp(name, "ld") || !strncmp(name, "ld.", 3);
}

int launch_linker_main(int argc, char **argv)
{
    static struct launcher_options launch;
    (void)argc;
    if (launcher_options_receive(&launch) != 0)
        return STATUS_USAGE;
    if (!launch.linker)
        launch.linker = basename(argv[0]);
    char *linker = words_keep(find_linker(&launch, launch.linker));
    if (!linker)
        return STATUS_NOT_FOUND;
    argv[0] = linker;
    return linker_mode(&launch, linker, argv);
}

/* ---- driver mode ---- */

/* A linker that the user named by its path: ours in its place, which has to know of it. */
static char *replace_linker(struct launcher_options *launch, const char *shadow, char *word)
{
    static const char *const options[] = {"--ld-path=", "-fuse-ld="};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        size_t length = strlen(options[i]);
        /* A name after -fuse-ld= is one that the driver looks for in our directory. */
        if (strncmp(word, options[i], length) != 0 || (i == 1 && !strchr(word, '/')))
            continue;
        launch->linker = word + length;
        return words_keep(memory_format("%s%s/ld", options[i], shadow));
    }
    return word;
}

/* The driver's words with our -B, and for the inner process the user's own -B. */
static int add_shadow(struct words *words, struct launcher_options *launch,
                      const struct command *command, char **argv)
{
    static const char *const places[] = {"launch", "../libexec/sdtlink/launch", NULL};
    char *shadow = find_part(places);
    if (!shadow)
        return diag_error("the directory 'launch' is not installed with this sdtlink: run its "
                          "`cmake --install`, not a copy of the executable");
    for (size_t i = 0; i <= command->driver; i++)
        words_add(words, argv[i]);
    words_add(words, words_keep(memory_format("-B%s", shadow)));
    for (size_t i = command->driver + 1; argv[i]; i++) {
        if (!strncmp(argv[i], "-B", 2) && (argv[i][2] || argv[i + 1]))
            words_add(&launch->directories, argv[i][2] ? argv[i] + 2 : argv[i + 1]);
        words_add(words, replace_linker(launch, shadow, argv[i]));
    }
    free(shadow);
    return 0;
}

static int run_driver(struct launcher_options *launch, const struct command *command, char **argv)
{
    static struct words words;
    if (launch->functions && command->kind != COMMAND_OTHER &&
        !(argv = functions_add_options(command, argv)))
        return STATUS_FAILED;
    if (command->kind == COMMAND_LINK) {
        if (add_shadow(&words, launch, command, argv) != 0)
            return STATUS_FAILED;
        launcher_options_hand_over(launch);
        return exec_program(NULL, words.list);
    }
    if (launch->at_compile && command->writes_objects)
        return compile_and_process(launch, command, argv);
    return exec_program(NULL, argv);
}

/* The command ARGV, whatever it is. */
static int run_command(struct launcher_options *launch, char **argv)
{
    struct command command;
    command_read(&command, argv);
    if (launch->is_linker || command.kind == COMMAND_LINKER) {
        char *linker = words_keep(find_linker(launch, *argv));
        return linker ? linker_mode(launch, linker, argv) : STATUS_NOT_FOUND;
    }
    int result = run_driver(launch, &command, argv);
    if (result == STATUS_NOT_FOUND && command.kind == COMMAND_OTHER)
        fputs("  remedy:   begin with an option (-o OUT IN), a command (list, verify, finalize), "
              "or a program to launch (cc)\n"
              "Try 'sdtlink --help'.\n",
              stderr);
    command_free(&command);
    return result;
}

int launch_main(int argc, char **argv)
{
    static struct launcher_options launch;
    int used = launcher_options_import(&launch);
    if (used == 0)
        used = launcher_options_parse(&launch, argc - 1, argv + 1);
    if (used < 0)
        return STATUS_USAGE;
    argv += used + 1;
    if (!*argv) {
        diag_error("no program to launch");
        fputs("Try 'sdtlink --help'.\n", stderr);
        return STATUS_USAGE;
    }
    if (launch_is_nameless(argv))
        return launch_refuse_nameless();
    if (launcher_options_refuse_object(*argv) != 0)
        return STATUS_USAGE;
    return run_command(&launch, argv);
}

int launch_program(char *program, char **argv)
{
    static struct launcher_options launch;
    argv[0] = launch_program_chosen(program);
    if (!argv[0] || launcher_options_import(&launch) != 0)
        return STATUS_USAGE;
    return run_command(&launch, argv);
}
