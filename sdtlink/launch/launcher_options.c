/* SPDX-License-Identifier: BSD-2-Clause */
#include "launcher_options.h"

#include "base/diag.h"
#include "probes/chosen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The user's, and the one in which driver mode tells linker mode what it knows. */
static const char users[] = "SDTLINK_LAUNCH", ours[] = "SDTLINK_LINKER_MODE";

static const struct {
    const char *name;
    enum launcher_runtime runtime;
} runtimes[] = {{"--runtime=auto", RUNTIME_AUTO},
                {"--runtime=static", RUNTIME_STATIC},
                {"--runtime=shared", RUNTIME_SHARED},
                {"--runtime=none", RUNTIME_NONE}};

static bool parse_runtime(struct launcher_options *launch, const char *word)
{
    for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
        if (!strcmp(word, runtimes[i].name)) {
            launch->runtime = runtimes[i].runtime;
            return true;
        }
    return false;
}

static const struct {
    const char *name;
    enum scan_notes notes;
} stapsdts[] = {{"--stapsdt=project", NOTES_OF_PROJECT},
                {"--stapsdt=all", NOTES_OF_ALL},
                {"--stapsdt=none", NOTES_OF_NONE}};

static bool parse_notes(struct launcher_options *launch, const char *word)
{
    for (size_t i = 0; i < sizeof stapsdts / sizeof *stapsdts; i++)
        if (!strcmp(word, stapsdts[i].name)) {
            launch->notes = stapsdts[i].notes;
            return true;
        }
    return false;
}

static bool has_functions(const char *word)
{
    return !strncmp(word, "--functions=", strlen("--functions="));
}

static bool parse_option(struct launcher_options *launch, char *word)
{
    static const char linker[] = "--linker=", directory[] = "--directory=",
                      runtime[] = "--runtime-directory=", functions[] = "--functions=";
    if (!strcmp(word, "--ld"))
        launch->is_linker = true;
    else if (!strcmp(word, "--at-compile"))
        launch->at_compile = true;
    else if (!strcmp(word, "--no-notes"))
        launch->no_notes = true;
    else if (!strcmp(word, "--functions"))
        launch->functions = "";
    else if (has_functions(word) && !chosen_problem(word + sizeof functions - 1))
        launch->functions = word + sizeof functions - 1;
    else if (!strcmp(word, "-v") || !strcmp(word, "--verbose"))
        launch->verbosity = 1;
    else if (!strcmp(word, "-q") || !strcmp(word, "--quiet"))
        launch->verbosity = -1;
    else if (!strncmp(word, linker, sizeof linker - 1))
        launch->linker = word + sizeof linker - 1;
    else if (!strncmp(word, directory, sizeof directory - 1))
        words_add(&launch->directories, word + sizeof directory - 1);
    else if (!strncmp(word, runtime, sizeof runtime - 1))
        launch->runtime_directory = word + sizeof runtime - 1;
    else
        return parse_runtime(launch, word) || parse_notes(launch, word);
    return true;
}

static bool has_runtime(const char *word)
{
    return !strncmp(word, "--runtime=", strlen("--runtime="));
}

static bool has_stapsdt(const char *word)
{
    return !strncmp(word, "--stapsdt=", strlen("--stapsdt="));
}

/* PLACE: where the word stands, if not on the command line. */
static int refuse_option(const char *word, const char *place)
{
    if (has_functions(word))
        diag_error("%s'%s': %s", place, word, chosen_problem(strchr(word, '=') + 1));
    else if (has_runtime(word))
        diag_error("%s'%s': expected auto, static, shared or none", place, word);
    else if (has_stapsdt(word))
        diag_error("%s'%s': expected project, all or none", place, word);
    else
        diag_error("%s'%s' is not an option of the launcher", place, word);
    fputs("Try 'sdtlink --help'.\n", stderr);
    return -1;
}

static int parse_words(struct launcher_options *launch, int count, char **words, const char *place)
{
    int i = 0;
    for (; i < count && words[i][0] == '-'; i++)
        if (!parse_option(launch, words[i]))
            return refuse_option(words[i], place);
    static const enum diag_level levels[] = {DIAG_QUIET, DIAG_NORMAL, DIAG_VERBOSE};
    diag_set_level(levels[launch->verbosity + 1]);
    return i;
}

int launcher_options_parse(struct launcher_options *launch, int count, char **words)
{
    return parse_words(launch, count, words, "");
}

bool launcher_options_is_object(const char *path)
{
    static const char *const suffixes[] = {".o", ".obj", ".a", ".bc"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
        if (!strcmp(dot, suffixes[i]))
            return true;
    return scan_is_input(path);
}

bool is_launch_line(int argc, char **argv)
{
    struct launcher_options launch = {0};
    int i = 1;
    while (i < argc && argv[i][0] == '-' && parse_option(&launch, argv[i]))
        i++;
    words_free(&launch.directories);
    if (i < argc && (has_runtime(argv[i]) || has_stapsdt(argv[i]) || has_functions(argv[i])))
        return true; /* of an unknown kind: to be told by the launcher */
    if (i == 1 || launch.is_linker || launch.at_compile || launch.runtime != RUNTIME_AUTO ||
        launch.runtime_directory || launch.notes != NOTES_OF_PROJECT)
        return i > 1;
    return i < argc && argv[i][0] != '-' && !launcher_options_is_object(argv[i]);
}

int launcher_options_refuse_object(const char *path)
{
    if (!launcher_options_is_object(path))
        return 0;
    diag_error("to process an object, write: sdtlink -o OUT %s", path);
    fputs("Try 'sdtlink --help'.\n", stderr);
    return -1;
}

static int import(struct launcher_options *launch, const char *variable)
{
    static struct words words; /* which LAUNCH points into */
    const char *text = getenv(variable);
    char *place = memory_format("%s: ", variable);
    if (text)
        words_split(&words, text);
    int used = parse_words(launch, (int)words.count, words.list, place);
    if (used >= 0 && used < (int)words.count)
        used = refuse_option(words.list[used], place);
    free(place);
    return used < 0 ? -1 : 0;
}

int launcher_options_import(struct launcher_options *launch)
{
    return import(launch, users);
}

int launcher_options_receive(struct launcher_options *launch)
{
    return import(launch, getenv(ours) ? ours : users);
}

static void export_option(struct bytes *text, const char *option, const char *value)
{
    char *word = memory_format("%s%s", option, value);
    words_quote(text, word);
    free(word);
}

void launcher_options_hand_over(const struct launcher_options *launch)
{
    struct bytes text = {0};
    if (launch->verbosity)
        export_option(&text, launch->verbosity > 0 ? "-v" : "-q", "");
    if (launch->no_notes)
        export_option(&text, "--no-notes", "");
    if (launch->functions)
        export_option(&text, "--functions=", launch->functions);
    if (launch->runtime != RUNTIME_AUTO)
        export_option(&text, runtimes[launch->runtime].name, "");
    if (launch->notes != NOTES_OF_PROJECT)
        export_option(&text, stapsdts[launch->notes].name, "");
    if (launch->runtime_directory)
        export_option(&text, "--runtime-directory=", launch->runtime_directory);
    if (launch->linker)
        export_option(&text, "--linker=", launch->linker);
    for (size_t i = 0; i < launch->directories.count; i++)
        export_option(&text, "--directory=", launch->directories.list[i]);
    text.size -= text.size > 0; /* the last newline */
    bytes_append(&text, "", 1);
    setenv(ours, (const char *)text.data, 1);
    bytes_free(&text);
}
