/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which options make a compiler call something at the entry and the end of each function
 * (probes/instrumented.h has the names; docs/decisions/0060-every-function-is-a-probe.md compares
 * the ways):
 *
 *   gcc     -pg -mfentry -minstrument-return=call: a call as the first instruction, and one before
 *           each return. Nothing else changes.
 *   clang   -fxray-instrument: NOPs in the same places
 *
 * On machines where they do not have these:
 *
 *   gcc     -finstrument-functions: calls with arguments, also in what is inlined
 *   clang   -finstrument-functions-after-inlining: the same, and not in that
 *
 * A gcc driver that is told -pg links a start-up file of its own, which profiles the program. So
 * only the compiler proper is told, where -pg is -p: by a spec, in a file in memory that the driver
 * inherits, and the drivers that link-time optimisation starts.
 */
#include "functions.h"

#include "base/diag.h"

#include <arch/machines.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * An option that names a file which says OPTIONS; NULL: it cannot be made, and said so. The file is
 * always of the same time, by which ccache knows it again.
 */
static char *make_specs(const char *options)
{
    static const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    char *text = memory_format("*cc1_options:\n+ %s\n", options);
    int fd = memfd_create("functions.specs", 0);
    ssize_t size = (ssize_t)strlen(text);
    bool is_written = fd >= 0 && write(fd, text, (size_t)size) == size;
    free(text);
    if (!is_written || futimens(fd, times) != 0) {
        diag_errno("cannot make a file in memory");
        return NULL;
    }
    return words_keep(memory_format("-specs=/proc/self/fd/%d", fd));
}

/* Where NAME, a command, is, without symbolic links; NULL: unknown. */
static char *real_path(const char *name)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/'))
        return realpath(name, NULL);
    while (path && *path) {
        size_t length = strcspn(path, ":");
        char *file = memory_format("%.*s/%s", (int)length, path, name);
        char *real = access(file, X_OK) == 0 ? realpath(file, NULL) : NULL;
        free(file);
        if (real)
            return real;
        path += length + (path[length] != '\0');
    }
    return NULL;
}

/* clang, icx: also if it is called cc. */
static bool is_clang(const char *driver)
{
    char *real = real_path(driver);
    const char *name = basename(driver), *real_name = real ? basename(real) : name;
    bool result = strstr(name, "clang") || strstr(real_name, "clang") ||
                  strncmp(name, "icx", 3) == 0 || strncmp(name, "icpx", 4) == 0;
    free(real);
    return result;
}

/* Functions of any size, and not XRay's own runtime, which the driver would link. */
static const char *const xray[] = {"-fxray-instrument", "-fxray-instruction-threshold=1",
                                   "-fnoxray-link-deps", NULL};
static const char *const after_inlining[] = {"-finstrument-functions-after-inlining", NULL};
static const char *const plain[] = {"-finstrument-functions", NULL};

/* The machine that DRIVER compiles for with the options OPTIONS: the last --target= of clang's. */
static const struct tool_arch *target_of(const char *driver, char **options)
{
    static const char target[] = "--target=";
    const char *name = basename(driver);
    for (; *options; options++)
        if (!strncmp(*options, target, sizeof target - 1))
            name = *options + sizeof target - 1;
        else if (!strcmp(*options, "-target") && options[1])
            name = options[1];
    return tool_arch_of_compiler(name);
}

/* Add to WORDS what DRIVER needs; the user gives it OPTIONS_GIVEN. */
static int add_options(struct words *words, const char *driver, char **options_given)
{
    const struct tool_arch *arch = target_of(driver, options_given);
    bool of_clang = is_clang(driver);
    words_add(words, "-DSDT_FUNCTIONS"); /* <sdt/probe.h>: SDT_FUNCTION */
    if (arch->function_options && !of_clang) {
        char *specs = make_specs(arch->function_options);
        if (!specs)
            return -1;
        words_add(words, specs);
        return 0;
    }
    const char *const *options = !of_clang ? plain : arch->read_sled ? xray : after_inlining;
    for (; *options; options++)
        words_add(words, (char *)(uintptr_t)*options);
    return 0;
}

/* The last word counts. Who builds a part of a program without (libsdt itself) says so by what the
 * compiler knows: gcc the first one, clang the other. */
static bool is_unwanted(char **words)
{
    bool result = false;
    for (; *words; words++)
        if (!strcmp(*words, "-fno-instrument-functions") || !strcmp(*words, "-fno-xray-instrument"))
            result = true;
        else if (!strcmp(*words, "-finstrument-functions") || !strcmp(*words, "-fxray-instrument"))
            result = false;
    return result;
}

char **functions_add_options(const struct command *command, char **argv)
{
    static struct words words;
    if (is_unwanted(argv + command->driver))
        return argv;
    for (size_t i = 0; argv[i]; i++) {
        words_add(&words, argv[i]);
        if (i == command->driver && add_options(&words, argv[i], argv + i + 1) != 0)
            return NULL;
    }
    return words.list;
}
