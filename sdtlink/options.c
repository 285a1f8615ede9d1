/* SPDX-License-Identifier: BSD-2-Clause */
#include "options.h"

#include "base/diag.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] =
    "Usage: sdtlink [OPTION...] -o OUT IN\n"
    "       sdtlink --companion [OPTION...] -o OUT IN\n"
    "       sdtlink [LAUNCHER OPTION...] CC ARG...\n"
    "       sdtlink --ld [LAUNCHER OPTION...] LD ARG...\n"
    "       sdtlink list [--json | --check] FILE...\n"
    "       sdtlink verify FILE\n"
    "       sdtlink finalize [-q] [--dry-run] FILE\n"
    "\n"
    "Turn the probe calls of relocatable object IN into NOPs and add the site set, stubs and\n"
    "registration: link OUT in its place. OUT may be IN.\n"
    "\n"
    "  -o, --output=OUT      write OUT\n"
    "      --companion[=OUT] leave IN as it is; OUT is a second object with stubs and the sites'\n"
    "                        places, to be linked with it; with --freestanding perhaps OUT.c, in "
    "C\n"
    "      --freestanding    make the set for a kernel, or a program without an operating system: "
    "no\n"
    "                        constructors, no notes, direct branches\n"
    "      --dry-run         print the plan and write nothing; -o is not needed\n"
    "      --json            with --dry-run: print the plan as JSON\n"
    "      --no-notes        leave out the notes that gdb, perf, bpftrace and others read\n"
    "      --notes           with --freestanding: have those notes\n"
    "      --require-probes  exit with status 3 if IN holds no probe\n"
    "      --ignore-stapsdt  leave the probes of <sys/sdt.h> to tracers\n"
    "      --functions[=PATTERN,...]\n"
    "                        make sites of what the compiler calls at the entry and the end of\n"
    "                        functions: of those that match, or of all\n"
    "  -v, --verbose         say more\n"
    "  -q, --quiet           say nothing but warnings and errors\n"
    "  -h, --help            print this and exit\n"
    "  -V, --version         print the version and exit\n"
    "\n"
    "In front of a compiler's command, process what it links: copies of the objects and members\n"
    "of archives that hold probes. Any other command is run as it is. In one word: sdtlink-gcc,\n"
    "sdtlink-clang and others.\n"
    "\n"
    "      --ld              the command is a linker's, whatever its name\n"
    "      --no-notes        leave out the notes, as above\n"
    "      --at-compile      also process the objects that a compiler writes, in place\n"
    "      --runtime=KIND    what a link with probes gets: auto (default), static, shared, none\n"
    "      --stapsdt=WHOSE   make sites of the notes of <sys/sdt.h>: project (default: not of the\n"
    "                        system's libraries), all, none\n"
    "      --runtime-directory=DIR\n"
    "                        where libsdt is, if not where it was installed\n"
    "      --functions[=PATTERN,...]\n"
    "                        compile so that functions have probes, fn::FUNCTION:entry and\n"
    "                        fn::FUNCTION:return\n"
    "  -v, -q                say what is done, or nothing\n"
    "\n"
    "Exit status: 0 done; 1 IN was refused or the work failed; 2 the command line is wrong;\n"
    "3 no probe was found (--require-probes). A launched command's own status.\n";

static enum options_result wrong(const char *problem)
{
    diag_error("%s", problem);
    fputs("Try 'sdtlink --help'.\n", stderr);
    return OPTIONS_WRONG;
}

/* Where the name of an option ends in WORD: before a value that is part of it. */
static size_t name_length(const char *word)
{
    return word[1] == '-' ? strcspn(word, "=") : strcspn(word, "o");
}

bool options_are_printable(char **argv)
{
    for (size_t i = 1; argv[i] && strcmp(argv[i], "--") != 0; i++) {
        const char *word = argv[i];
        size_t length = *word == '-' ? name_length(word) : 0;
        for (size_t k = 0; k < length; k++)
            if (word[k] < 0x21 || word[k] > 0x7e) {
                diag_error("'%s': an option cannot have this name", word);
                fputs("Try 'sdtlink --help'.\n", stderr);
                return false;
            }
    }
    return true;
}

static bool is_source(const char *path)
{
    size_t length = strlen(path);
    return length > 2 && !strcmp(path + length - 2, ".c");
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

static enum options_result check(struct options *options, int argc, char **argv)
{
    if (optind == argc || !*argv[optind])
        return wrong("no input file");
    if (optind + 1 < argc)
        return wrong("more than one input file; join them first: ld -r");
    options->input = argv[optind];
    bool has_output = options->output && *options->output;
    if (!has_output && !options->dry_run)
        return wrong("no output file: use -o OUT");
    if (options->json && !options->dry_run)
        return wrong("--json requires --dry-run");
    options->is_text = options->companion && has_output && is_source(options->output);
    if (options->is_text && !options->freestanding)
        return wrong("a companion in C requires --freestanding; else use -o FILE.o");
    if (options->notes && !options->freestanding)
        return wrong("--notes requires --freestanding: without it there are notes");
    if (options->notes && options->no_notes)
        return wrong("--notes and --no-notes exclude each other");
    if (options->functions && (options->freestanding || options->companion))
        return wrong("--functions cannot be used with --freestanding or --companion");
    if (options->freestanding) {
        /* A kernel's <sys/sdt.h> notes are for other readers. */
        options->no_notes = !options->notes;
        options->ignore_stapsdt = true;
    }
    if (options->companion && options->output && is_same_file(options->output, options->input))
        return wrong("a companion cannot replace its input: both are linked");
    return OPTIONS_RUN;
}

enum {
    COMPANION = 256,
    DRY_RUN,
    JSON,
    NO_NOTES,
    REQUIRE_PROBES,
    IGNORE_STAPSDT,
    NAMES_FROM,
    FREESTANDING,
    NOTES,
    FUNCTIONS
};

static const struct option table[] = {
    {"output", required_argument, NULL, 'o'},
    {"companion", optional_argument, NULL, COMPANION},
    {"dry-run", no_argument, NULL, DRY_RUN},
    {"freestanding", no_argument, NULL, FREESTANDING},
    {"functions", optional_argument, NULL, FUNCTIONS},
    {"json", no_argument, NULL, JSON},
    {"no-notes", no_argument, NULL, NO_NOTES},
    {"notes", no_argument, NULL, NOTES},
    {"names-from", required_argument, NULL, NAMES_FROM},
    {"require-probes", no_argument, NULL, REQUIRE_PROBES},
    {"ignore-stapsdt", no_argument, NULL, IGNORE_STAPSDT},
    {"verbose", no_argument, NULL, 'v'},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {0},
};

enum options_result options_parse(struct options *options, int argc, char **argv)
{
    static char name[] = "sdtlink"; /* for getopt's messages */
    *options = (struct options){0};
    argv[0] = name;
    for (int c; (c = getopt_long(argc, argv, "o:vqhV", table, NULL)) != -1;) {
        switch (c) {
        case 'o':
            options->output = optarg;
            break;
        case COMPANION:
            options->companion = true;
            options->output = optarg ? optarg : options->output;
            break;
        case DRY_RUN:
            options->dry_run = true;
            break;
        case FREESTANDING:
            options->freestanding = true;
            break;
        case FUNCTIONS:
            options->functions = optarg ? optarg : "";
            break;
        case JSON:
            options->json = true;
            break;
        case NO_NOTES:
            options->no_notes = true;
            break;
        case NOTES:
            options->notes = true;
            break;
        case NAMES_FROM:
            options->names_from = optarg;
            break;
        case REQUIRE_PROBES:
            options->require_probes = true;
            break;
        case IGNORE_STAPSDT:
            options->ignore_stapsdt = true;
            break;
        case 'v':
            diag_set_level(DIAG_VERBOSE);
            break;
        case 'q':
            diag_set_level(DIAG_QUIET);
            break;
        case 'h':
            fputs(usage, stdout);
            return OPTIONS_DONE;
        case 'V':
            puts("sdtlink " SDTLINK_VERSION);
            return OPTIONS_DONE;
        default:
            fputs("Try 'sdtlink --help'.\n", stderr);
            return OPTIONS_WRONG;
        }
    }
    return check(options, argc, argv);
}
