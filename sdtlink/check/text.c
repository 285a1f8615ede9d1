/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Findings for people: first a line for each, as compilers write them; then each rule once, with
 * the consumers that it affects and the remedy; then the probes that some consumer cannot use.
 */
#include "check.h"

#include "base/escape.h"
#include "base/escape_append.h"
#include "base/memory.h"
#include "base/probe_label.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_colour(void)
{
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(no && *no) && !(terminal && !strcmp(terminal, "dumb")) && isatty(STDOUT_FILENO);
}

static const char *colour(enum severity severity)
{
    static const char *const codes[] = {"\033[36m", "\033[35m", "\033[1;31m"};
    return has_colour() ? codes[severity] : "";
}

static const char *plain(void)
{
    return has_colour() ? "\033[0m" : "";
}

static void append_format(struct bytes *to, char *text)
{
    text_append(to, text);
    free(text);
}

static void append_name(struct bytes *to, const char *text)
{
    escape_append(to, slice_of(text));
}

/* "prov:name at 0x1139 in main, argument 2 "8@x(%rip)"" */
static void append_place(struct bytes *to, const struct finding *finding)
{
    if (finding->provider && finding->name) {
        probe_part_append(to, slice_of(finding->provider));
        text_append(to, ":");
        probe_part_append(to, slice_of(finding->name));
    }
    if (finding->has_address) {
        append_format(to, memory_format(" at 0x%" PRIx64, finding->address));
    } else if (finding->section) {
        text_append(to, finding->provider ? " at " : "");
        append_name(to, finding->section);
        append_format(to, memory_format("+0x%" PRIx64, finding->offset));
    }
    if (finding->function) {
        text_append(to, " in ");
        append_name(to, finding->function);
    }
    if (finding->argument) {
        append_format(to, memory_format(", argument %u \"", finding->argument));
        append_name(to, finding->operand);
        text_append(to, "\"");
    }
}

char *finding_message(const struct finding *finding)
{
    struct bytes text = {0};
    append_place(&text, finding);
    if (text.size)
        text_append(&text, ": ");
    text_append(&text, finding->rule->why);
    if (finding->detail) {
        text.size -= text.size && text.data[text.size - 1] == '.';
        text_append(&text, " (");
        append_name(&text, finding->detail);
        text_append(&text, ").");
    }
    return bytes_take_text(&text);
}

/* Names of a set of consumers, "gdb, perf". */
static char *consumers_text(unsigned consumers)
{
    struct bytes text = {0};
    for (unsigned i = 0; i < CONSUMERS; i++) {
        if (!(consumers >> i & 1))
            continue;
        if (text.size)
            text_append(&text, ", ");
        text_append(&text, consumer_names[i]);
    }
    return bytes_take_text(&text);
}

static void explain(const struct rule *rule)
{
    printf("%s (%s): %s\n", rule->id, severity_name(rule->severity), rule->why);
    for (size_t i = 0; i < MAX_EFFECTS && rule->effects[i].consumers; i++) {
        const struct effect_row *effect = &rule->effects[i];
        char *names = consumers_text(effect->consumers);
        printf("    %s%s%s%s: %s\n", names, effect->versions ? " (" : "",
               effect->versions ? effect->versions : "", effect->versions ? ")" : "", effect->what);
        free(names);
    }
    printf("    remedy: %s\n", rule->remedy);
}

/* Each rule that was broken, once, in the table's order. */
static void explain_rules(const struct findings *findings)
{
    for (size_t i = 0; i < rule_count(); i++) {
        size_t n = 0;
        while (n < findings->count && findings->items[n].rule != rule_at(i))
            n++;
        if (n == findings->count)
            continue;
        putchar('\n');
        explain(rule_at(i));
    }
}

static bool is_affected(const struct probe_summary *probe, unsigned consumers)
{
    for (unsigned i = 0; i < CONSUMERS; i++)
        if ((consumers >> i & 1) && probe->effects[i] >= EFFECT_VALUE)
            return true;
    return false;
}

static const char *cell(enum effect effect)
{
    static const char *const texts[] = {"ok", "ok", "args", "lost", "HARM"};
    return texts[effect];
}

static int column_width(unsigned consumer)
{
    int length = (int)strlen(consumer_names[consumer]);
    return length < 4 ? 4 : length;
}

static void print_probe(const struct probe_summary *probe, unsigned consumers, bool has_files)
{
    for (unsigned i = 0; i < CONSUMERS; i++)
        if (consumers >> i & 1)
            printf("%-*s  ", column_width(i), cell(probe->effects[i]));
    if (has_files) {
        escape_print(stdout, slice_of(probe->file));
        putchar(' ');
    }
    probe_part_print(stdout, slice_of(probe->provider));
    putchar(':');
    probe_part_print(stdout, slice_of(probe->name));
    putchar('\n');
}

static size_t print_probes(const struct findings *findings, unsigned consumers)
{
    size_t affected = 0;
    for (size_t i = 0; i < findings->probe_count; i++) {
        const struct probe_summary *probe = &findings->probes[i];
        if (!is_affected(probe, consumers))
            continue;
        if (affected++ == 0) {
            putchar('\n');
            for (unsigned n = 0; n < CONSUMERS; n++)
                if (consumers >> n & 1)
                    printf("%-*s  ", column_width(n), consumer_names[n]);
            puts("PROBE");
        }
        print_probe(probe, consumers, findings->files > 1);
    }
    return affected;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void print_summary(const struct findings *findings, size_t affected)
{
    const size_t *counts = findings->severities;
    if (findings->count)
        putchar('\n');
    printf("%zu probe%s in %zu file%s: %zu error%s, %zu warning%s, %zu note%s; understood by all: "
           "%zu\n",
           findings->probe_count, plural(findings->probe_count), findings->files,
           plural(findings->files), counts[SEVERITY_ERROR], plural(counts[SEVERITY_ERROR]),
           counts[SEVERITY_WARNING], plural(counts[SEVERITY_WARNING]), counts[SEVERITY_NOTE],
           plural(counts[SEVERITY_NOTE]), findings->probe_count - affected);
}

void findings_print_text(const struct findings *findings, const struct check_options *options)
{
    for (size_t i = 0; i < findings->count; i++) {
        char *message = finding_message(&findings->items[i]);
        enum severity severity = findings->items[i].rule->severity;
        escape_print(stdout, slice_of(findings->items[i].file));
        printf(": %s%s:%s %s [%s]\n", colour(severity), severity_name(severity), plain(), message,
               findings->items[i].rule->id);
        free(message);
    }
    explain_rules(findings);
    print_summary(findings, print_probes(findings, options->consumers));
}

void check_print_rules_text(void)
{
    for (size_t i = 0; i < rule_count(); i++) {
        if (i)
            putchar('\n');
        explain(rule_at(i));
        if (rule_at(i)->machine)
            printf("    machine: %s\n", rule_at(i)->machine);
    }
}
