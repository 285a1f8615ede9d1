/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt-dtrace: what `dtrace -h` and `dtrace -G` do in the makefiles of programs with static probes.
 *
 * Such a program describes its probes in a provider file:
 *
 *     provider app { probe request__start(int id, char *path); };
 *
 * -h makes a header of it, with a macro for each probe (header.c), -G an object that defines what
 * the header declares (semaphores.c). DTrace's own -G also edits the program's objects, to remove
 * the calls; our macros leave nothing to remove, so the objects are ignored.
 */
#include "base/diag.h"
#include "base/output.h"
#include "describe.h"
#include "header.h"
#include "options.h"
#include "provider.h"
#include "semaphores.h"
#include "source.h"

#include <errno.h>
#include <stdlib.h>

static int make(const struct options *options)
{
    struct output output = {.fd = -1};
    struct source source = {0};
    struct providers providers = {0};
    int result = -1;

    if (source_read(&source, options) != 0)
        goto done;
    if (provider_parse(&providers, &source) != 0)
        goto done;
    /* From here on the file is right: what can still fail is the output, and the compiler. */
    if (output_open(&output, options->output, 0) != 0)
        goto done;
    if (options->mode == MODE_HEADER)
        result = header_write(&providers, options, &output);
    else if (options->mode == MODE_DESCRIBE)
        result = describe_write(&providers, &output);
    else
        result = semaphores_compile(&providers, options, &output);
    if (result == 0)
        result = output_commit(&output);
done:
    output_abandon(&output);
    provider_free(&providers);
    source_free(&source);
    return result;
}

int main(int argc, char **argv)
{
    struct options options;
    output_guard_streams();
    diag_set_program(program_invocation_short_name);
    switch (options_read(&options, argc, argv)) {
    case OPTIONS_DONE:
        return EXIT_SUCCESS;
    case OPTIONS_WRONG:
        return 2;
    default:
        break;
    }
    int result = make(&options);
    options_free(&options);
    return result == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
