/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is sdtlink to be? The first line that holds decides:
 *
 *   its name is a linker's (ld, ld.lld)           that linker (launch.h)
 *   its name is sdtlink- and a program's          the launcher of that program: sdtlink-gcc a.c
 *   first options that the launcher has, and one  the launcher: sdtlink --at-compile cc -c a.c
 *   of them it alone, or a program after them                   sdtlink -q cc a.c
 *   other options, or no word at all              the processor of an object: sdtlink -o OUT IN
 *   the name of a command                         that command: sdtlink list FILE
 *   anything else                                 the launcher of a program: sdtlink cc a.c
 */
#include "base/diag.h"
#include "base/output.h"
#include "base/status.h"
#include "commands.h"
#include "elf/collect.h"
#include "finalize/finalize.h"
#include "launch/launch.h"
#include "launch/launcher_options.h"
#include "process.h"

#include <stdio.h>
#include <string.h>

static int process_main(int argc, char **argv)
{
    struct options options;
    switch (options_parse(&options, argc, argv)) {
    case OPTIONS_RUN:
        return process_object(&options);
    case OPTIONS_DONE:
        return STATUS_DONE;
    default:
        return STATUS_USAGE;
    }
}

/* For the linker plugin: `sdtlink --collect-names FILE OBJECT...`. */
static int collect_main(int argc, char **argv)
{
    if (argc < 2) {
        diag_error("--collect-names needs a file, and objects");
        return STATUS_USAGE;
    }
    return collect_names(argv[1], (const char *const *)argv + 2, (size_t)argc - 2) == 0
               ? STATUS_DONE
               : STATUS_FAILED;
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"list", list_command},
    {"verify", verify_command},
    {"finalize", finalize_main},
    {"--collect-names", collect_main},
};

int main(int argc, char **argv)
{
    output_guard_streams();
    output_guard_reading();
    if (launch_is_linker_name(argv[0]))
        return output_flush(launch_linker_main(argc, argv));
    char *program = launch_program_of_name(argv[0]);
    if (program)
        return output_flush(launch_program(program, argv));
    if (is_launch_line(argc, argv))
        return output_flush(launch_main(argc, argv));
    if (launch_is_nameless(argv + 1))
        return launch_refuse_nameless();
    int (*run)(int argc, char **argv) = NULL;
    for (size_t i = 0; argc > 1 && !run && i < sizeof commands / sizeof commands[0]; i++)
        if (!strcmp(argv[1], commands[i].name)) {
            run = commands[i].run;
            argc--;
            argv++;
        }
    if (!run && (argc < 2 || argv[1][0] == '-'))
        run = process_main;
    if (!run)
        return output_flush(launch_main(argc, argv));
    return output_flush(options_are_printable(argv) ? run(argc, argv) : STATUS_USAGE);
}
