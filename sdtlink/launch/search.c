/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which file is -lfoo? The first directory of -L that has libfoo.so or libfoo.a, the former only if
 * a shared library will do; -l:foo is a file of that very name. Every -L counts, also those after
 * the -l. A file for another machine is passed over, as bfd and gold do it: with -m32 and without,
 * the same directories are on the line.
 *
 * Drivers name every directory by -L. GNU ld and gold have a list of their own besides, which
 * matters when the linker is run by hand. GNU ld prints its list (--verbose); for gold the usual
 * list is assumed. lld and mold have none.
 */
#include "search.h"

#include "scan.h"

#include <arch/tool_arch.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    const char *path;
    bool has_machine; /* in it, the directory of the machine's libraries is meant */
} usual[] = {
    {"=/usr/local/lib", true},    {"=/lib", true},    {"=/usr/lib", true},
    {"=/usr/local/lib64", false}, {"=/lib64", false}, {"=/usr/lib64", false},
    {"=/usr/local/lib", false},   {"=/lib", false},   {"=/usr/lib", false},
};

/* The file if it is there and for our machine. */
static char *try_file(const struct line *line, const char *directory, const char *before,
                      const char *name, const char *after)
{
    static const char variable[] = "$SYSROOT";
    const char *root = "";
    if (directory[0] == '=') {
        root = line->sysroot ? line->sysroot : "";
        directory++;
    } else if (!strncmp(directory, variable, sizeof variable - 1)) {
        root = line->sysroot ? line->sysroot : "";
        directory += sizeof variable - 1;
    }
    char *path = memory_format("%s%s/%s%s%s", root, directory, before, name, after);
    struct stat status;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && !scan_is_foreign(line->arch, path))
        return path;
    free(path);
    return NULL;
}

static char *try_directory(const struct line *line, const char *directory, const char *name,
                           bool is_static)
{
    if (name[0] == ':')
        return try_file(line, directory, "", name + 1, "");
    char *found = is_static ? NULL : try_file(line, directory, "lib", name, ".so");
    return found ? found : try_file(line, directory, "lib", name, ".a");
}

/* SEARCH_DIR("=/usr/lib"); several in a line. */
static void read_directories(FILE *script, struct words *directories)
{
    static const char start[] = "SEARCH_DIR(\"";
    char *text = NULL;
    size_t capacity = 0;
    while (getline(&text, &capacity, script) > 0)
        for (char *at = text; (at = strstr(at, start)) != NULL;) {
            at += sizeof start - 1;
            words_add(directories, words_keep(memory_format("%.*s", (int)strcspn(at, "\""), at)));
        }
    free(text);
}

/* What the linker prints under OPTION goes through READ. */
static void ask_linker(const struct line *line, const char *option,
                       void (*read)(FILE *answer, struct words *to), struct words *to)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl(line->linker, line->linker, option, line->emulation ? "-m" : NULL, line->emulation,
              NULL);
        _exit(EXIT_FAILURE);
    }
    close(ends[1]);
    FILE *answer = fdopen(ends[0], "r");
    if (child > 0 && answer)
        read(answer, to);
    if (answer)
        fclose(answer);
    else
        close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
}

/* "mold 2.37.1 (compatible with GNU ld)" */
static void read_version(FILE *answer, struct words *version)
{
    char *text = NULL;
    size_t capacity = 0;
    if (getline(&text, &capacity, answer) > 0 && strncmp(text, "mold ", 5) == 0)
        words_add(version, words_keep(memory_format("%s", text + 5)));
    free(text);
}

/* Seen in 2.37, not in 1.10; what is between goes by the major version. */
static bool is_mold_2(const struct line *line)
{
    static struct words version;
    if (!version.count)
        ask_linker(line, "--version", read_version, &version);
    return version.count && strtol(version.list[0], NULL, 10) >= 2;
}

/* The linker's own directories, once they are needed. */
static const struct words *own_directories(const struct line *line)
{
    static struct words directories;
    bool has_list = line->flavour == FLAVOUR_BFD || line->flavour == FLAVOUR_UNKNOWN ||
                    line->flavour == FLAVOUR_GOLD;
    if (directories.count || !has_list || !line->has_default_directories)
        return &directories;
    if (line->flavour == FLAVOUR_BFD)
        ask_linker(line, "--verbose", read_directories, &directories);
    if (!directories.count) {
        for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
            const char *machine = usual[i].has_machine ? line->arch->multiarch : "";
            words_add(&directories, words_keep(memory_format("%s%s%s", usual[i].path,
                                                             *machine ? "/" : "", machine)));
        }
    }
    return &directories;
}

static char *search_in(const struct line *line, const struct words *directories, const char *name,
                       bool is_static)
{
    char *found = NULL;
    for (size_t i = 0; i < directories->count && !found; i++)
        found = try_directory(line, directories->list[i], name, is_static);
    return found;
}

char *search_library(const struct line *line, const char *name, bool is_static)
{
    is_static |= line->is_relocatable;
    char *found = search_in(line, &line->directories, name, is_static);
    return found ? found : search_in(line, own_directories(line), name, is_static);
}

/* PATH if it is a file; else it is freed. */
static char *if_file(char *path)
{
    struct stat status;
    if (path && stat(path, &status) == 0 && S_ISREG(status.st_mode))
        return path;
    free(path);
    return NULL;
}

static bool is_below_sysroot(const struct line *line, const char *path)
{
    char *root = line->sysroot ? realpath(line->sysroot, NULL) : NULL;
    char *real = root ? realpath(path, NULL) : NULL;
    size_t length = root ? strlen(root) : 0;
    bool result = real && !strncmp(real, root, length) && real[length] == '/';
    free(root);
    free(real);
    return result;
}

/*
 * Beside the script: gold, lld and mold 2 look there first, GNU ld at last, mold 1 never. The
 * others look in the current directory, and then along -L.
 */
static char *search_relative(const struct line *line, const char *script, const char *name,
                             bool *is_moved)
{
    bool is_first = line->flavour != FLAVOUR_BFD && line->flavour != FLAVOUR_UNKNOWN;
    const char *slash = script ? strrchr(script, '/') : NULL;
    char *beside = NULL, *found = NULL;
    if (slash)
        beside = if_file(memory_format("%.*s/%s", (int)(slash - script), script, name));
    if (beside && line->flavour == FLAVOUR_MOLD && !is_mold_2(line)) {
        free(beside);
        beside = NULL;
    }
    if (!beside || !is_first) {
        char *exact = memory_format(":%s", name);
        found = if_file(memory_format("%s", name));
        found = found ? found : search_library(line, exact, false);
        free(exact);
    }
    bool is_beside = !found && beside;
    /* gold looks in the current directory only for the sake of scripts that are there. */
    *is_moved = is_beside || (script && found && line->flavour == FLAVOUR_GOLD);
    if (is_beside)
        return beside;
    free(beside);
    return found;
}

char *search_named(const struct line *line, const char *script, const char *name, bool is_static,
                   bool *is_moved)
{
    const char *root = line->sysroot ? line->sysroot : "";
    *is_moved = false;
    if (!strncmp(name, "-l", 2))
        return search_library(line, name + 2, is_static);
    if (name[0] == '=')
        return if_file(memory_format("%s%s", root, name + 1));
    if (name[0] != '/')
        return search_relative(line, script, name, is_moved);
    if (script && is_below_sysroot(line, script)) {
        char *inside = if_file(memory_format("%s%s", root, name));
        *is_moved = inside != NULL;
        if (inside)
            return inside;
    }
    return if_file(memory_format("%s", name));
}

void search_libraries(struct line *line)
{
    for (size_t i = 0; i < line->input_count; i++) {
        struct line_input *input = &line->inputs[i];
        bool is_moved;
        if (input->option) /* -T also finds its script in directories of -L */
            input->path = words_keep(search_named(line, NULL, input->path, true, &is_moved));
        if (input->is_library)
            input->path = words_keep(
                search_library(line, line->words.list[input->word] + 2, input->is_static));
    }
}
