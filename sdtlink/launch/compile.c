/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compilers with --at-compile: archives come out processed, and the link is an ordinary one.
 *
 * sdtlink comes before everything, also before ccache: the cache stores the compiler's own objects.
 */
#include "compile.h"

#include "in_place.h"

#include <string.h>

/* Where the compiler puts the object of SOURCE when no -o says so; NULL: SOURCE is none. */
static char *derived_name(const char *source)
{
    static const char *const languages[] = {".c",   ".cc", ".cpp", ".cxx", ".c++", ".C",
                                            ".CPP", ".cp", ".i",   ".ii",  ".s",   ".S",
                                            ".sx",  ".m",  ".mm",  ".f90"};
    const char *base = basename(source), *dot = strrchr(base, '.');
    for (size_t i = 0; dot && i < sizeof languages / sizeof *languages; i++)
        if (!strcmp(dot, languages[i]))
            return memory_format("%.*s.o", (int)(dot - base), base);
    return NULL;
}

int compile_and_process(const struct launcher_options *launch, const struct command *command,
                        char **argv)
{
    struct words outputs = {0};
    if (command->output)
        words_add(&outputs, (char *)(uintptr_t)command->output);
    for (size_t i = 0; !command->output && i < command->operands.count; i++) {
        char *path = words_keep(derived_name(command->operands.list[i]));
        if (path)
            words_add(&outputs, path);
    }
    int result = in_place_run(launch, NULL, argv, &outputs);
    words_free(&outputs);
    return result;
}
