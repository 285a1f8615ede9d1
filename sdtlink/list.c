/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `sdtlink list FILE…`: every probe and site of objects, executables and libraries, processed by
 * us or not, and of any program with stapsdt notes. A file that cannot be read is reported, the
 * others are listed all the same, and the exit status is 1.
 */
#include "list.h"

#include "base/demangle.h"
#include "base/described.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/slice.h"
#include "base/status.h"
#include "check/check.h"
#include "dwarf/dwarf.h"
#include "list/elf_file.h"
#include "list/file.h"
#include "list/match.h"
#include "list/site.h"

#include <getopt.h>
#include <inttypes.h>
#include <sdt/format.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A small file can name one string of 4095 bytes in each of its records. The text form cuts it off;
 * JSON has complete names, and would be hundreds of times as long as the file. Real sites take 40
 * bytes of it or more, and name some 200.
 */
static int check_length(const struct list_elf *elf, uint64_t named)
{
    enum { MAX_TIMES = 32, SMALL = 1 << 20 };
    if (named <= MAX_TIMES * elf->size + SMALL)
        return 0;
    return diag_error("%s: %" PRIu64 " bytes of names in a file of %" PRIu64
                      ": it is damaged; without --json, they are shortened",
                      elf->path, named, elf->size);
}

/* What is listed, and how. */
struct list_options {
    bool is_json, is_check, is_rules, has_check_option, is_sarif;
    bool is_summary, is_demangled;
    const char *description; /* a file; NULL: none */
    struct list_match match;
    struct check_options check;
};

/* Functions of the sites from number FIRST on as C++ names. One function has one string. */
static void demangle_functions(struct list *list, size_t first)
{
    for (size_t i = first; i < list->count; i++) {
        struct list_site *site = &list->sites[i];
        char *name = NULL;
        if (i > first && site[-1].function == site->function)
            site->demangled = site[-1].demangled;
        else if (site->function && (name = demangle(site->function)) != NULL)
            site->demangled = list_strings_keep(&list->strings, name);
    }
}

static bool has_debug_information(const struct list_elf *elf)
{
    bool is_there = false;
    for (uint32_t i = 1; i < elf->count && !is_there; i++)
        is_there = !strcmp(elf->sections[i].name, ".debug_info");
    return is_there && elf->type != ET_REL;
}

static void read_debug_information(const struct list_elf *elf, struct list *list, size_t first)
{
    struct dwarf dwarf;
    dwarf_open(&dwarf, elf->path);
    list_read_lines(&dwarf, list, first);
    list_read_enums(&dwarf, list, first);
    const char *problem = dwarf_problem(&dwarf);
    if (problem && has_debug_information(elf)) {
        char *text = memory_format("not all debug information can be read, so places and names of "
                                   "values may be missing: %s",
                                   problem);
        diag_warn(&(struct diag_place){.file = elf->path}, text, NULL);
        free(text);
    }
    dwarf_close(&dwarf);
}

/* A kernel brings a runtime of its own. */
static bool needs_runtime(const struct list *list, size_t first)
{
    return list->count == first || !(list->sites[first].flags & SDT_SITE_FREESTANDING);
}

static int list_file(const char *path, struct list *list, const struct list_options *options)
{
    struct list_elf elf;
    size_t before = list->count;
    uint64_t named = list->strings.named;
    int result = list_elf_open(&elf, path) == 0 ? list_read_file(&elf, list) : -1;
    if (result == 0 && options->is_json && list->count > before)
        read_debug_information(&elf, list, before);
    if (result == 0 && options->is_json)
        result = check_length(&elf, list->strings.named - named);
    if (result == 0 && !list_read_runtime(&elf, list, before) && !options->is_json &&
        needs_runtime(list, before)) {
        struct diag_place place = {.file = path};
        diag_warn(
            &place, "this program has probe sites and no runtime",
            "unless a library that it loads brings libsdt, its probes stay off: link with -lsdt, "
            "or put sdtlink in front of the link command");
    }
    /* The table shows them, whether asked to or not; JSON has the symbol, and only on request more.
     */
    if (result == 0 && (options->is_demangled || (!options->is_json && !options->is_summary)))
        demangle_functions(list, before);
    if (result != 0)
        list->count = before;
    list_elf_close(&elf);
    return result;
}

static const char usage[] =
    "Usage: sdtlink list [--json] [--summary] [--demangle] [--match=PATTERN] [--describe=FILE] "
    "FILE...\n"
    "       sdtlink list --check[=LEVEL] [OPTION...] FILE...\n"
    "       sdtlink list --rules [--json]\n"
    "List the probe sites of objects, executables and libraries: provider, module,\n"
    "function, name, where (address, or section+offset), kind, and arguments.\n"
    "\n"
    "      --json            an array of site objects, findings, or rules\n"
    "      --summary         a line for each probe, with the number of its sites\n"
    "      --demangle        with --json, functions as C++ writes them as well; the table has\n"
    "                        them always\n"
    "      --match=PATTERN   only sites that provider:module:function:name matches, as in\n"
    "                        sdt_enable(3); may be given several times\n"
    "      --describe=FILE   names, types, units and enumerators of arguments, see\n"
    "                        sdt-describe(5); without files, FILE is checked\n"
    "      --check[=LEVEL]   say which tracers will not understand which probe, and why;\n"
    "                        the status is 1 if a finding is a LEVEL or worse: error\n"
    "                        (default), warning, note, never\n"
    "      --consumers=LIST  findings about these tracers only: gdb, perf, bcc,\n"
    "                        bpftrace-bcc, libbpf, bpftrace, systemtap, uprobe\n"
    "      --ignore=LIST     leave out the findings of these rules\n"
    "      --sarif           findings as SARIF 2.1.0\n"
    "      --rules           print all rules of --check\n"
    "  -h, --help            print this and exit\n"
    "\n"
    "Exit status: 0 all files were read; 1 one could not be, or --check found something;\n"
    "2 the command line is wrong.\n";

static int refuse_usage(void)
{
    fputs("Try 'sdtlink list --help'.\n", stderr);
    return STATUS_USAGE;
}

static int parse_level(const char *name, enum severity *level)
{
    *level = SEVERITY_ERROR;
    if (!name)
        return 0;
    for (int severity = SEVERITY_NOTE; severity <= SEVERITY_NEVER; severity++)
        if (strcmp(severity_name((enum severity)severity), name) == 0) {
            *level = (enum severity)severity;
            return 0;
        }
    return diag_error("list: --check=%s: expected error, warning, note or never", name);
}

static int check_rule_names(const char *list)
{
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        size_t length = strcspn(at, ",");
        if (!rule_exists(at, length))
            return diag_error("list: there is no rule '%.*s'; see --rules", (int)length, at);
    }
    return 0;
}

enum { JSON = 256, DESCRIBE, SUMMARY, DEMANGLE, MATCH, CHECK, CONSUMERS_OF, IGNORE, SARIF, RULES };

/* 0; or -1 after saying why. */
static int take_option(struct list_options *options, int option)
{
    struct check_options *check = &options->check;
    options->has_check_option |= option == CONSUMERS_OF || option == IGNORE || option == SARIF;
    switch (option) {
    case JSON:
        options->is_json = true;
        return 0;
    case DESCRIBE:
        options->description = optarg;
        return 0;
    case SUMMARY:
        options->is_summary = true;
        return 0;
    case DEMANGLE:
        options->is_demangled = true;
        return 0;
    case MATCH:
        return list_match_add(&options->match, optarg);
    case CHECK:
        options->is_check = true;
        return parse_level(optarg, &check->fail_on);
    case CONSUMERS_OF:
        check->consumers = check_parse_consumers(optarg);
        return check->consumers
                   ? 0
                   : diag_error("list: --consumers=%s: unknown consumer; see --help", optarg);
    case IGNORE:
        check->ignored = optarg;
        return check_rule_names(optarg);
    case SARIF:
        options->is_sarif = true;
        return 0;
    case RULES:
        options->is_rules = true;
        return 0;
    default:
        return -1;
    }
}

/* Which of them go together, and with files. */
static int check_options(const struct list_options *options, int files)
{
    if (options->has_check_option && !options->is_check)
        return diag_error("list: --consumers, --ignore and --sarif require --check");
    if ((options->is_summary || options->is_demangled || options->match.count ||
         options->description) &&
        (options->is_check || options->is_rules))
        return diag_error(
            "list: --summary, --demangle, --match and --describe cannot be used with --check");
    if (options->is_demangled && !demangle_is_there)
        return diag_error("list: --demangle: this sdtlink was built without gcc's libsupc++");
    if (options->is_json && options->is_sarif)
        return diag_error("list: --json and --sarif are mutually exclusive");
    if (files == 0 && !options->is_rules && !options->description)
        return diag_error("list: no file given");
    return 0;
}

static void print(const struct list *list, const struct list_options *options)
{
    if (options->is_summary)
        list_print_summary(list, options->is_json);
    else if (options->is_json)
        list_print_json(list, options->is_demangled);
    else
        list_print_text(list);
}

/* FILE has no probes, or none that is asked for. */
static void say_nothing(const char *file, bool has_sites, const struct suggestion *mean)
{
    fputs("sdtlink: ", stderr);
    escape_print_text(stderr, slice_of(file));
    fprintf(stderr, ": no %s", has_sites ? "site matches" : "probes");
    if (*mean->best) {
        fputs("; did you mean ", stderr);
        escape_print_text(stderr, slice_of(mean->best));
        fputc('?', stderr);
    }
    fputc('\n', stderr);
}

static int list_files(char *const *files, int count, const struct list_options *options)
{
    struct list list = {0};
    struct description *description = NULL;
    int status = STATUS_DONE;
    if (options->description && described_read(options->description, &description) != 0)
        return STATUS_FAILED;
    for (int i = 0; i < count; i++) {
        size_t before = list.count;
        if (list_file(files[i], &list, options) != 0) {
            status = STATUS_FAILED;
            continue;
        }
        bool has_sites = list.count > before;
        struct suggestion mean = list_match_keep(&options->match, &list, before);
        if (list.count == before && !options->is_json)
            say_nothing(files[i], has_sites, &mean);
    }
    if (description)
        list_describe(&list, description, options->description);
    if (count)
        print(&list, options);
    list_free(&list);
    describe_free(description);
    return status;
}

static int run_list(const struct list_options *options, char *const *files, int count)
{
    if (options->is_rules)
        check_print_rules(options->check.format);
    else if (options->is_check)
        return check_main(files, (size_t)count, &options->check);
    else
        return list_files(files, count, options);
    return STATUS_DONE;
}

static int parse_and_run(int argc, char **argv, struct list_options *options)
{
    static const struct option table[] = {{"json", no_argument, NULL, JSON},
                                          {"summary", no_argument, NULL, SUMMARY},
                                          {"describe", required_argument, NULL, DESCRIBE},
                                          {"demangle", no_argument, NULL, DEMANGLE},
                                          {"match", required_argument, NULL, MATCH},
                                          {"check", optional_argument, NULL, CHECK},
                                          {"consumers", required_argument, NULL, CONSUMERS_OF},
                                          {"ignore", required_argument, NULL, IGNORE},
                                          {"sarif", no_argument, NULL, SARIF},
                                          {"rules", no_argument, NULL, RULES},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "h", table, NULL)) != -1;) {
        if (option == 'h') {
            fputs(usage, stdout);
            return STATUS_DONE;
        }
        if (take_option(options, option) != 0)
            return refuse_usage();
    }
    if (check_options(options, argc - optind) != 0)
        return refuse_usage();
    options->check.format = options->is_json ? CHECK_JSON : CHECK_TEXT;
    if (options->is_sarif)
        options->check.format = CHECK_SARIF;
    return run_list(options, argv + optind, argc - optind);
}

int list_main(int argc, char **argv)
{
    static char name[] = "sdtlink list"; /* for getopt's messages */
    struct list_options options = {.check = {.consumers = EVERYBODY}};
    argv[0] = name;
    int status = parse_and_run(argc, argv, &options);
    list_match_free(&options.match);
    return status;
}
