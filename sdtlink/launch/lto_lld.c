/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lld makes machine code of bitcode between reading its inputs and linking them, in one process and
 * without plugins. So it links twice (docs/decisions/0012-lld-links-twice.md):
 *
 *   first    the user's link, told to keep the native objects. It generates code for the whole
 *            program, then fails, since the probes are undefined (functions with XRay's sleds
 *            miss nothing: then there is a program, which the second link replaces).
 *   second   the same with these objects, processed, in place of the first bitcode, and without
 *            the rest of the bitcode.
 *
 * The second has to take the same members out of archives. A member that only bitcode needed, and
 * perhaps no longer does, is requested by one more object, which holds only undefined symbols.
 */
#include "lto.h"

#include "base/diag.h"
#include "base/status.h"
#include "elf/collect.h"
#include "exec.h"
#include "process.h"
#include "relay.h"
#include "scan.h"
#include "supervise.h"
#include "temporary.h"
#include "work.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the first link leaves in the link's directory. */
static const char native_name[] = "native", why_name[] = "why", log_name[] = "log";

static char *left(const char *name)
{
    return memory_format("%s/%s", temporary_directory(), name);
}

static bool is_bitcode(const struct line_input *input)
{
    return (input->found & SCAN_BITCODE) != 0;
}

/* Options with which lld ends after the optimiser, and links nothing. */
static bool stops_early(const struct line *line)
{
    static const char *const options[] = {"lto-emit-asm",        "lto-emit-llvm",
                                          "plugin-opt=emit-asm", "plugin-opt=emit-llvm",
                                          "thinlto-index-only",  "plugin-opt=thinlto-index-only"};
    for (size_t i = 1; i < line->words.count; i++) {
        const char *word = line->words.list[i];
        word += strspn(word, "-") < 3 ? strspn(word, "-") : 0;
        for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
            size_t length = strlen(options[k]);
            if (!strncmp(word, options[k], length) && (!word[length] || word[length] == '='))
                return true;
        }
    }
    return false;
}

bool lto_needs_two_links(const struct line *line)
{
    bool has_probes = false;
    for (size_t i = 0; i < line->input_count; i++)
        has_probes |= is_bitcode(&line->inputs[i]) && (line->inputs[i].found & SCAN_LTO_PROBES);
    return line->flavour == FLAVOUR_LLD && has_probes && !stops_early(line);
}

void lto_add_options(struct words *words)
{
    words_add(words, words_keep(memory_format("--lto-obj-path=%s/%s", temporary_directory(),
                                              native_name)));
    words_add(words,
              words_keep(memory_format("--why-extract=%s/%s", temporary_directory(), why_name)));
    words_add(words, "--no-demangle");        /* what --why-extract says is read again */
    words_add(words, "--thinlto-cache-dir="); /* objects of the cache would not be kept */
    words_add(words, "--error-limit=0");
    words_add(words, "--color-diagnostics=never");
}

/* ---- the first link ---- */

static void redirect(const char *path, int to)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, to) < 0)
        _exit(STATUS_FAILED);
}

static int run_first(const char *linker, char **argv)
{
    int status = 0;
    char *log = left(log_name);
    fflush(stderr);
    pid_t child = supervise_fork();
    if (child == 0) {
        redirect("/dev/null", STDOUT_FILENO);
        redirect(log, STDERR_FILENO);
        _exit(exec_program(linker, argv));
    }
    free(log);
    if (child < 0)
        return STATUS_FAILED;
    int received = supervise_wait(&child, &status, 1, NULL, 0);
    if (received || WIFSIGNALED(status))
        return received ? -received : -WTERMSIG(status);
    return WEXITSTATUS(status);
}

/* What lld has said is made of messages: a line with "error: " or "warning: ", then other lines. */
enum said { SAID_OTHER, SAID_WARNING, SAID_UNDEFINED, SAID_ERROR };

static enum said classify(const char *line, enum said before)
{
    const char *error = strstr(line, "error: ");
    if (strstr(line, "warning: "))
        return SAID_WARNING;
    if (!error)
        return before;
    return strncmp(error + 7, "undefined ", 10) == 0 ? SAID_UNDEFINED : SAID_ERROR;
}

/*
 * Pass on the warnings: what the optimiser warned of, the second link will not say, since it does
 * not optimise. Returns the most serious kind of message.
 */
static enum said pass_on_warnings(void)
{
    char *path = left(log_name), *text = NULL;
    size_t capacity = 0;
    ssize_t length;
    enum said kind = SAID_OTHER, worst = SAID_OTHER;
    FILE *log = fopen(path, "re");
    while (log && (length = getline(&text, &capacity, log)) > 0) {
        kind = classify(text, kind);
        worst = kind > worst ? kind : worst;
        if (kind == SAID_WARNING)
            fwrite(text, 1, temporary_strip(text, (size_t)length), stderr);
    }
    if (log)
        fclose(log);
    free(text);
    free(path);
    return worst;
}

/* ---- its objects ---- */

struct natives {
    struct words inputs, outputs;
    char *names; /* what all of them say of probes: elf/beside.h */
    const struct scan_rules *rules;
};

static int process(size_t index, void *data)
{
    const struct natives *natives = data;
    struct options options = {.input = natives->inputs.list[index],
                              .output = natives->outputs.list[index],
                              .ignore_stapsdt = natives->rules->notes == NOTES_OF_NONE,
                              .functions = natives->rules->functions,
                              .names_from = natives->names,
                              .name = "lto.tmp"}; /* as lld calls them */
    if (!diag_is_verbose())
        diag_set_level(DIAG_QUIET);
    return process_object(&options);
}

/*
 * The native objects: "native", "native1", "native2" and so on. Empty files are in the place of
 * those that lld did not need to make.
 */
static void find_natives(struct natives *natives)
{
    struct stat status;
    for (unsigned number = 0;; number++) {
        char *name = number ? memory_format("%s%u", native_name, number) : NULL;
        char *path = words_keep(left(name ? name : native_name));
        free(name);
        if (stat(path, &status) != 0)
            return;
        if (status.st_size > 0)
            words_add(&natives->inputs, path);
    }
}

static int process_natives(struct natives *natives)
{
    for (size_t i = 0; i < natives->inputs.count; i++) {
        char *output = temporary_path("lto.tmp");
        if (!output)
            return STATUS_FAILED;
        words_add(&natives->outputs, output);
    }
    natives->names = left("names");
    if (collect_names(natives->names, (const char *const *)natives->inputs.list,
                      natives->inputs.count) != 0)
        return STATUS_FAILED;
    return work_run(process, natives->inputs.count, natives);
}

/* ---- the second link ---- */

static bool is_flag(const char *word, const char *name)
{
    return word[0] == '-' && !strcmp(word + strspn(word, "-"), name);
}

/* AT, or the --start-lib that it comes after: an object in there would be linked only if needed. */
static size_t outside_of_lib(const struct line *line, size_t at)
{
    for (size_t i = at; i-- > 1 && !is_flag(line->words.list[i], "end-lib");)
        if (is_flag(line->words.list[i], "start-lib"))
            return i;
    return at;
}

/* OBJECTS before the first bitcode, and no loose bitcode at all. */
static void replace_bitcode(struct line *line, const struct words *objects)
{
    bool is_first = true;
    for (size_t i = 0; i < line->input_count;) {
        struct line_input *input = &line->inputs[i];
        if (is_bitcode(input) && is_first) {
            line_insert(line, outside_of_lib(line, input->word), objects->list, objects->count);
            is_first = false;
        }
        if (is_bitcode(input) && !(input->found & SCAN_ARCHIVE))
            line_remove(line, input->word);
        else
            i++;
    }
}

/* The first link has written the dependency file, with all bitcode in it. */
static void remove_dependency_file(struct line *line)
{
    for (size_t i = line->words.count; i-- > 1;) {
        const char *word = line->words.list[i], *name = word + strspn(word, "-");
        if (name == word || strncmp(name, "dependency-file", 15) != 0)
            continue;
        if (name[15] == 0)
            line_remove(line, i + 1);
        if (name[15] == 0 || name[15] == '=')
            line_remove(line, i);
    }
}

static int prepare_second(struct line *line, struct natives *natives)
{
    struct words symbols = {0};
    char *why = left(why_name), *references = temporary_path("lto.references");
    int result = process_natives(natives);
    lto_read_extractions(why, &symbols);
    if (result == 0 &&
        (!references || lto_write_references(references, line->arch, &symbols) != 0 ||
         lto_empty_archives(line) != 0))
        result = STATUS_FAILED;
    words_free(&symbols);
    free(why);
    if (result != 0)
        return result;
    words_add(&natives->outputs, references);
    replace_bitcode(line, &natives->outputs);
    remove_dependency_file(line);
    return 0;
}

int lto_link_first(struct line *line, const char *linker, char **argv)
{
    struct natives natives = {.rules = &line->rules};
    int result = run_first(linker, argv);
    if (result < 0)
        return result;
    find_natives(&natives);
    result = 0;
    if (natives.inputs.count > 0 && pass_on_warnings() != SAID_ERROR)
        result = prepare_second(line, &natives);
    words_free(&natives.inputs);
    words_free(&natives.outputs);
    free(natives.names);
    return result;
}
