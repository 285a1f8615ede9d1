/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which runtime a link gets, once.
 *
 * A process needs one. An executable contains it (libsdt.a), unless something else in its link
 * brings libsdt.so; a shared library needs libsdt.so. If a process has two nevertheless, they
 * cooperate; but a self-contained executable runs without an installed library.
 *
 * Processed objects refer to the runtime weakly. A weak reference does not pull a member out of
 * libsdt.a, hence -u, and does not make a linker keep libsdt.so under --as-needed, hence the
 * bracket.
 */
#include "runtime.h"

#include "base/diag.h"
#include "find.h"
#include "libraries.h"
#include "runtime_machine.h"
#include "scan.h"
#include "search.h"

#include <arch/machines.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char shared_name[] = "libsdt.so", static_name[] = "libsdt.a";

static bool is_runtime(const struct line_input *input, const void *data)
{
    (void)data;
    return input->found & SCAN_RUNTIME;
}

/* The runtime that the line or one of its scripts names already; NULL: none. */
static const struct line_input *find_given(const struct line *line)
{
    return line_find(line, is_runtime, NULL);
}

/* Does a library of the link need libsdt.so? One that cannot be read ends the search as well. */
static bool needs_runtime(const struct line_input *input, const void *data)
{
    bool needs = false;
    (void)data;
    errno = 0;
    if ((input->found & SCAN_SHARED) && !libraries_is_compilers(input->path))
        errno = scan_needs_runtime(input->path, &needs);
    return needs || errno != 0;
}

static int wants_shared(const struct launcher_options *launch, const struct line *line,
                        bool *answer)
{
    *answer = launch->runtime == RUNTIME_AUTO ? line->is_shared : launch->runtime == RUNTIME_SHARED;
    if (*answer || launch->runtime != RUNTIME_AUTO || line->is_static)
        return 0;
    const struct line_input *found = line_find(line, needs_runtime, NULL);
    *answer = found != NULL;
    return found && errno ? diag_errno("cannot read %s", found->path) : 0;
}

/* That of this machine is where the tool was built or installed; others have directories below. */
static char *find_runtime(const struct launcher_options *launch, const struct line *line,
                          const char *name)
{
    bool is_usual = line->arch == tool_arch_usual();
    char *built = memory_format("../runtime/%s", name);
    char *installed = memory_format("../%s%s%s/%s", SDTLINK_LIBDIR, is_usual ? "" : "/",
                                    is_usual ? "" : line->arch->multiarch, name);
    const char *places[] = {is_usual ? built : installed, installed, NULL};
    char *found;
    if (launch->runtime_directory) {
        char *path = memory_format("%s/%s", launch->runtime_directory, name);
        found = realpath(path, NULL);
        free(path);
    } else {
        found = find_part(places);
    }
    free(built);
    free(installed);
    return words_keep(found);
}

static int refuse_missing(const struct line *line, const char *name)
{
    char *which = line->arch == tool_arch_usual()
                      ? memory_format("%s", name)
                      : memory_format("%s for %s", name, line->arch->name);
    diag_error(
        "%s is not installed with this sdtlink, and the link holds probes: install it, name its "
        "directory with --runtime-directory=DIR, or link without a runtime (--runtime=none)",
        which);
    free(which);
    return -1;
}

/* Directories in which every dynamic linker looks. */
static bool is_system_directory(const char *multiarch, const char *path, size_t length)
{
    static const char *const plain[] = {"/lib64", "/usr/lib64"};
    static const char *const bases[] = {"/lib", "/usr/lib", "/usr/local/lib"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strlen(plain[i]) == length && !strncmp(plain[i], path, length))
            return true;
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        size_t base = strlen(bases[i]);
        if (length < base || strncmp(bases[i], path, base) != 0)
            continue;
        if (length == base || (length == base + 1 + strlen(multiarch) && path[base] == '/' &&
                               !strncmp(path + base + 1, multiarch, strlen(multiarch))))
            return true;
    }
    return false;
}

static void add_run_path(const struct line *line, struct words *words, const char *path)
{
    size_t directory = (size_t)(strrchr(path, '/') - path);
    if (is_system_directory(line->arch->multiarch, path, directory))
        return;
    words_add(words, "-rpath");
    words_add(words, words_keep(memory_format("%.*s", (int)directory, path)));
}

static void add_shared(const struct line *line, struct words *words, char *path, bool with_path)
{
    words_add(words, "--push-state");
    words_add(words, "--no-as-needed");
    words_add(words, path);
    words_add(words, "--pop-state");
    if (with_path)
        add_run_path(line, words, path);
}

/*
 * An archive, with what it needs and would not find after it. A shared library must not export it.
 */
static void add_archive(const struct line *line, struct words *words, char *path)
{
    struct words missing = {0};
    libraries_add_missing(line, &missing);
    words_add(words, "--push-state");
    words_add(words, "--no-whole-archive");
    if (missing.count)
        words_add(words, "--start-group");
    words_add(words, path);
    for (size_t i = 0; i < missing.count; i++)
        words_add(words, missing.list[i]);
    if (missing.count)
        words_add(words, "--end-group");
    words_add(words, "--pop-state");
    if (line->is_shared) {
        words_add(words, "--exclude-libs");
        words_add(words, "libsdt.a");
    }
    words_free(&missing);
}

static bool names_files_late(const struct line_input *input, const void *data)
{
    (void)data;
    return input->option && input->script && input->script->count;
}

static bool calls_api(const struct line_input *input, const void *data)
{
    (void)data;
    return input->found & SCAN_API;
}

/*
 * GNU ld reads the files that the script of an option names after all others: what they call is no
 * longer looked for in an archive. Most functions come with the registration, but not those by
 * which the library knows what a program means to do (docs/decisions/0050).
 */
static void request_functions(const struct line *line, struct words *words)
{
    static char *const functions[] = {"sdt_enable", "sdt_record_create"};
    if (!line_find(line, names_files_late, NULL) || !line_find(line, calls_api, NULL))
        return;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        words_add(words, "-u");
        words_add(words, functions[i]);
    }
}

static void add_static(const struct line *line, struct words *words, char *path)
{
    words_add(words, "-u");
    words_add(words, "__sdt_register");
    request_functions(line, words);
    if (path)
        add_archive(line, words, path);
}

int runtime_choose(const struct launcher_options *launch, const struct line *line,
                   struct words *words)
{
    const struct line_input *given = find_given(line);
    if (launch->runtime == RUNTIME_NONE || line->is_relocatable)
        return 0;
    if (given && runtime_check_machine(given->path, line->arch) != 0)
        return -1;
    if (given && !(given->found & SCAN_SHARED)) {
        add_static(line, words, NULL);
        return 0;
    }
    if (given) {
        add_shared(line, words, given->path, false);
        return 0;
    }
    if (launch->runtime == RUNTIME_AUTO && !libraries_has_c(line)) {
        diag_warn(&(struct diag_place){.file = line->output},
                  "no runtime added: the link names no C library; its probes stay off",
                  "--runtime=static adds it, --runtime=none says that none is wanted");
        return 0;
    }
    bool is_shared;
    if (wants_shared(launch, line, &is_shared) != 0)
        return -1;
    const char *name = is_shared ? shared_name : static_name;
    char *path = find_runtime(launch, line, name);
    if (!path)
        return refuse_missing(line, name);
    if (runtime_check_machine(path, line->arch) != 0)
        return -1;
    diag_detail("runtime added: %s", path);
    if (is_shared)
        add_shared(line, words, path, true);
    else
        add_static(line, words, path);
    return 0;
}

/*
 * Without -u, and with --as-needed: if nothing is undefined after the line's own inputs, the link
 * comes out as it would have without these words. A run path would stay: so a shared library that
 * defines such functions gets nothing.
 */
int runtime_offer(const struct launcher_options *launch, const struct line *line, unsigned found,
                  struct words *words)
{
    bool is_shared;
    if (launch->runtime == RUNTIME_NONE || line->is_relocatable || !libraries_has_c(line) ||
        find_given(line))
        return 0;
    if (wants_shared(launch, line, &is_shared) != 0)
        return -1;
    const char *name = is_shared ? shared_name : static_name;
    char *path = find_runtime(launch, line, name);
    if (!path)
        diag_detail("no runtime offered: %s is not installed with this sdtlink", name);
    if (!path || (is_shared && (found & SCAN_OWN_API)))
        return 0;
    diag_detail("runtime offered: %s", path);
    if (!is_shared) {
        add_archive(line, words, path);
        return 0;
    }
    words_add(words, "--push-state");
    words_add(words, "--as-needed");
    words_add(words, path);
    words_add(words, "--pop-state");
    add_run_path(line, words, path);
    return 0;
}
