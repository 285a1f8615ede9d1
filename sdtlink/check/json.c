/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Findings for programs: our own JSON, and SARIF 2.1.0, which code hosts and editors display.
 *
 * Names in a file are arbitrary bytes: base/json.h escapes them.
 */
#include "check.h"

#include "base/json.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append_text_object(struct bytes *to, const char *key, const char *text)
{
    json_open(to, key, '{');
    json_string(to, "text", text);
    json_close(to, '}');
}

static void append_effects(struct bytes *to, const struct rule *rule)
{
    json_open(to, "consumers", '[');
    for (size_t i = 0; i < MAX_EFFECTS; i++) {
        const struct effect_row *effect = &rule->effects[i];
        for (unsigned consumer = 0; consumer < CONSUMERS; consumer++) {
            if (!(effect->consumers >> consumer & 1))
                continue;
            json_open(to, NULL, '{');
            json_string(to, "name", consumer_names[consumer]);
            json_string(to, "versions", effect->versions);
            json_string(to, "effect", effect_name(effect->effect));
            json_string(to, "what", effect->what);
            json_close(to, '}');
        }
    }
    json_close(to, ']');
}

static void append_rule(struct bytes *to, const struct rule *rule)
{
    json_string(to, "id", rule->id);
    json_string(to, "severity", severity_name(rule->severity));
    json_string(to, "machine", rule->machine);
    json_string(to, "why", rule->why);
    append_effects(to, rule);
    json_string(to, "remedy", rule->remedy);
}

void check_print_rules_json(void)
{
    struct bytes text = {0};
    json_open(&text, NULL, '[');
    for (size_t i = 0; i < rule_count(); i++) {
        json_line(&text, "  ");
        json_open(&text, NULL, '{');
        append_rule(&text, rule_at(i));
        json_close(&text, '}');
    }
    text_append(&text, "\n]\n");
    json_finish(&text);
}

static void append_finding(struct bytes *to, const struct finding *finding)
{
    static const char *const scopes[] = {"file", "probe", "site"};
    char *message = finding_message(finding);
    json_string(to, "file", finding->file);
    json_string(to, "scope", scopes[finding->scope]);
    json_string(to, "provider", finding->provider);
    json_string(to, "name", finding->name);
    json_string(to, "function", finding->function);
    json_string(to, "section", finding->section);
    json_natural(to, "offset", finding->offset);
    if (finding->has_address)
        json_natural(to, "address", finding->address);
    else
        json_null(to, "address");
    if (finding->argument)
        json_natural(to, "argument", finding->argument);
    else
        json_null(to, "argument");
    json_string(to, "operand", finding->operand);
    json_string(to, "detail", finding->detail);
    json_string(to, "message", message);
    append_rule(to, finding->rule);
    free(message);
}

void findings_print_json(const struct findings *findings)
{
    struct bytes text = {0};
    json_open(&text, NULL, '[');
    for (size_t i = 0; i < findings->count; i++) {
        json_line(&text, "  ");
        json_open(&text, NULL, '{');
        append_finding(&text, &findings->items[i]);
        json_close(&text, '}');
        json_flush(&text);
    }
    text_append(&text, findings->count ? "\n]\n" : "]\n");
    json_finish(&text);
}

/* SARIF's names for severities are those here. */
static void append_sarif_rule(struct bytes *to, const struct rule *rule)
{
    struct bytes help = {0};
    for (size_t i = 0; i < MAX_EFFECTS && rule->effects[i].consumers; i++)
        for (unsigned consumer = 0; consumer < CONSUMERS; consumer++)
            if (rule->effects[i].consumers >> consumer & 1) {
                text_append(&help, consumer_names[consumer]);
                text_append(&help, rule->effects[i].versions ? ", " : "");
                text_append(&help, rule->effects[i].versions ? rule->effects[i].versions : "");
                text_append(&help, ": ");
                text_append(&help, rule->effects[i].what);
                text_append(&help, ". ");
            }
    text_append(&help, "Remedy: ");
    text_append(&help, rule->remedy);
    text_char(&help, '\0');
    json_open(to, NULL, '{');
    json_string(to, "id", rule->id);
    append_text_object(to, "shortDescription", rule->why);
    append_text_object(to, "fullDescription", rule->why);
    append_text_object(to, "help", (const char *)help.data);
    json_open(to, "defaultConfiguration", '{');
    json_string(to, "level", severity_name(rule->severity));
    text_append(to, "}}");
    bytes_free(&help);
}

/* A path as a relative or absolute URI reference. */
static void append_uri(struct bytes *to, const char *path)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    struct bytes uri = {0};
    for (; *path; path++) {
        char code[4];
        if (strchr(plain, *path))
            text_char(&uri, *path);
        else {
            snprintf(code, sizeof code, "%%%02X", (unsigned char)*path);
            text_append(&uri, code);
        }
    }
    text_char(&uri, '\0');
    json_string(to, "uri", (const char *)uri.data);
    bytes_free(&uri);
}

static void append_sarif_result(struct bytes *to, const struct finding *finding)
{
    char *message = finding_message(finding);
    json_open(to, NULL, '{');
    json_string(to, "ruleId", finding->rule->id);
    json_string(to, "level", severity_name(finding->rule->severity));
    append_text_object(to, "message", message);
    json_open(to, "locations", '[');
    json_open(to, NULL, '{');
    json_open(to, "physicalLocation", '{');
    json_open(to, "artifactLocation", '{');
    append_uri(to, finding->file);
    json_close(to, '}');
    json_open(to, "region", '{'); /* code hosts show nothing without a line */
    json_natural(to, "startLine", 1);
    json_close(to, '}');
    if (finding->has_address) {
        json_open(to, "address", '{');
        json_natural(to, "absoluteAddress", finding->address);
        json_close(to, '}');
    }
    text_append(to, "}}]}");
    free(message);
}

void findings_print_sarif(const struct findings *findings)
{
    struct bytes text = {0};
    text_append(&text,
                "{\"version\": \"2.1.0\",\n"
                " \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
                " \"runs\": [{\"tool\": {\"driver\": {\"name\": "
                "\"sdtlink list --check\", \"version\": \"" SDTLINK_VERSION "\", \"rules\": [");
    for (size_t i = 0; i < rule_count(); i++) {
        if (rule_at(i) != rule_first(rule_at(i)->id)) /* what follows of an ID is its variants */
            continue;
        json_line(&text, "  ");
        append_sarif_rule(&text, rule_at(i));
    }
    text_append(&text, "]}},\n  \"results\": [");
    for (size_t i = 0; i < findings->count; i++) {
        json_line(&text, "  ");
        append_sarif_result(&text, &findings->items[i]);
        json_flush(&text);
    }
    text_append(&text, "]}]}\n");
    json_finish(&text);
}
