/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `sdtlink list --check`, from file names to an exit status.
 *
 * Each file goes through the same steps: open it, read its notes once, run every check on them,
 * then compare with the site set, which knows sites that no note describes. Damaged notes are
 * findings like others; then only the comparison, which needs complete notes, is skipped.
 *
 * The checks know nothing of each other. Each calls finding_add() with the name of a rule, which
 * decides whether it was requested.
 */
#include "check.h"

#include "base/memory.h"
#include "base/status.h"
#include "check/machines/machines.h"
#include "list/file.h"

#include <sdt/format.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What objcopy --only-keep-debug leaves: code without bytes. */
static bool is_debug_file(const struct list_elf *elf)
{
    for (uint32_t i = 1; i < elf->count; i++) {
        const Elf64_Shdr *header = &elf->sections[i].header;
        if ((header->sh_flags & SHF_EXECINSTR) && header->sh_type == SHT_NOBITS && header->sh_size)
            return true;
    }
    return false;
}

static void prepare(struct check *check)
{
    const struct list_elf *elf = check->elf;
    check->machine = machine_find(elf->machine, elf->is_64);
    check->is_object = elf->type == ET_REL;
    check->is_debug = !check->is_object && is_debug_file(elf);
    for (uint32_t i = elf->count; i-- > 1;)
        if (strcmp(elf->sections[i].name, ".probes") == 0)
            check->probes = i;
    list_notes_read(check->elf, &check->notes);
}

/* Sites that only we know: a call that no tracer can find. */
void check_set(struct check *check, const struct list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct list_site *site = &list->sites[i];
        bool is_probe = strncmp(site->kind, "enabled", strlen("enabled")) != 0 &&
                        strcmp(site->kind, "marker") != 0;
        bool is_unprocessed = check->is_object && !site->is_record;
        if (site->has_note || !is_probe || is_unprocessed)
            continue;
        bool is_companion = site->flags & SDT_SITE_COMPANION;
        struct finding *finding = finding_add(
            check, is_companion ? "companion-site" : "site-without-note", SCOPE_SITE, NULL, NULL);
        if (!finding)
            continue;
        finding->provider = finding_text(slice_of(site->provider));
        finding->name = finding_text(slice_of(site->name));
        finding->function = site->function ? finding_text(slice_of(site->function)) : NULL;
        finding->section = site->section ? finding_text(slice_of(site->section)) : NULL;
        finding->offset = site->offset;
        finding->address = site->address;
        finding->has_address = site->has_address;
    }
}

static void check_elf(struct check *check)
{
    prepare(check);
    if (check->is_object && check->notes.count)
        finding_add(check, "file-relocatable", SCOPE_FILE, NULL, NULL);
    if (check->is_debug && check->notes.count)
        finding_add(check, "file-debug", SCOPE_FILE, NULL, NULL);
    check_sections(check);
    check_notes(check);
    check_places(check);
    check_semaphores(check);
    check_arguments(check);
    check_probes(check);
}

/* Damaged notes are findings, and stop only what needs them whole. */
static bool has_damage(const struct list_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        if (notes->items[i].state == NOTE_SHORT || notes->items[i].state == NOTE_CUT)
            return true;
    return false;
}

static int check_file(const char *path, const struct check_options *options,
                      struct findings *findings)
{
    struct list_elf elf;
    struct list list = {0};
    int result = list_elf_open(&elf, path);
    if (result == 0) {
        struct check check = {.options = options, .elf = &elf, .findings = findings};
        check_elf(&check);
        if (!has_damage(&check.notes))
            result = list_read_file(&elf, &list);
        if (result == 0)
            check_set(&check, &list);
        findings_summarise(&check);
        list_notes_free(&check.notes);
        list_free(&list);
        findings->files++;
    }
    list_elf_close(&elf);
    return result;
}

unsigned check_parse_consumers(const char *list)
{
    unsigned consumers = 0;
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        size_t length = strcspn(at, ",");
        unsigned one = 0;
        for (unsigned i = 0; i < CONSUMERS; i++)
            if (strncmp(consumer_names[i], at, length) == 0 && consumer_names[i][length] == 0)
                one = 1u << i;
        if (one == 0)
            return 0;
        consumers |= one;
    }
    return consumers;
}

void check_print_rules(enum check_format format)
{
    if (format == CHECK_JSON)
        check_print_rules_json();
    else
        check_print_rules_text();
}

int check_main(char *const *files, size_t count, const struct check_options *options)
{
    struct findings findings = {0};
    int status = STATUS_DONE;
    for (size_t i = 0; i < count; i++)
        if (check_file(files[i], options, &findings) != 0)
            status = STATUS_FAILED;
    findings_sort(&findings);
    if (options->format == CHECK_JSON)
        findings_print_json(&findings);
    else if (options->format == CHECK_SARIF)
        findings_print_sarif(&findings);
    else
        findings_print_text(&findings, options);
    for (int severity = SEVERITY_NOTE; severity < SEVERITY_NEVER; severity++)
        if (severity >= (int)options->fail_on && findings.severities[severity])
            status = STATUS_FAILED;
    findings_free(&findings);
    return status;
}
