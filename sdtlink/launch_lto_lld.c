/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lld makes machine code of bitcode between reading its inputs and linking them, in one process and
 * without plugins. So it links twice (docs/decisions/0012-lld-links-twice.md):
 *
 *   first    the user's link, told to keep the native objects. It makes them by the rules of the
 *            whole program, and then fails, since nobody defines the probes.
 *   second   the same with these objects, processed, in the place of the first bitcode, and
 *            without the rest of the bitcode.
 *
 * The second has to take the same members out of archives. A member that only bitcode asked for,
 * and maybe no longer does, is asked for by one more object: undefined symbols and nothing else.
 */
#include "launch_lto.h"

#include "archive.h"
#include "diag.h"
#include "launch.h"
#include "launch_output.h"
#include "launch_place.h"
#include "launch_scan.h"
#include "launch_supervise.h"
#include "launch_work.h"
#include "object.h"
#include "output.h"
#include "run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Names in the link's directory. */
static char *kept(const char *name)
{
    return memory_format("%s/%s", place_directory(), name);
}

static bool is_bitcode(const struct line_input *input)
{
    return (input->found & SCAN_BITCODE) != 0;
}

/* Options with which lld ends behind the optimiser, and links nothing. */
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
        has_probes |= is_bitcode(&line->inputs[i]) && (line->inputs[i].found & SCAN_LTO);
    return line->flavour == FLAVOUR_LLD && has_probes && !stops_early(line);
}

void lto_add_options(struct words *words)
{
    words_add(words, memory_format("--lto-obj-path=%s/native", place_directory()));
    words_add(words, memory_format("--why-extract=%s/why", place_directory()));
    words_add(words, memory_format("--thinlto-cache-dir=")); /* the last one counts: none */
    words_add(words, memory_format("--no-demangle"));
    words_add(words, memory_format("--error-limit=0"));
    words_add(words, memory_format("--color-diagnostics=never"));
}

/* ---- the first link ---- */

static void redirect(const char *name, int to)
{
    char *path = kept(name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, to) < 0)
        _exit(STATUS_FAILED);
    free(path);
}

static int run_first(const char *linker, char **argv)
{
    int status = 0;
    fflush(stderr);
    pid_t child = supervise_fork();
    if (child == 0) {
        redirect("stdout", STDOUT_FILENO);
        redirect("stderr", STDERR_FILENO);
        _exit(launch_exec(linker, argv));
    }
    if (child < 0)
        return STATUS_FAILED;
    int received = supervise_wait(&child, &status, 1, NULL, 0);
    if (received || WIFSIGNALED(status))
        return received ? -received : -WTERMSIG(status);
    return WEXITSTATUS(status);
}

/* What lld has said is made of messages: a line with "error: " or "warning: ", then other lines. */
enum said { SAID_OTHER, SAID_WARNING, SAID_PROBE, SAID_UNDEFINED, SAID_ERROR };

static enum said classify(const char *line, enum said before)
{
    const char *error = strstr(line, "error: ");
    if (strstr(line, "warning: "))
        return SAID_WARNING;
    if (!error)
        return before;
    if (strncmp(error + 7, "undefined ", 10) != 0)
        return SAID_ERROR;
    return strstr(error, ": __dtrace_sdt") ? SAID_PROBE : SAID_UNDEFINED;
}

/* Pass on the messages of log NAME of which KIND says so; returns the most serious of all. */
static enum said pass_on(const char *name, bool (*wanted)(enum said kind))
{
    char *path = kept(name), *text = NULL;
    size_t capacity = 0;
    ssize_t length;
    enum said kind = SAID_OTHER, worst = SAID_OTHER;
    FILE *log = fopen(path, "re");
    while (log && (length = getline(&text, &capacity, log)) > 0) {
        kind = classify(text, kind);
        worst = kind > worst ? kind : worst;
        if (wanted(kind))
            fwrite(text, 1, place_strip(text, (size_t)length),
                   strcmp(name, "stdout") ? stderr : stdout);
    }
    if (log)
        fclose(log);
    free(text);
    free(path);
    return worst;
}

static bool is_any(enum said kind)
{
    return kind != SAID_PROBE;
}

/* The second link does not optimise, and would not repeat what the optimiser warned of. */
static bool is_warning(enum said kind)
{
    return kind == SAID_WARNING;
}

static bool is_none(enum said kind)
{
    (void)kind;
    return false;
}

/* ---- its objects ---- */

/* Native objects NUMBER of the first link: lld appends the number, but for 0. NULL: no more. */
static char *native_object(unsigned number)
{
    char *path = number ? memory_format("%s/native%u", place_directory(), number) : kept("native");
    if (access(path, F_OK) == 0)
        return path;
    free(path);
    return NULL;
}

struct natives {
    struct words inputs, outputs;
};

static int process(size_t index, void *data)
{
    const struct natives *natives = data;
    struct options options = {.input = natives->inputs.list[index],
                              .output = natives->outputs.list[index],
                              .name = "lto.tmp"}; /* as lld calls them */
    if (!diag_is_verbose())
        diag_set_level(DIAG_QUIET);
    return sdtlink_run(&options);
}

/* The native objects, but those that are empty files; true if they hold probes. */
static bool find_natives(struct natives *natives)
{
    unsigned found = 0;
    char *path;
    for (unsigned number = 0; (path = native_object(number)) != NULL; number++) {
        struct stat status;
        if (stat(path, &status) != 0 || status.st_size == 0)
            continue;
        words_add(&natives->inputs, path);
        found |= scan_file(path);
    }
    return (found & SCAN_PROBES) != 0;
}

static int process_natives(struct natives *natives)
{
    for (size_t i = 0; i < natives->inputs.count; i++) {
        char *output = place_for("lto.tmp");
        if (!output)
            return STATUS_FAILED;
        words_add(&natives->outputs, output);
    }
    return work_run(process, natives->inputs.count, natives);
}

/* ---- members of archives ---- */

static const char *input_path(const struct line_input *input)
{
    return input->replacement ? input->replacement : input->path;
}

/* Call VISIT for each file in the archive PATH with its name and bits, until it returns true. */
static bool visit_members(const char *path,
                          bool (*visit)(const struct archive_member *member, unsigned found,
                                        char *file, void *data),
                          void *data)
{
    struct stat status;
    struct archive archive;
    struct archive_member member;
    bool answer = false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *image = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &status) == 0)
        image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (image == MAP_FAILED)
        return false;
    archive_open(&archive, image, (size_t)status.st_size);
    while (!answer && archive_next(&archive, &member) == 1) {
        if (member.kind != MEMBER_FILE)
            continue;
        char *file = archive.is_thin ? archive_member_path(path, &member) : NULL;
        answer = visit(&member, file ? scan_file(file) : scan_object(member.data, member.size),
                       file, data);
    }
    munmap(image, (size_t)status.st_size);
    return answer;
}

/* lld shows the last part of a member's name. */
static bool is_bitcode_named(const struct archive_member *member, unsigned found, char *file,
                             void *data)
{
    const struct slice *wanted = data;
    const char *slash = memrchr(member->name.text, '/', member->name.length);
    size_t skipped = slash ? (size_t)(slash + 1 - member->name.text) : 0;
    free(file);
    return (found & SCAN_BITCODE) && member->name.length - skipped == wanted->length &&
           !memcmp(member->name.text + skipped, wanted->text, wanted->length);
}

/* The input that the linker calls by the LENGTH bytes at NAME. */
static const struct line_input *find_input(const struct line *line, const char *name, size_t length)
{
    for (size_t i = 0; i < line->input_count; i++) {
        const struct line_input *input = &line->inputs[i];
        const char *path = input_path(input);
        if (path && strlen(path) == length && !strncmp(path, name, length))
            return input;
    }
    return NULL;
}

/* Is NAME, "file" or "archive(member)", bitcode? */
static bool names_bitcode(const struct line *line, const char *name)
{
    const struct line_input *input = find_input(line, name, strlen(name));
    if (input)
        return is_bitcode(input);
    const char *member = strrchr(name, '(');
    input = member ? find_input(line, name, (size_t)(member - name)) : NULL;
    if (!input || !is_bitcode(input))
        return false;
    struct slice wanted = {member + 1, strcspn(member + 1, ")")};
    return visit_members(input_path(input), is_bitcode_named, &wanted);
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Symbols for which bitcode made the first link take a native member out of an archive. */
static void read_extractions(const struct line *line, struct words *symbols)
{
    char *path = kept("why"), *text = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "re");
    while (file && getline(&text, &capacity, file) > 0) {
        char *rest = text, *reference = strsep(&rest, "\t"), *extracted = strsep(&rest, "\t");
        if (!rest || !names_bitcode(line, reference) || names_bitcode(line, extracted))
            continue;
        words_add(symbols, memory_format("%.*s", (int)strcspn(rest, "\n"), rest));
    }
    if (file)
        fclose(file);
    free(text);
    free(path);
    if (symbols->count)
        qsort(symbols->list, symbols->count, sizeof *symbols->list, compare_names);
}

/* An object with SYMBOLS undefined; they may be none. */
static int write_references(const char *path, const struct words *symbols)
{
    struct object object;
    struct output output = {.fd = -1};
    object_create(&object, path);
    for (size_t i = 0; i < symbols->count; i++)
        if (i == 0 || strcmp(symbols->list[i], symbols->list[i - 1]) != 0)
            image_add_symbol(&object, symbols->list[i], STB_GLOBAL, STT_NOTYPE, STV_DEFAULT,
                             SHN_UNDEF, 0, 0);
    image_add_section(&object, ".note.GNU-stack", SHT_PROGBITS, 0, 1, 0);
    int result = -1;
    if (reindex(&object) == 0 && output_open(&output, path, object.mode) == 0 &&
        writer_write(&object, &output) == 0)
        result = output_commit(&output);
    output_abandon(&output);
    object_close(&object);
    return result;
}

/* ---- the second link ---- */

static bool has_whole_archives(const struct line *line)
{
    for (size_t i = 1; i < line->words.count; i++)
        if (!strcmp(line->words.list[i] + strspn(line->words.list[i], "-"), "whole-archive"))
            return true;
    return false;
}

struct replacing {
    const char *empty;
    struct words members; /* for archive_write() */
};

static bool replace_member(const struct archive_member *member, unsigned found, char *file,
                           void *data)
{
    struct replacing *replacing = data;
    (void)member;
    /* A thin archive needs a name for each member, from another directory. */
    char *kept_name = file ? realpath(file, NULL) : NULL;
    words_add(&replacing->members,
              found & SCAN_BITCODE ? memory_format("%s", replacing->empty) : kept_name);
    free(file);
    return false;
}

/* Let the archive INPUT hold EMPTY in the place of each member that is bitcode. */
static int empty_members(struct line_input *input, const char *empty)
{
    struct replacing replacing = {.empty = empty};
    const char *path = input_path(input);
    char *output = place_for(input->path);
    if (!output)
        return -1;
    visit_members(path, replace_member, &replacing);
    int result = archive_write(path, (const char *const *)replacing.members.list, output);
    input->replacement = output;
    free(replacing.members.list);
    return result;
}

static int empty_archives(struct line *line, const char *empty)
{
    if (!has_whole_archives(line))
        return 0;
    for (size_t i = 0; i < line->input_count; i++)
        if (is_bitcode(&line->inputs[i]) && (line->inputs[i].found & SCAN_ARCHIVE) &&
            empty_members(&line->inputs[i], empty) != 0)
            return -1;
    return 0;
}

/* OBJECTS in front of the first bitcode, and no loose bitcode at all. */
static void replace_bitcode(struct line *line, const struct words *objects)
{
    bool is_first = true;
    for (size_t i = 0; i < line->input_count;) {
        struct line_input *input = &line->inputs[i];
        if (is_bitcode(input) && is_first) {
            line_insert(line, input->word, objects->list, objects->count);
            is_first = false;
        }
        if (is_bitcode(input) && !(input->found & SCAN_ARCHIVE))
            line_remove_input(line, i);
        else
            i++;
    }
}

static int prepare_second(struct line *line, struct natives *natives)
{
    struct words symbols = {0}, none = {0};
    char *references = kept("references.o"), *empty = kept("empty.o");
    int result = process_natives(natives);
    if (result != 0)
        return result;
    read_extractions(line, &symbols);
    if (write_references(references, &symbols) != 0 || write_references(empty, &none) != 0 ||
        empty_archives(line, empty) != 0)
        return STATUS_FAILED;
    words_add(&natives->outputs, references);
    replace_bitcode(line, &natives->outputs);
    return 0;
}

int lto_link_first(struct line *line, const char *linker, char **argv, bool *is_done)
{
    struct natives natives = {0};
    int status = run_first(linker, argv);
    *is_done = true;
    if (status < 0)
        return status;
    bool has_probes = find_natives(&natives);
    enum said worst = pass_on("stderr", is_none);
    /* Nothing was made, or something went wrong that another link would not say again. */
    if (natives.inputs.count == 0 || worst == SAID_ERROR || (status == 0 && !has_probes)) {
        pass_on("stdout", is_any);
        pass_on("stderr", is_any);
        for (size_t i = 0; i < line->reports.count; i++)
            if (output_restore_names(line->reports.list[i]) != 0 && status == 0)
                return STATUS_FAILED;
        return status;
    }
    pass_on("stderr", is_warning);
    *is_done = false;
    return prepare_second(line, &natives);
}
