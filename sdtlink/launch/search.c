/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which file is -lfoo? The first directory of -L that has libfoo.so or libfoo.a, the former only if
 * a shared library will do; -l:foo is a file of that very name. All of -L counts, also what comes
 * behind the -l. A file for another machine is passed over, as bfd and gold do it: with -m32 and
 * without, the same directories are on the line.
 *
 * Drivers name every directory by -L. Linkers have a list of their own besides, which matters when
 * the linker is run by hand; GNU ld's is used here as far as it is the usual one.
 */
#include "search.h"

#include "scan.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const defaults[] = {"=/usr/local/lib/x86_64-linux-gnu",
                                       "=/lib/x86_64-linux-gnu",
                                       "=/usr/lib/x86_64-linux-gnu",
                                       "=/usr/local/lib64",
                                       "=/lib64",
                                       "=/usr/lib64",
                                       "=/usr/local/lib",
                                       "=/lib",
                                       "=/usr/lib"};

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
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && !scan_is_foreign(path))
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

char *search_library(const struct line *line, const char *name, bool is_static)
{
    is_static |= line->is_relocatable;
    for (size_t i = 0; i < line->directories.count; i++) {
        char *found = try_directory(line, line->directories.list[i], name, is_static);
        if (found)
            return found;
    }
    bool has_own_list = line->flavour == FLAVOUR_BFD || line->flavour == FLAVOUR_UNKNOWN ||
                        line->flavour == FLAVOUR_GOLD;
    for (size_t i = 0;
         has_own_list && line->has_default_directories && i < sizeof defaults / sizeof *defaults;
         i++) {
        char *found = try_directory(line, defaults[i], name, is_static);
        if (found)
            return found;
    }
    return NULL;
}

void search_libraries(struct line *line)
{
    for (size_t i = 0; i < line->input_count; i++) {
        struct line_input *input = &line->inputs[i];
        if (input->is_library)
            input->path = words_keep(
                search_library(line, line->words.list[input->word] + 2, input->is_static));
    }
}
