/* SPDX-License-Identifier: BSD-2-Clause */
#include "options.h"

#include "base/diag.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: sdt-dtrace -h [-C] [OPTION...] -s FILE.d [-o FILE.h]\n"
    "       sdt-dtrace -G [-C] [OPTION...] -s FILE.d [-o FILE.o] [OBJECT...]\n"
    "       sdt-dtrace --describe [-C] [OPTION...] -s FILE.d [-o FILE.probes]\n"
    "\n"
    "  -h        make a header: a macro for each probe that FILE.d declares, and one that tells\n"
    "            whether a tracer is attached to it\n"
    "  -G        make an object: the semaphores that the header declares, compiled by $CC $CFLAGS\n"
    "            (objects are accepted, and left as they are)\n"
    "  --describe\n"
    "            make a file that tells 'sdt record --describe' the names and types of arguments\n"
    "  -s FILE   the provider file\n"
    "  -o FILE   the output; by default FILE.h, FILE.o or FILE.probes in the\n"
    "            working directory\n"
    "  -C        run the C preprocessor, $CPP, over the provider file first\n"
    "  -I DIR, -D NAME[=VALUE], -U NAME\n"
    "            for the preprocessor and the compiler\n"
    "  --help, --version\n"
    "\n"
    "Ignored, for makefiles that have them: -32 -64 -k -x OPTION -L DIR -l NAME -f...,\n"
    "--no-pyparsing, --types.\n";

static enum options_result wrong(const char *format, const char *argument)
{
    char *text = memory_format(format, argument);
    diag_error("%s (see --help)", text);
    free(text);
    return OPTIONS_WRONG;
}

/*
 * The argument of the option with letter ARGV[*i][1]: the rest of the word, or the next word, which
 * is taken; NULL if there is none.
 */
static char *argument_of(char **argv, int *i)
{
    if (argv[*i][2])
        return argv[*i] + 2;
    return argv[*i + 1] ? argv[++*i] : NULL;
}

static enum options_result read_value(struct options *options, char **argv, int *i)
{
    char *option = argv[*i], *value = argument_of(argv, i);
    if (!value)
        return wrong("option %s needs an argument", option);
    switch (option[1]) {
    case 's':
        if (options->input)
            return wrong("a second file, %s: one at a time", value);
        options->input = value;
        break;
    case 'o':
        options->output = value;
        break;
    case 'D':
        if (!strncmp(value, "STAP_SDT_V2", 11) && (!value[11] || value[11] == '='))
            options->has_old_visibility = true;
        /* fall through */
    case 'I':
    case 'U':
        words_add(&options->macros, option);
        if (value != option + 2)
            words_add(&options->macros, value);
        break;
    default: /* -x, -L, -l */
        break;
    }
    return OPTIONS_GO;
}

static bool is_ignored(const char *option)
{
    static const char *const known[] = {"-32", "-64", "-k", "--no-pyparsing", "--types"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strcmp(option, known[i]))
            return true;
    return option[1] == 'f' && option[2];
}

static enum options_result set_mode(struct options *options, int mode)
{
    if (options->mode != MODE_NONE && (int)options->mode != mode)
        return wrong("%s: one at a time", "-h, -G and --describe");
    options->mode = mode;
    return OPTIONS_GO;
}

static enum options_result read_option(struct options *options, char **argv, int *i)
{
    const char *option = argv[*i];
    if (!strcmp(option, "-h"))
        return set_mode(options, MODE_HEADER);
    if (!strcmp(option, "-G"))
        return set_mode(options, MODE_OBJECT);
    if (!strcmp(option, "--describe"))
        return set_mode(options, MODE_DESCRIBE);
    if (!strcmp(option, "-C")) {
        options->preprocess = true;
        return OPTIONS_GO;
    }
    if (!strcmp(option, "--help")) {
        fputs(help, stdout);
        return OPTIONS_DONE;
    }
    if (!strcmp(option, "--version")) {
        puts("sdt-dtrace (sdtlink) " SDTLINK_VERSION);
        return OPTIONS_DONE;
    }
    if (is_ignored(option))
        return OPTIONS_GO;
    if (strchr("soDIUxLl", option[1]))
        return read_value(options, argv, i);
    return wrong("unknown option %s", option);
}

/* In the working directory: probes.o for src/probes.d. */
static char *default_output(const struct options *options)
{
    const char *slash = strrchr(options->input, '/');
    const char *name = slash ? slash + 1 : options->input;
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    const char *suffix = options->mode == MODE_HEADER   ? "h"
                         : options->mode == MODE_OBJECT ? "o"
                                                        : "probes";
    return memory_format("%.*s.%s", (int)length, name, suffix);
}

static enum options_result complete(struct options *options, const char *operand)
{
    if (options->mode == MODE_NONE)
        return wrong("nothing to do: %s",
                     "give -h for a header or -G for an object, or --describe");
    if (!options->input)
        return wrong("no provider file: %s", operand ? "it is given with -s" : "give -s FILE");
    if (operand && options->mode != MODE_OBJECT)
        return wrong("what is %s? -h and --describe take no further files", operand);
    if (!options->output)
        options->output = options->default_output = default_output(options);
    return OPTIONS_GO;
}

enum options_result options_read(struct options *options, int argc, char **argv)
{
    const char *operand = NULL;
    enum options_result result = OPTIONS_GO;
    *options = (struct options){0};
    for (int i = 1; i < argc && result == OPTIONS_GO; i++) {
        if (argv[i][0] == '-' && argv[i][1])
            result = read_option(options, argv, &i);
        else
            operand = argv[i];
    }
    if (result == OPTIONS_GO)
        result = complete(options, operand);
    if (result != OPTIONS_GO)
        options_free(options);
    return result;
}

void options_free(struct options *options)
{
    words_free(&options->macros);
    free(options->default_output);
    *options = (struct options){0};
}
