/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt diff: the command line, and the steps from two directories to what is shown. */
#include "base/diag.h"
#include "command/command.h"
#include "condition.h"
#include "print/text.h"
#include "report/pairs.h"
#include "show.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char usage[] =
    "Usage: sdt diff [OPTION...] A B\n"
    "\n"
    "Compare recordings A and B: which pair of probes takes longer or shorter, or comes more or\n"
    "less often, and of which argument, function or caller. Sorted by how much that adds to the\n"
    "time of a second. A and B may also be directories of several recordings.\n"
    "\n"
    "  -b, --by=EXPR      by the values of EXPR; up to 8 times. Default: by each argument,\n"
    "                     function and caller. 'caller' needs recorded callers\n"
    "  -f, --filter=EXPR  only events for which EXPR holds, see sdt report --help\n"
    "  -p, --pair='BEGIN END [match EXPR]'\n"
    "                     also from probe BEGIN to probe END, see sdt export --help\n"
    "      --describe=FILE  names, units and enumerators of fields, see sdt-describe(5)\n"
    "      --at-least=PERCENT\n"
    "                     smaller differences are not findings (default: 2; of rates, 5)\n"
    "      --fail-if=CONDITION\n"
    "                     exit status 1 if it holds of a row, as 'p99 > +10%': mean, p50, p90, "
    "p99\n"
    "                     or rate; < or >; a change in %, ns, us, ms or s. May be repeated\n"
    "  -k, --keys=N       with --by: not more than N keys (default: 10000)\n"
    "  -t, --top=N        print the N rows that contribute most (default: 20; 0: all)\n"
    "  -j, --json         a line of JSON for each row\n"
    "      --html=FILE    write a page for a browser\n"
    "  -h, --help         print this and exit\n"
    "\n"
    "Exit status: 0 done, whether there are differences or not; 1 a condition of --fail-if holds,\n"
    "or the work failed, or a part of a recording cannot be read; 2 the command line is wrong;\n"
    "3 A and B have no probe in common, or too few events for --fail-if.\n";

enum {
    OPTION_AT_LEAST = 256,
    OPTION_DESCRIBE,
    OPTION_FAIL_IF,
    OPTION_HTML,
    MOST_CONDITIONS = 16,
    MOST_PAIRS = 64,
    DEFAULT_KEYS = 10000,
    LARGEST_KEYS = 100000,
    FEW_KEYS = 1000, /* without --by: more do not explain, they identify */
    DEFAULT_ROWS = 20
};

struct diff {
    const char *directories[2], *page;
    struct asked options;
    const char *pairs[MOST_PAIRS];
    struct condition conditions[MOST_CONDITIONS];
    size_t condition_count, most;
    bool is_json;
    struct set sets[2];
    struct side sides[2];
    struct groups groups;
    struct nest tree;
    struct comparison comparison;
};

static int wrong(const char *problem)
{
    return command_wrong("diff", problem);
}

/* ---- The command line. ---- */

static int take_number(uint64_t largest, size_t *number)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(optarg, &end, 10);
    bool is_one = !errno && *optarg >= '0' && *optarg <= '9' && !*end && value <= largest;
    *number = (size_t)value;
    return is_one ? 0 : wrong("an option's argument is not a number, or is too large");
}

static int take_percent(struct diff *diff)
{
    char *end;
    double percent = strtod(optarg, &end);
    if (end == optarg || *end || !(percent >= 0 && percent <= 1e6))
        return wrong("--at-least needs a number of percent, as in --at-least=3");
    diff->comparison.at_least[0] = diff->comparison.at_least[1] = percent / 100;
    return 0;
}

static int take_condition(struct diff *diff)
{
    if (diff->condition_count == MOST_CONDITIONS)
        return wrong("there are too many conditions");
    const char *problem = condition_parse(&diff->conditions[diff->condition_count++], optarg);
    if (!problem)
        return 0;
    diag_error("%s: %s", optarg, problem);
    return STATUS_USAGE;
}

static int take_by(struct diff *diff)
{
    struct filter parsed = {0};
    if (diff->options.by_count == MOST_BY)
        return wrong("--by can be given 8 times");
    diff->options.by[diff->options.by_count++] = optarg;
    int status = *optarg ? filter_parse(&parsed, optarg) : wrong("--by needs an expression");
    filter_free(&parsed);
    return status == 0 ? 0 : STATUS_USAGE;
}

static int take_pair(struct diff *diff)
{
    struct pairs parsed = {0};
    if (diff->options.pair_count == MOST_PAIRS)
        return wrong("there are too many pairs");
    diff->pairs[diff->options.pair_count++] = optarg;
    int status = pairs_add(&parsed, optarg);
    pairs_free(&parsed);
    return status == 0 ? 0 : STATUS_USAGE;
}

static int take_filter(struct diff *diff)
{
    struct filter parsed;
    int status = filter_parse(&parsed, diff->options.filter = optarg);
    filter_free(&parsed);
    return status == 0 ? 0 : STATUS_USAGE;
}

static int take_option(void *data, int option)
{
    struct diff *diff = data;
    switch (option) {
    case 'b':
        return take_by(diff);
    case 'f':
        return take_filter(diff);
    case 'p':
        return take_pair(diff);
    case OPTION_DESCRIBE:
        diff->options.description = optarg;
        return *optarg ? 0 : wrong("--describe needs a file");
    case OPTION_AT_LEAST:
        return take_percent(diff);
    case OPTION_FAIL_IF:
        return take_condition(diff);
    case 'k':
        return take_number(LARGEST_KEYS, &diff->groups.most_keys);
    case 't':
        return take_number(SIZE_MAX, &diff->most);
    case 'j':
        diff->is_json = true;
        return 0;
    case OPTION_HTML:
    default:
        diff->page = optarg;
        return *optarg ? 0 : wrong("--html needs the name of a file");
    }
}

static int check_options(struct diff *diff, int argc, char **argv)
{
    if (argc - optind != 2 || !*argv[optind] || !*argv[optind + 1])
        return wrong("two recordings are compared: name their directories");
    if (diff->groups.most_keys && !diff->options.by_count)
        return wrong("--keys is for --by");
    diff->directories[0] = argv[optind];
    diff->directories[1] = argv[optind + 1];
    diff->options.pairs = diff->pairs;
    if (!diff->groups.most_keys)
        diff->groups.most_keys = diff->options.by_count ? DEFAULT_KEYS : FEW_KEYS;
    return STATUS_DONE;
}

static int parse(struct diff *diff, int argc, char **argv)
{
    static const struct option known[] = {
        {"by", required_argument, NULL, 'b'},
        {"filter", required_argument, NULL, 'f'},
        {"pair", required_argument, NULL, 'p'},
        {"describe", required_argument, NULL, OPTION_DESCRIBE},
        {"at-least", required_argument, NULL, OPTION_AT_LEAST},
        {"fail-if", required_argument, NULL, OPTION_FAIL_IF},
        {"keys", required_argument, NULL, 'k'},
        {"top", required_argument, NULL, 't'},
        {"json", no_argument, NULL, 'j'},
        {"html", required_argument, NULL, OPTION_HTML},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    static const struct command_line line = {"diff", usage, "b:f:p:k:t:jh", known};
    int status = command_options(&line, argc, argv, take_option, diff);
    return status == STATUS_DONE ? check_options(diff, argc, argv) : status;
}

/* ---- The work. ---- */

static int read_sides(struct diff *diff)
{
    nest_start(&diff->tree);
    for (unsigned which = 0; which < 2; which++)
        if (set_find(&diff->sets[which], diff->directories[which]) != 0)
            return -1;
    for (unsigned which = 0; which < 2; which++)
        if (collect_side(&diff->sides[which], which, &diff->sets[which], &diff->options,
                         &diff->groups, &diff->tree) != 0)
            return -1;
    return 0;
}

/* Whether a pair or a probe has events on both sides. */
static bool has_common(const struct groups *groups)
{
    for (size_t i = 0; i < groups->count; i++)
        if (groups->list[i]->sides[0].count && groups->list[i]->sides[1].count)
            return true;
    return false;
}

static int refuse_different(const struct diff *diff)
{
    char *text =
        memory_format("%s and %s have no probe in common that passes: see sdt report --summary",
                      diff->directories[0], diff->directories[1]);
    diag_error("%s", text);
    free(text);
    return STATUS_NOTHING;
}

/* What is in no row. */
static void warn(const struct diff *diff)
{
    const struct comparison *comparison = &diff->comparison;
    const struct diag_place place = {.file = diff->directories[1]};
    for (size_t i = 0; i < comparison->left_out_count; i++) {
        char *text = memory_format("'%s' has more than %d values, and is left out",
                                   comparison->left_out[i], FEW_KEYS);
        char *advice = memory_format("--by='%s' compares by it", comparison->left_out[i]);
        diag_warn(&place, text, advice);
        free(text);
        free(advice);
    }
    if (comparison->unkept) {
        char *text = memory_format("%" PRIu64 " hits have keys beyond the first %zu, and are in no "
                                   "row of a key",
                                   comparison->unkept, diff->groups.most_keys);
        diag_warn(&place, text, NULL);
        free(text);
    }
}

static void tell_failure(const struct condition *condition, const struct row *row)
{
    struct bytes text = {0};
    words_row(&text, row);
    text_append(&text, ": ");
    if (condition->statistic == CONDITION_RATE)
        words_change(&text, row->rate_change);
    else
        words_interval(&text, &row->changes[condition->statistic]);
    char *what = bytes_take_text(&text);
    diag_error("%s holds: %s", condition->text, what);
    free(what);
}

/* The rows that it holds of are named, but not thousands of them. */
static int check_condition(struct diff *diff, const struct condition *condition)
{
    enum { MOST_TOLD = 10 };
    struct comparison *comparison = &diff->comparison;
    size_t judged = condition_judged(condition, comparison), held = 0;
    for (size_t i = 0; i < comparison->count; i++)
        if (condition_holds(condition, comparison, &comparison->rows[i], judged) &&
            ++held <= MOST_TOLD)
            tell_failure(condition, &comparison->rows[i]);
    if (held > MOST_TOLD)
        diag_error("%s holds of %zu rows more", condition->text, held - MOST_TOLD);
    if (!judged)
        diag_error("%s: there are too few events to tell, in every row", condition->text);
    return held ? STATUS_FAILED : judged ? STATUS_DONE : STATUS_NOTHING;
}

static int check_conditions(struct diff *diff)
{
    int status = STATUS_DONE;
    for (size_t i = 0; i < diff->condition_count; i++) {
        int one = check_condition(diff, &diff->conditions[i]);
        status = one == STATUS_FAILED || status == STATUS_DONE ? one : status;
    }
    return status;
}

static int show(struct diff *diff)
{
    struct comparison *comparison = &diff->comparison;
    size_t most = diff->most ? diff->most : SIZE_MAX;
    const struct show all = {comparison, &diff->tree,
                             comparison->count < most ? comparison->count : most};
    (diff->is_json ? show_json : show_text)(&all);
    return diff->page && show_html(&all, diff->page) != 0 ? STATUS_FAILED : STATUS_DONE;
}

static int run(struct diff *diff)
{
    if (read_sides(diff) != 0)
        return STATUS_FAILED;
    if (!has_common(&diff->groups))
        return refuse_different(diff);
    diff->comparison.groups = &diff->groups;
    diff->comparison.sides = diff->sides;
    comparison_make(&diff->comparison, diff->options.by_count > 0);
    warn(diff);
    int status = show(diff), conditions = check_conditions(diff);
    if (status != STATUS_DONE || diff->sides[0].is_damaged || diff->sides[1].is_damaged)
        return STATUS_FAILED;
    return conditions;
}

int diff_main(int argc, char **argv)
{
    struct diff diff = {.most = DEFAULT_ROWS, .comparison = {.at_least = {0.02, 0.05}}};
    int status = parse(&diff, argc, argv);
    if (status == STATUS_DONE)
        status = run(&diff);
    comparison_free(&diff.comparison);
    groups_free(&diff.groups);
    nest_free(&diff.tree);
    for (unsigned which = 0; which < 2; which++) {
        set_free(&diff.sets[which]);
        side_free(&diff.sides[which]);
    }
    return status;
}
