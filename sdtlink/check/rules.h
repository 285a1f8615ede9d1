/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules of `sdtlink list --check`: who consumes notes, and what each consumer cannot handle.
 *
 * A rule is one row, in rules_file.c or rules_args.c. docs/consumers.md has the same rows with
 * their evidence, and tests/tool/test_list_check.py an example and a counterexample of each.
 */
#ifndef SDTLINK_CHECK_RULES_H
#define SDTLINK_CHECK_RULES_H

#include <stdbool.h>
#include <stddef.h>

/* As bits in a set. */
enum consumer {
    GDB = 1 << 0,
    PERF = 1 << 1,
    BCC = 1 << 2,
    BPFTRACE_BCC = 1 << 3, /* bpftrace that attaches through libbcc */
    LIBBPF = 1 << 4,
    BPFTRACE = 1 << 5, /* bpftrace that attaches through libbpf */
    SYSTEMTAP = 1 << 6,
    UPROBE = 1 << 7, /* tracefs, perf_event_open */
    CONSUMERS = 8
};
#define LIBBPF_ALL (LIBBPF | BPFTRACE)
#define BCC_ALL (BCC | BPFTRACE_BCC)
/* All that have the kernel place a uprobe. */
#define KERNEL_ALL (PERF | BCC_ALL | LIBBPF_ALL | SYSTEMTAP | UPROBE)
#define EVERYBODY (KERNEL_ALL | GDB)

/* What a finding does to a consumer, from harmless to worst. */
enum effect {
    EFFECT_NONE,
    EFFECT_NOISE, /* a complaint, or it is slow */
    EFFECT_VALUE, /* an argument is missing or wrong */
    EFFECT_LOST,  /* the probe is not found, is refused or never fires */
    EFFECT_HARM   /* the traced program misbehaves */
};

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR, SEVERITY_NEVER };

struct effect_row {
    unsigned consumers; /* a set */
    enum effect effect;
    const char *versions; /* NULL: all that were examined */
    const char *what;
};

enum { MAX_EFFECTS = 6 };

struct rule {
    const char *id;
    const char *machine; /* or a family of them; NULL: any */
    const char *why;     /* one sentence */
    const char *remedy;
    struct effect_row effects[MAX_EFFECTS];
    enum severity severity;
    unsigned own; /* of a rule about the file: bit I: effects[I] is on the note at hand only */
};

extern const struct rule rules_args[], rules_file[];
extern const size_t rules_args_count, rules_file_count;
size_t rule_count(void);
const struct rule *rule_at(size_t index);

extern const char *const consumer_names[CONSUMERS];
extern const char *const consumer_titles[CONSUMERS];
const char *effect_name(enum effect effect);
const char *severity_name(enum severity severity);

/* The rule of that name for MACHINE, or the one for any machine. The name must exist. */
struct machine;
const struct rule *rule_find(const char *id, const struct machine *machine);
/* The first row of that name. */
const struct rule *rule_first(const char *id);
bool rule_exists(const char *id, size_t length);

#endif
