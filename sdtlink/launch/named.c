/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A compiler in one word. `sdtlink gcc` is two, and many tools take one: rustc -C linker=, gnatmake
 * --GCC=, CMAKE_C_COMPILER, Go's tests of flags, a path in Bazel. So sdtlink under the name
 * sdtlink-gcc is `sdtlink gcc`: what follows the prefix is the program, which is looked for along
 * PATH. The usual names are installed as symbolic links, and users may make others. One of them,
 * sdtlink-linker, leaves the choice of the compiler to the environment.
 *
 * Started as sdtlink, with a compiler's words and no name, it says so instead of complaining about
 * the first option that it does not know.
 */
#include "command.h"
#include "launch.h"
#include "launcher_options.h"

#include "base/diag.h"
#include "base/status.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *launch_program_of_name(char *name)
{
    static const char prefix[] = "sdtlink-";
    char *base = basename(name);
    if (strncmp(base, prefix, sizeof prefix - 1) != 0)
        return NULL;
    char *program = base + sizeof prefix - 1;
    return isalpha((unsigned char)program[0]) ? program : NULL;
}

/* sdtlink-linker again would run itself for ever. */
char *launch_program_chosen(char *program)
{
    static char usual[] = "cc";
    if (strcmp(program, "linker") != 0)
        return program;
    char *chosen = getenv("SDTLINK_CC");
    if (!chosen || !*chosen)
        return usual;
    if (!strncmp(basename(chosen), "sdtlink", 7))
        diag_error("SDTLINK_CC: '%s' is sdtlink itself; name the compiler that it stands before",
                   chosen);
    else if (!command_is_known(chosen))
        diag_error("SDTLINK_CC: '%s' does not have the name of a compiler, such as gcc, clang-16 "
                   "or my-cc; nothing would be done for its links",
                   chosen);
    else
        return chosen;
    return NULL;
}

/* An option that sdtlink does not have, and that only a compiler or linker may: -c, -m64, -Wl,… */
static bool is_compilers(const char *word)
{
    return word[0] == '-' && isalpha((unsigned char)word[1]) && !strchr("ovqhV", word[1]);
}

bool launch_is_nameless(char **argv)
{
    struct words words = {0};
    bool is_nameless = false;
    /* Whatever follows a name is another program's. */
    if (argv[0] && (argv[0][0] == '-' || argv[0][0] == '@' || launcher_options_is_object(argv[0])))
        words_expand(&words, argv);
    for (size_t i = 0; i < words.count && !is_nameless && strcmp(words.list[i], "--") != 0; i++) {
        is_nameless = is_compilers(words.list[i]);
        i += !strcmp(words.list[i], "-o");
    }
    free(words.list);
    return is_nameless;
}

int launch_refuse_nameless(void)
{
    diag_error("these are words for a compiler or linker, without its name: write 'sdtlink cc …', "
               "or, where one word is wanted, sdtlink-cc, sdtlink-gcc, sdtlink-clang or another "
               "name of that kind");
    fputs("Try 'sdtlink --help'.\n", stderr);
    return STATUS_USAGE;
}
