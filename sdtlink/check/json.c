/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Findings for programs: our own JSON, and SARIF 2.1.0, which code hosts and editors display.
 *
 * Names in a file are arbitrary bytes: everything from a file goes through escape_print_json().
 */
#include "check.h"

#include "base/escape.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_text(const char *text)
{
    if (text)
        escape_print_json(stdout, slice_of(text));
    else
        printf("null");
}

static void print_member(const char *name, const char *text)
{
    printf("\"%s\": ", name);
    print_text(text);
    printf(", ");
}

static void print_effects(const struct rule *rule)
{
    const char *separator = "";
    printf("\"consumers\": [");
    for (size_t i = 0; i < MAX_EFFECTS; i++) {
        const struct effect_row *effect = &rule->effects[i];
        for (unsigned consumer = 0; consumer < CONSUMERS; consumer++) {
            if (!(effect->consumers >> consumer & 1))
                continue;
            printf("%s{", separator);
            print_member("name", consumer_names[consumer]);
            print_member("versions", effect->versions);
            print_member("effect", effect_name(effect->effect));
            printf("\"what\": ");
            print_text(effect->what);
            printf("}");
            separator = ", ";
        }
    }
    printf("], ");
}

static void print_rule(const struct rule *rule)
{
    print_member("id", rule->id);
    print_member("severity", severity_name(rule->severity));
    print_member("machine", rule->machine);
    print_member("why", rule->why);
    print_effects(rule);
    printf("\"remedy\": ");
    print_text(rule->remedy);
}

void check_print_rules_json(void)
{
    printf("[");
    for (size_t i = 0; i < rule_count(); i++) {
        printf("%s\n  {", i ? "," : "");
        print_rule(rule_at(i));
        putchar('}');
    }
    printf("\n]\n");
}

static void print_finding(const struct finding *finding)
{
    static const char *const scopes[] = {"file", "probe", "site"};
    char *message = finding_message(finding);
    print_member("file", finding->file);
    print_member("scope", scopes[finding->scope]);
    print_member("provider", finding->provider);
    print_member("name", finding->name);
    print_member("function", finding->function);
    print_member("section", finding->section);
    printf("\"offset\": %" PRIu64 ", ", finding->offset);
    if (finding->has_address)
        printf("\"address\": %" PRIu64 ", ", finding->address);
    else
        printf("\"address\": null, ");
    if (finding->argument)
        printf("\"argument\": %u, ", finding->argument);
    else
        printf("\"argument\": null, ");
    print_member("operand", finding->operand);
    print_member("detail", finding->detail);
    print_member("message", message);
    print_rule(finding->rule);
    free(message);
}

void findings_print_json(const struct findings *findings)
{
    printf("[");
    for (size_t i = 0; i < findings->count; i++) {
        printf("%s\n  {", i ? "," : "");
        print_finding(&findings->items[i]);
        putchar('}');
    }
    printf("%s]\n", findings->count ? "\n" : "");
}

/* SARIF's names for severities are those here. */
static void print_sarif_rule(const struct rule *rule)
{
    struct bytes help = {0};
    for (size_t i = 0; i < MAX_EFFECTS && rule->effects[i].consumers; i++)
        for (unsigned consumer = 0; consumer < CONSUMERS; consumer++)
            if (rule->effects[i].consumers >> consumer & 1) {
                char *line = memory_format(
                    "%s%s%s: %s. ", consumer_names[consumer], rule->effects[i].versions ? ", " : "",
                    rule->effects[i].versions ? rule->effects[i].versions : "",
                    rule->effects[i].what);
                bytes_append(&help, line, strlen(line));
                free(line);
            }
    bytes_append(&help, "Remedy: ", strlen("Remedy: "));
    bytes_append(&help, rule->remedy, strlen(rule->remedy) + 1);
    printf("{");
    print_member("id", rule->id);
    printf("\"shortDescription\": {\"text\": ");
    print_text(rule->why);
    printf("}, \"help\": {\"text\": ");
    print_text((const char *)help.data);
    printf("}, \"defaultConfiguration\": {\"level\": ");
    print_text(severity_name(rule->severity));
    printf("}}");
    bytes_free(&help);
}

/* A rule of several machines is one rule to SARIF: the first row stands for all. */
static bool is_first_of_id(size_t index)
{
    return rule_at(index) == rule_first(rule_at(index)->id);
}

static void print_sarif_result(const struct finding *finding)
{
    char *message = finding_message(finding);
    printf("{");
    print_member("ruleId", finding->rule->id);
    print_member("level", severity_name(finding->rule->severity));
    printf("\"message\": {\"text\": ");
    print_text(message);
    printf("}, \"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
    print_text(finding->file);
    printf("}");
    if (finding->has_address)
        printf(", \"address\": {\"absoluteAddress\": %" PRIu64 "}", finding->address);
    printf("}}]}");
    free(message);
}

void findings_print_sarif(const struct findings *findings)
{
    const char *separator = "";
    printf("{\"version\": \"2.1.0\",\n"
           " \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
           " \"runs\": [{\"tool\": {\"driver\": {\"name\": \"sdtlink list --check\", "
           "\"rules\": [");
    for (size_t i = 0; i < rule_count(); i++) {
        if (!is_first_of_id(i))
            continue;
        printf("%s\n  ", separator);
        print_sarif_rule(rule_at(i));
        separator = ",";
    }
    printf("]}},\n  \"results\": [");
    for (size_t i = 0; i < findings->count; i++) {
        printf("%s\n  ", i ? "," : "");
        print_sarif_result(&findings->items[i]);
    }
    printf("]}]}\n");
}
