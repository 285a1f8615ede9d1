/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What does a command do? Wrong guesses differ in their cost. Adding -B to a command that does not
 * link only changes what `gcc -###` prints; a link mistaken for something else fails with undefined
 * probes. So a compiler driver is taken to link unless an option says otherwise.
 */
#include "command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(word, *list))
            return true;
    return false;
}

/* Does NAME[0..length) end in ENDING, at its start or after a hyphen (x86_64-linux-gnu-gcc)? */
static bool has_ending(const char *name, size_t length, const char *ending)
{
    size_t tail = strlen(ending);
    return length >= tail && !memcmp(name + length - tail, ending, tail) &&
           (length == tail || name[length - tail - 1] == '-');
}

/* gcc, g++-12, x86_64-linux-gnu-gcc-12.2, clang-16, mpicc */
static bool is_driver(const char *path)
{
    static const char *const drivers[] = {"gcc",      "g++", "cc",    "c++",    "clang",  "clang++",
                                          "c89",      "c99", "mpicc", "mpicxx", "mpic++", "mpiCC",
                                          "gfortran", "gdc", "icx",   "icpx",   NULL};
    const char *name = basename(path);
    size_t length = strlen(name), end = length;
    while (end > 0 && (isdigit((unsigned char)name[end - 1]) || name[end - 1] == '.'))
        end--;
    if (end < length && end > 0 && name[end - 1] == '-')
        length = end - 1;
    for (const char *const *driver = drivers; *driver; driver++)
        if (has_ending(name, length, *driver))
            return true;
    return false;
}

static bool is_linker(const char *path)
{
    static const char *const linkers[] = {"ld", "gold", "lld", "mold", NULL};
    const char *name = basename(path);
    if (!strncmp(name, "ld.", 3))
        return strcmp(name, "ld.so") != 0;
    for (const char *const *linker = linkers; *linker; linker++) {
        size_t length = strlen(name), tail = strlen(*linker);
        if (has_ending(name, length, *linker))
            return true;
        /* x86_64-linux-gnu-ld.bfd, lld-16 */
        const char *found = strstr(name, *linker);
        if (found && (found == name || found[-1] == '-') &&
            (found[tail] == '.' || (found[tail] == '-' && isdigit((unsigned char)found[tail + 1]))))
            return true;
    }
    return false;
}

bool command_is_known(const char *program)
{
    return is_driver(program) || is_linker(program);
}

bool command_takes_value(const char *option)
{
    static const char *const options[] = {"-o",
                                          "-x",
                                          "-I",
                                          "-D",
                                          "-U",
                                          "-L",
                                          "-l",
                                          "-B",
                                          "-T",
                                          "-u",
                                          "-z",
                                          "-e",
                                          "-A",
                                          "-MF",
                                          "-MT",
                                          "-MQ",
                                          "-MJ",
                                          "-include",
                                          "-imacros",
                                          "-isystem",
                                          "-idirafter",
                                          "-iquote",
                                          "-iprefix",
                                          "-iwithprefix",
                                          "-isysroot",
                                          "-imultilib",
                                          "-Xlinker",
                                          "-Xassembler",
                                          "-Xclang",
                                          "-Xpreprocessor",
                                          "-Xanalyzer",
                                          "-mllvm",
                                          "-target",
                                          "--param",
                                          "-wrapper",
                                          "-aux-info",
                                          "-dumpbase",
                                          "-dumpdir",
                                          "-dumpbase-ext",
                                          "-arch",
                                          "-include-pch",
                                          "--output",
                                          "--sysroot",
                                          "-h",
                                          "--serialize-diagnostics",
                                          "-working-directory",
                                          NULL};
    return is_one_of(option, options);
}

/* Options after which a driver compiles no further, or says something instead of working. */
static bool stops_before_linking(const char *option)
{
    static const char *const exact[] = {"-c",
                                        "-S",
                                        "-E",
                                        "-M",
                                        "-MM",
                                        "-fsyntax-only",
                                        "--version",
                                        "-cc1",
                                        "-cc1as",
                                        "-###",
                                        "-V",
                                        "--precompile",
                                        "-emit-ast",
                                        "--analyze",
                                        "--compile",
                                        "--assemble",
                                        "--preprocess",
                                        "-emit-llvm",
                                        "--help",
                                        "--target-help",
                                        "-dumpversion",
                                        "-dumpmachine",
                                        "-dumpfullversion",
                                        "-dumpspecs",
                                        NULL};
    return is_one_of(option, exact) || !strncmp(option, "-print-", 7) ||
           !strncmp(option, "--print-", 8) || !strncmp(option, "--help=", 7);
}

static void read_arguments(struct command *command, struct words *words, size_t first)
{
    bool stops = false, compiles = false, earlier = false, is_request = false;
    for (size_t i = first; i < words->count; i++) {
        char *word = words->list[i];
        if (word[0] != '-' || !word[1]) {
            words_add(&command->operands, word);
        } else if (command_takes_value(word)) {
            if ((!strcmp(word, "-o") || !strcmp(word, "--output")) && i + 1 < words->count)
                command->output = words->list[i + 1];
            i++;
        } else if (!strncmp(word, "-o", 2)) {
            command->output = word + 2;
        } else if (stops_before_linking(word)) {
            stops = true;
            compiles |= !strcmp(word, "-c") || !strcmp(word, "--compile");
            earlier |= strcmp(word, "-c") != 0 && strcmp(word, "--compile") != 0;
        } else {
            /* What the linker alone answers, such as -Wl,--version. */
            is_request |= !strncmp(word, "-Wl,", 4) || !strncmp(word, "-l", 2);
        }
    }
    command->kind = stops ? COMMAND_COMPILE : COMMAND_LINK;
    command->writes_objects = compiles && !earlier;
    if (command->operands.count == 0 && !is_request)
        command->kind = COMMAND_COMPILE;
}

void command_read(struct command *command, char **argv)
{
    *command = (struct command){.kind = COMMAND_OTHER};
    if (is_linker(argv[0])) {
        command->kind = COMMAND_LINKER;
        return;
    }
    /* After whatever runs the rest of its command line: ccache, env A=b, a user's script. */
    size_t i = 0;
    while (argv[i] && !is_driver(argv[i]))
        i++;
    if (!argv[i])
        return;
    command->driver = i;
    struct words words = {0};
    words_expand(&words, argv);
    read_arguments(command, &words, i + 1);
    free(words.list);
}

void command_free(struct command *command)
{
    free(command->operands.list);
    *command = (struct command){0};
}
