/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From expressions to programs: what compiles does at a hit what expression_holds() says of the
 * same values, for random expressions; what does not compile has a message and a place.
 */
#include "check.h"
#include "live.h"
#include "real.h"

#include <base/slice.h>
#include <compile/compile.h>
#include <expression/expression.h>
#include <measure/aggregate.h>
#include <measure/histogram.h>

static const struct compile_argument arguments[] = {{"fd", "int32", NULL, 0, NULL, false},
                                                    {"bytes", "uint64", NULL, 0, NULL, false},
                                                    {"path", "string", NULL, 0, NULL, false},
                                                    {"ratio", "double", NULL, 0, NULL, false},
                                                    {NULL, "hex32", NULL, 0, NULL, false}};
enum { ARGUMENTS = sizeof arguments / sizeof *arguments };

static const struct compile_request nothing = {
    .action = LIVE_COUNT, .arguments = arguments, .argument_count = ARGUMENTS};

/* ---- Running. ---- */

static struct table table_for(const struct compiled *compiled)
{
    return table_new(compile_table_spec(compiled), 0);
}

static void run(const struct compiled *compiled, struct table *table, const uint64_t *words)
{
    struct live_aggregation *made;
    const char *problem = live_aggregation_make(
        &made, compiled->words, compiled_program(compiled)->size, table->memory, &table->layout);
    CHECK(!problem);
    if (problem)
        return;
    hit(made, words, ARGUMENTS);
    live_aggregation_free(made);
}

/* Whether a hit with WORDS passes the predicate TEXT; -1: it does not compile. */
static int passes(const char *text, const uint64_t *words)
{
    struct compile_request request = nothing;
    struct compiled compiled;
    struct compile_error error;
    struct aggregate aggregate;
    request.predicate = text;
    if (compile_program(&request, &compiled, &error) != 0)
        return -1;
    struct table table = table_for(&compiled);
    run(&compiled, &table, words);
    aggregate_read(&aggregate, &table.view);
    int count = (int)aggregate.rows[0].sums.count;
    aggregate_free(&aggregate);
    table_free(&table);
    return count;
}

static const char path[] = "/var/www/index.html";

static void check_predicates(void)
{
    const uint64_t words[ARGUMENTS] = {(uint64_t)-5, 5000, (uintptr_t)path, bits_of(0.75), 0xff};
    static const struct {
        const char *text;
        int passes;
    } cases[] = {
        {"arg1 > 4096", 1},
        {"4096 < bytes", 1},
        {"bytes <= 4999", 0},
        {"fd < 0 && bytes > 0", 1},
        {"fd == -5", 1},
        {"-fd == 5", 1},
        {"fd < bytes", 1},
        {"bytes < fd", 0},
        {"bytes - 6000 == -1000", 1},
        {"bytes & 8 && !(bytes & 1)", 1},
        {"(bytes | 1) == 5001 && bytes ^ 1", 1},
        {"bytes >> 3 == 625 && 1 << 4 == 16", 1},
        {"~fd == 4", 1},
        {"arg4 & 0x80", 1},
        {"path ^= \"/var\"", 1},
        {"path == \"/var/www/index.html\"", 1},
        {"path == \"/var/www/index.htm\"", 0},
        {"path > \"/var/www/a\"", 1},
        {"\"/var/www/a\" < path", 1},
        {"str(arg.path) ^= \"/v\"", 1},
        {"ratio > 0.5 && ratio < 1", 1},
        {"ratio == 0.75", 1},
        {"-ratio < 0", 1},
        {"int(ratio * 1000) == 750", 1},
        {"int(1000 * ratio) == 750", 1},
        {"int(ratio) == 0", 1},
        {"str(path, 4) == \"/var\" && len(str(path, 300)) == 19", 1},
        {"str(path, fd) == \"\" && str(path, 0) == \"\"", 1},
        {"str(path, bytes) == path", 1},
        {"str(str(path, 5), 2) == \"/v\"", 1},
        {"str(\"abc\", 2) == \"ab\" && str(path, 1000000) == path", 1},
        {"bytes < 5us && bytes >= 5us - 1ns || 5ms == bytes * 1000", 1},
        {"bytes * 1ms == 5s && 1.5s == 1500000000", 1},
        {"ratio * 2.5 > 1.8 && 2.5 * ratio < 1.9", 1},
        {"ratio + 1 == 1.75 && 1 - ratio == 0.25 && ratio - 1 == -0.25", 1},
        {"1 / ratio > 1.3333 && ratio / 3 == 0.25", 1},
        {"ratio * bytes == 3750 && bytes / ratio > 6666", 1},
        {"ratio * fd == -3.75 && -(ratio * fd) == 3.75", 1},
        {"ratio * ratio + ratio == 1.3125", 1},
        {"ratio / 0 > 1 || ratio / 0 <= 1", 0}, /* missing */
        {"ratio / (fd + 5) > 1 || !(ratio / (fd + 5) != 1)", 1},
        {"fd < ratio && ratio > fd && bytes > ratio && bytes != ratio * 2", 1},
        {"bytes == ratio * 8000 / 1.2", 1},
        {"bytes + ratio == 5000.75", 1},
        {"ratio != 9007199254740993 && ratio < 9007199254740993", 1},
        {"int(ratio * 1e20) == 0", 0}, /* does not fit */
        {"int(ratio * 1e20) != 0", 0},
        {"ratio * 1e308 * 10 > 1e308", 1},
        {"0.1 + ratio == 0.85 && 0.1 + 0.2 != 0.3", 1},
        {"bytes > 4999.5 && bytes < 5000.5", 1},
        {"bytes >= 5000.5 || bytes <= 4999.5", 0},
        {"bytes / 0 > 1", 0},
        {"bytes == 5000 || bytes / 0 > 1", 1},
        {"!(bytes / (fd + 5) > 1)", 1},
        {"bytes / (fd + 5) != 1", 0}, /* missing */
        {"fd % 3 == -2 && bytes * 2 == 10000", 1},
        {"bytes * 0x4000000000000000 > 0", 0}, /* does not fit */
        {"pid == tid && cpu < 100000 && time > 0", 1},
        {"comm != \"\" && function == \"\"", 1},
        {"ratio && path && fd", 1},
        {"true", 1},
        {"bytes > 18446744073709551615", 0},
        {"fd < 18446744073709551615", 1},
        {"bytes > -1", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int result = passes(cases[i].text, words);
        if (result != cases[i].passes)
            printf("%s: %d\n", cases[i].text, result);
        CHECK(result == cases[i].passes);
    }
}

/* ---- Refused. ---- */

static void check_refusals(void)
{
    static const struct {
        const char *predicate, *value, *key;
        size_t offset;
        const char *part;
    } cases[] = {
        {"arg5 > 1", NULL, NULL, 0, "no argument 'arg5', but fd, bytes, path"},
        {"fd > 1 && byts > 2", NULL, NULL, 10, "no argument 'byts'; did you mean 'bytes'?"},
        {"arg.ratip > 2", NULL, NULL, 0, "did you mean 'ratio'?"},
        {"comn == \"x\"", NULL, NULL, 0, "no argument 'comn'; did you mean 'comm'?"},
        {"strr(bytes) == \"\"", NULL, NULL, 0, "no function 'strr'; did you mean str()?"},
        {"fd == fb", NULL, NULL, 6, "no argument 'fb'"},
        {"fd = 1", NULL, NULL, 3, "equality is =="},
        {"path > 4", NULL, NULL, 5, "a text with a number"},
        {"ratio % 2 > 1", NULL, NULL, 6, "this needs integers: int(x)"},
        {"fd << ratio", NULL, NULL, 3, "this needs integers: int(x)"},
        {"ratio + path > 1", NULL, NULL, 6, "not a number"},
        {"ratio * (1 / 0) > 1", NULL, NULL, 6, "not a number"},
        {"1 > 2", NULL, NULL, 2, "never true"},
        {"fd > 1 && 0", NULL, NULL, 10, "never true"},
        {"fd == 1.5", NULL, NULL, 3, "never this number"},
        {"fd < 1e30", NULL, NULL, 3, "never this number"},
        {"ratio == 99999999999999999 * 9999", NULL, NULL, 6, "does not fit 64 bits"},
        {"size(path) > 1", NULL, NULL, 0, "no function 'size'"},
        {"str(ratio) == \"\"", NULL, NULL, 0, "takes an address"},
        {"str(path, path) == \"\"", NULL, NULL, 0, "the length of str() is an integer"},
        {"str(path, 0.5) == \"\"", NULL, NULL, 0, "the length of str() is an integer"},
        {"str(ratio, 4) == \"\"", NULL, NULL, 0, "takes an address"},
        {"len(path, 4) == 4", NULL, NULL, 8, "only str() takes two"},
        {"str(path, 4, 5) == 4", NULL, NULL, 11, "expected )"},
        {"fd > 10min", NULL, NULL, 5, "no time such as 10ms"},
        {"path + 1 > 2", NULL, NULL, 5, "not a number"},
        {"\"a\" ^= path", NULL, NULL, 4, "the first from the hit"},
        {NULL, "path", NULL, 0, "a histogram needs numbers"},
        {NULL, NULL, "ratio", 0, "a key is an integer or a text"},
        {NULL, NULL, "\"a\"", 0, "can only be used in comparisons"},
        {"str(1) ^= \"a\" && str(2) ^= \"a\" && str(3) ^= \"a\" && str(4) ^= \"a\" && "
         "str(5) ^= \"a\"",
         NULL, NULL, 68, "more than 4 texts"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct compile_request request = nothing;
        struct compiled compiled;
        struct compile_error error = {.problem = ""};
        request.predicate = cases[i].predicate;
        request.value = cases[i].value;
        request.key[0] = cases[i].key;
        request.action = cases[i].value ? LIVE_HIST : LIVE_COUNT;
        bool is_refused = compile_program(&request, &compiled, &error) != 0 &&
                          strstr(error.problem, cases[i].part) && error.offset == cases[i].offset;
        if (!is_refused)
            printf("%zu: %s at %zu\n", i, error.problem, error.offset);
        CHECK(is_refused);
    }
}

/* ---- Random expressions. ---- */

static uint64_t state = 7;

static unsigned any(unsigned below)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)((state >> 33) % below);
}

static void append(char *to, const char *text)
{
    strcat(to, text);
}

/* Of small integers, so that nothing overflows here that would not in 128 bits. */
static void any_sum(char *to, unsigned depth)
{
    static const char *const leaves[] = {"fd", "bytes", "arg4", "0", "1", "3", "17", "-2"};
    static const char *const operators[] = {" + ", " - ", " * ", " / ", " % ", " & ", " | ", " ^ "};
    if (!depth || !any(3)) {
        append(to, leaves[any(8)]);
        return;
    }
    append(to, any(5) ? "(" : any(2) ? "-(" : "~(");
    any_sum(to, depth - 1);
    append(to, operators[any(8)]);
    any_sum(to, depth - 1);
    append(to, ")");
}

/* Of doubles, and of integers that meet them: none of them is so large that it would not fit. */
static void any_real(char *to, unsigned depth)
{
    static const char *const leaves[] = {"ratio", "0.1", "-2.5",  "1e300",
                                         "ratio", "fd",  "bytes", "3"};
    static const char *const operators[] = {" + ", " - ", " * ", " / "};
    if (!depth || !any(4)) {
        append(to, leaves[any(8)]);
        return;
    }
    append(to, any(5) ? "(" : "-(");
    any_real(to, depth - 1);
    append(to, operators[any(4)]);
    any_real(to, depth - 1);
    append(to, ")");
}

static void any_condition(char *to, unsigned depth)
{
    static const char *const relations[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
    static const char *const others[] = {
        "path ^= \"/var\"", "path == \"x\"", "ratio < 0.5", "ratio", "path", "ratio >= -2"};
    if (depth && any(2)) {
        append(to, any(4) ? "(" : "!(");
        any_condition(to, depth - 1);
        append(to, any(2) ? " && " : " || ");
        any_condition(to, depth - 1);
        append(to, ")");
    } else if (!any(4)) {
        append(to, others[any(6)]);
    } else {
        void (*one)(char *, unsigned) = any(2) ? any_sum : any_real;
        one(to, 3);
        append(to, relations[any(6)]);
        (any(2) ? any_sum : one)(to, 3);
    }
}

static void look_up(void *scope, size_t index, const struct expression_name *name,
                    struct term *value)
{
    const uint64_t *words = scope;
    (void)index;
    if (!strcmp(name->name, "path"))
        *value =
            (struct term){.kind = TERM_TEXT, .text = slice_of((const char *)(uintptr_t)words[2])};
    else if (!strcmp(name->name, "ratio")) {
        value->kind = TERM_REAL;
        memcpy(&value->real, &words[3], sizeof value->real);
    } else {
        value->kind = TERM_INTEGER;
        value->integer = !strcmp(name->name, "fd")      ? (__int128)(int64_t)words[0]
                         : !strcmp(name->name, "bytes") ? (__int128)words[1]
                                                        : (__int128)words[4];
    }
}

static void check_random(void)
{
    unsigned compiled = 0, passed = 0;
    for (unsigned i = 0; i < 3000; i++) {
        static const char *const paths[] = {path, "x", ""};
        static const double ratios[] = {0, 0.25, -3, 1e10};
        const uint64_t words[ARGUMENTS] = {(uint64_t)((int)any(20) - 10), any(50),
                                           (uintptr_t)paths[any(3)], bits_of(ratios[any(4)]),
                                           any(300)};
        char text[4096] = "";
        struct grammar_error error;
        any_condition(text, 3);
        int result = passes(text, words);
        struct expression *expression = expression_parse(text, &error);
        CHECK(expression != NULL);
        if (result >= 0) {
            bool holds = expression_holds(expression, look_up, (void *)(uintptr_t)words);
            if (result != holds)
                printf("%s: %d\n", text, result);
            CHECK(result == holds);
            compiled++;
            passed += holds;
        }
        expression_free(expression);
    }
    CHECK(compiled > 1500 && passed > 500 && compiled - passed > 500);
}

/* ---- Results. ---- */

static const char *line_of(struct bytes *bytes)
{
    bytes_append(bytes, "", 1);
    return (const char *)bytes->data;
}

static void check_results(void)
{
    struct compile_request request = nothing;
    struct compiled compiled;
    struct aggregate aggregate;
    struct bytes text = {0};
    request.action = LIVE_HIST;
    request.predicate = "bytes > 0";
    request.value = "bytes";
    request.key[0] = "path";
    request.key[1] = "fd";
    CHECK(compile_or_report(&request, &compiled) == 0);
    struct table table = table_for(&compiled);
    for (uint64_t i = 0; i <= 100; i++) {
        run(&compiled, &table,
            (const uint64_t[ARGUMENTS]){(uint64_t)-1, i, (uintptr_t)(i < 31 ? "a\"\n" : path)});
    }
    aggregate_read(&aggregate, &table.view);
    CHECK(aggregate.count == 2 && aggregate.rows[0].sums.count == 70);
    CHECK(aggregate_min(&aggregate, &aggregate.rows[0]) == 31);
    CHECK(aggregate_max(&aggregate, &aggregate.rows[0]) == 100);
    CHECK(aggregate_double(aggregate_mean(&aggregate, &aggregate.rows[0])) == 65.5);
    double median = aggregate_double(aggregate_percentile(&aggregate, &aggregate.rows[0], 0.5));
    CHECK(median > 60 && median < 70);
    aggregate_json_histogram(&text, "web", "read", &aggregate, &aggregate.rows[1], NULL);
    CHECK(strstr(line_of(&text), "\"key\": [\"a\\\"\\u000a\", -1], \"count\": 30, \"min\": 1, "
                                 "\"max\": 30, \"mean\": 15.5, \"p50\": "));
    CHECK(strstr((const char *)text.data, "\"buckets\": [[1, 1, 1], [2, 2, 1], [3, 3, 1]"));
    CHECK(strstr((const char *)text.data, "[28, 29, 2], [30, 31, 1]]}\n"));
    text.size = 0;
    aggregate_key_text(&text, &aggregate.rows[1].key, NULL);
    CHECK(!strcmp(line_of(&text), "a\\\"\\n -1"));
    bytes_free(&text);
    aggregate_free(&aggregate);
    table_free(&table);
}

/* A key that is in the directory twice, as when two threads came with it at once, is one row. */
static void check_twice(void)
{
    struct compile_request request = nothing;
    struct compiled compiled;
    struct aggregate aggregate;
    request.key[0] = "fd";
    CHECK(compile_or_report(&request, &compiled) == 0);
    struct table table = table_for(&compiled);
    run(&compiled, &table, (const uint64_t[ARGUMENTS]){3});
    run(&compiled, &table, (const uint64_t[ARGUMENTS]){4});
    uint8_t *entry = (uint8_t *)table.memory + table.layout.directory;
    uint8_t *row = (uint8_t *)table.memory + table.layout.rows;
    for (uint32_t i = 0; i < table.layout.spec.keys; i++)
        if (*(uint64_t *)(void *)(entry + i * 16) &&
            *(uint64_t *)(void *)(entry + i * 16 + 8) == 3) {
            uint32_t other = i ? i - 1 : i + 1;
            memcpy(entry + other * 16, entry + i * 16, 16);
            memcpy(row + other * 8, &(uint64_t){7}, 8);
            break;
        }
    aggregate_read(&aggregate, &table.view);
    CHECK(aggregate.count == 2 && aggregate.rows[0].sums.count == 8);
    CHECK(aggregate.rows[0].key.number[0] == 3 && aggregate.rows[1].sums.count == 1);
    aggregate_free(&aggregate);
    table_free(&table);
}

/* One program of a latency, with the keys BY. */
static int compile_end(const struct compile_request *of, enum live_action action,
                       const char *const by[2], struct compiled *compiled,
                       struct compile_error *error)
{
    struct compile_request request = *of;
    request.action = action;
    memcpy(request.key, by, sizeof request.key);
    return compile_program(&request, compiled, error);
}

/* A latency by what only the first probe, or only the second, knows. */
static void check_latency(const char *first, const char *second, bool is_at_end)
{
    static const char *const no_keys[2] = {NULL, NULL};
    const char *const by[2] = {first, second}, *const neither[2] = {"path", "neither"};
    static const struct compile_argument at_end[] = {{"rows", "int64", NULL, 0, NULL, false}};
    const struct compile_request begin = {.arguments = arguments, .argument_count = ARGUMENTS};
    const struct compile_request end = {.arguments = at_end, .argument_count = 1};
    struct compile_error error;
    struct compiled at_begin, stop_program;
    struct aggregate aggregate;
    struct live_aggregation *start, *stop;
    const uint64_t words[ARGUMENTS] = {5, 6, (uintptr_t)path, 0, 0}, rows[1] = {42};
    CHECK((compile_end(&end, LIVE_STOP, by, &stop_program, &error) == 0) == is_at_end);
    CHECK(is_at_end || compile_end(&end, LIVE_STOP, no_keys, &stop_program, &error) == 0);
    CHECK(!compile_end(&begin, LIVE_START, is_at_end ? no_keys : by, &at_begin, &error));
    struct table table =
        table_new(compile_table_spec(is_at_end ? &stop_program : &at_begin), UINT32_MAX);
    CHECK(!live_aggregation_make(&start, at_begin.words, compiled_program(&at_begin)->size,
                                 table.memory, &table.layout));
    CHECK(!live_aggregation_make(&stop, stop_program.words, compiled_program(&stop_program)->size,
                                 table.memory, &table.layout));
    hit(start, words, ARGUMENTS);
    hit(stop, rows, 1);
    aggregate_read(&aggregate, &table.view);
    CHECK(aggregate.count == 1 && aggregate.rows[0].sums.count == 1);
    if (first && is_at_end)
        CHECK(aggregate.rows[0].key.number[0] == 42);
    else if (first)
        CHECK(aggregate.rows[0].key.length[0] == sizeof path - 1 &&
              !memcmp(aggregate.rows[0].key.text[0], path, sizeof path - 1));
    if (second)
        CHECK(aggregate.rows[0].key.number[1] == words[0]);
    aggregate_free(&aggregate);
    live_aggregation_free(start);
    live_aggregation_free(stop);
    table_free(&table);
    CHECK(compile_end(&end, LIVE_STOP, neither, &stop_program, &error) != 0);
    CHECK(compile_end(&begin, LIVE_START, neither, &at_begin, &error) != 0);
    CHECK(strstr(error.problem, "no argument 'neither'"));
}

static void check_histogram(void)
{
    struct compile_request request = nothing;
    struct compiled compiled;
    struct aggregate aggregate, before;
    struct bytes text = {0};
    struct histogram_style style = {.width = 40, .is_utf8 = true};
    request.action = LIVE_HIST;
    request.value = "fd";
    CHECK(compile_or_report(&request, &compiled) == 0);
    struct table table = table_for(&compiled);
    run(&compiled, &table, (const uint64_t[ARGUMENTS]){(uint64_t)-3});
    aggregate_read(&before, &table.view);
    for (uint64_t i = 0; i < 4; i++)
        run(&compiled, &table, (const uint64_t[ARGUMENTS]){i / 3 * 1024});
    aggregate_read(&aggregate, &table.view);
    histogram_bars(&text, &aggregate, &aggregate.rows[0], &style);
    CHECK(strstr(line_of(&text), "  -3 |"));
    CHECK(strstr((const char *)text.data, "\n    0 |██████████████████████████████ 3\n"));
    CHECK(strstr((const char *)text.data, "\n   1K |██████████ 1\n"));
    aggregate_subtract(&aggregate, &before);
    CHECK(aggregate.rows[0].sums.count == 4 && aggregate_min(&aggregate, &aggregate.rows[0]) == 0);
    text.size = 0;
    style.is_utf8 = false;
    histogram_bars(&text, &aggregate, &aggregate.rows[0], &style);
    CHECK(strstr(line_of(&text), "   0 |############################## 3\n"));
    text.size = 0;
    style.is_time = true;
    histogram_summary(&text, &aggregate, &aggregate.rows[0], &style);
    CHECK(!strncmp(line_of(&text), "count 4  min 0 ns  mean 256 ns  p50 ", 36));
    bytes_free(&text);
    aggregate_free(&before);
    /* Of an interval the buckets are known, which do not reach beyond what there ever was. */
    run(&compiled, &table, (const uint64_t[ARGUMENTS]){1020});
    aggregate_read(&before, &table.view);
    run(&compiled, &table, (const uint64_t[ARGUMENTS]){1100});
    aggregate_free(&aggregate);
    aggregate_read(&aggregate, &table.view);
    aggregate_subtract(&aggregate, &before);
    CHECK(aggregate_max(&aggregate, &aggregate.rows[0]) == 1100);
    CHECK(aggregate_min(&aggregate, &aggregate.rows[0]) == 1024);
    aggregate_free(&before);
    aggregate_free(&aggregate);
    table_free(&table);
}

int main(void)
{
    check_predicates();
    check_refusals();
    check_random();
    check_results();
    check_histogram();
    check_twice();
    check_latency(NULL, NULL, true);
    check_latency("rows", NULL, true);
    check_latency("path", NULL, false);
    check_latency("path", "fd", false);
    return check_failures != 0;
}
