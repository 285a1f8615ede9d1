/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Looking up rules, and the names of consumers, effects and severities.
 *
 * The same rule may have a row for all machines and rows for some: the row for the machine wins.
 */
#include "rules.h"

#include "machine.h"

#include <string.h>

const char *const consumer_names[CONSUMERS] = {
    "gdb", "perf", "bcc", "bpftrace-bcc", "libbpf", "bpftrace", "systemtap", "uprobe",
};

const char *const consumer_titles[CONSUMERS] = {
    "gdb",       "perf",
    "bcc",       "bpftrace up to 0.23 (libbcc)",
    "libbpf",    "bpftrace since 0.24 (libbpf)",
    "SystemTap", "uprobes by hand (tracefs, perf_event_open)",
};

size_t rule_count(void)
{
    return rules_file_count + rules_args_count;
}

const struct rule *rule_at(size_t index)
{
    return index < rules_file_count ? &rules_file[index] : &rules_args[index - rules_file_count];
}

const char *effect_name(enum effect effect)
{
    static const char *const names[] = {"none", "noise", "value", "lost", "harm"};
    return names[effect];
}

const char *severity_name(enum severity severity)
{
    static const char *const names[] = {"note", "warning", "error", "never"};
    return names[severity];
}

static bool is_named(const char *name, const char *wanted)
{
    return name && strcmp(name, wanted) == 0;
}

static bool is_for(const struct rule *rule, const struct machine *machine)
{
    return !rule->machine || (machine && (is_named(machine->name, rule->machine) ||
                                          is_named(machine->family, rule->machine)));
}

const struct rule *rule_find(const char *id, const struct machine *machine)
{
    const struct rule *found = NULL;
    for (size_t i = 0; i < rule_count(); i++) {
        const struct rule *rule = rule_at(i);
        if (strcmp(rule->id, id) == 0 && is_for(rule, machine) && (!found || rule->machine))
            found = rule;
    }
    return found;
}

const struct rule *rule_first(const char *id)
{
    for (size_t i = 0; i < rule_count(); i++)
        if (strcmp(rule_at(i)->id, id) == 0)
            return rule_at(i);
    return NULL;
}

bool rule_exists(const char *id, size_t length)
{
    for (size_t i = 0; i < rule_count(); i++)
        if (strncmp(rule_at(i)->id, id, length) == 0 && rule_at(i)->id[length] == 0)
            return true;
    return false;
}
