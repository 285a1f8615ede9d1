/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `sdtlink list --check`: which tracers will not understand which probe of a file, and why.
 *
 * The notes are read as they are (list/notes.h). Each check examines one aspect of them and reports
 * findings: a rule (rules.h) and a place. Nothing is changed and nothing is guessed: what depends
 * on a link that has not been made, or on an unknown machine, is reported as unchecked.
 */
#ifndef SDTLINK_CHECK_H
#define SDTLINK_CHECK_H

#include "list/elf_file.h"
#include "list/notes.h"
#include "list/site.h"
#include "machine.h"
#include "rules.h"

enum check_format { CHECK_TEXT, CHECK_JSON, CHECK_SARIF };

struct check_options {
    enum severity fail_on; /* exit status 1 from here on */
    const char *ignored;   /* rules, separated by commas; NULL: none */
    unsigned consumers;    /* a set: findings about others only are dropped */
    enum check_format format;
};

/* What a finding is about: including everything above it. */
enum scope { SCOPE_FILE, SCOPE_PROBE, SCOPE_SITE };

/* Strings but FILE, which is the caller's, are the finding's own. */
struct finding {
    const struct rule *rule;
    enum scope scope;
    const char *file;
    char *provider, *name, *function, *section; /* NULL: unknown, or not of that scope */
    uint64_t offset, address;                   /* in the section; link-time address */
    bool has_address;
    unsigned argument; /* from 1; 0: not about one */
    char *operand;     /* the argument's text */
    char *detail;      /* what exactly was found; NULL: nothing to add */
};

/* How many sites there are, and what is wrong at worst, for the table at the end. */
struct probe_summary {
    char *file, *provider, *name;
    size_t sites;
    enum effect effects[CONSUMERS];
};

struct findings {
    struct finding *items;
    size_t count, capacity;
    struct probe_summary *probes;
    size_t probe_count, probe_capacity;
    size_t files;
    size_t severities[SEVERITY_NEVER]; /* how many of each, including those not shown */
};

/* One file while it is checked. */
struct check {
    const struct check_options *options;
    struct list_elf *elf;
    struct list_notes notes;
    const struct machine *machine; /* NULL: one that nothing is known about */
    bool is_object, is_debug;
    uint32_t probes; /* the section .probes; 0: none */
    struct findings *findings;
};

/* The whole command: checks each file, prints, returns the exit status. */
int check_main(char *const *files, size_t count, const struct check_options *options);
/* Print all rules, as text or JSON. */
void check_print_rules(enum check_format format);
void check_print_rules_text(void);
void check_print_rules_json(void);
/* The consumers of a list separated by commas; 0: one is unknown. */
unsigned check_parse_consumers(const char *list);

/* The sides; each adds what it finds. */
void check_sections(struct check *check);
void check_notes(struct check *check);
void check_places(struct check *check);
void check_code(struct check *check, const struct list_note *note);
void check_semaphores(struct check *check);
void check_arguments(struct check *check);
void check_probes(struct check *check);
void check_set(struct check *check, const struct list *list);

/* Add a finding about the file, about a note, or about one of its arguments. DETAIL (may be NULL)
 * becomes the finding's. NULL is returned if the rule is ignored. */
struct finding *finding_add(struct check *check, const char *id, enum scope scope,
                            const struct list_note *note, char *detail);
/* A copy of what a file says, cut where it is too long to read; NULL if SLICE is none. */
char *finding_text(struct slice slice);
/* The notes that are probes, by provider, name and place; to be freed. */
const struct list_note **check_by_probe(const struct check *check, size_t *count);
bool check_is_same_probe(const struct list_note *a, const struct list_note *b);

/* Before they are shown: in order, counted, and not more than 1000 of one rule in one file. */
void findings_sort(struct findings *findings);
void findings_free(struct findings *findings);
void findings_summarise(struct check *check);
void findings_print_text(const struct findings *findings, const struct check_options *options);
void findings_print_json(const struct findings *findings);
void findings_print_sarif(const struct findings *findings);
/* One sentence: place, why, detail. */
char *finding_message(const struct finding *finding);

#endif
