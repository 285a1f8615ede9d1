/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `sdtlink list --summary`: one line per probe. Sites with the same provider and name belong to one
 * probe, whatever their file, module and function.
 */
#include "base/diag.h"
#include "base/json.h"
#include "base/table.h"
#include "base/text.h"
#include "site.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_names(const struct list_site *a, const struct list_site *b)
{
    int order = strcmp(a->provider ? a->provider : "", b->provider ? b->provider : "");
    return order ? order : strcmp(a->name ? a->name : "", b->name ? b->name : "");
}

static int by_probe(const void *left, const void *right)
{
    const struct list_site *a = *(const struct list_site *const *)left;
    const struct list_site *b = *(const struct list_site *const *)right;
    int order = compare_names(a, b);
    order = order ? order : strcmp(a->kind, b->kind);
    return order ? order : a < b ? -1 : a > b; /* else in the order of the list */
}

/* The sites of one probe, ordered by their kinds. */
struct probe_sites {
    const struct list_site *const *sites;
    size_t count;
};

/* How many sites from number AT on are of the same kind as it. */
static size_t same_kind(const struct probe_sites *probe, size_t at)
{
    size_t n = 1;
    while (at + n < probe->count && strcmp(probe->sites[at]->kind, probe->sites[at + n]->kind) == 0)
        n++;
    return n;
}

static char *kinds_text(const struct probe_sites *probe)
{
    struct bytes text = {0};
    for (size_t at = 0, n; at < probe->count; at += n) {
        n = same_kind(probe, at);
        char *kind = n == probe->count
                         ? memory_format("%s", probe->sites[at]->kind)
                         : memory_format("%s%zu %s", at ? ", " : "", n, probe->sites[at]->kind);
        bytes_append(&text, kind, strlen(kind));
        free(kind);
    }
    return bytes_take_text(&text);
}

/* The types, and the names if they are wanted; NULL: sites do not agree. */
static char *same_text(const struct probe_sites *probe, bool with_names)
{
    char *types = NULL;
    for (size_t i = 0; i < probe->count; i++) {
        if (list_is_question(probe->sites[i]))
            continue;
        char *own = list_arguments_text(probe->sites[i], with_names);
        if (types && strcmp(types, own) != 0) {
            free(types);
            free(own);
            return NULL;
        }
        free(types);
        types = own;
    }
    return types ? types : memory_format("%s", "");
}

/* What all sites agree on. */
static char *types_text(const struct probe_sites *probe)
{
    char *text = same_text(probe, true);
    text = text ? text : same_text(probe, false);
    return text ? text : memory_format("(they differ)");
}

static void add_row(struct table *table, const struct probe_sites *probe)
{
    char *kinds = kinds_text(probe), *types = types_text(probe);
    char **row = table_row(table);
    row[0] = list_for_people(probe->sites[0]->provider, true);
    row[1] = list_for_people(probe->sites[0]->name, true);
    row[2] = memory_format("%zu", probe->count);
    row[3] = list_for_people(kinds, false);
    row[4] = list_for_people(types, false);
    free(kinds);
    free(types);
}

static int by_order(const void *left, const void *right)
{
    const struct list_site *a = *(const struct list_site *const *)left;
    const struct list_site *b = *(const struct list_site *const *)right;
    return a < b ? -1 : a > b;
}

/* Every file once, in the order of the command line. */
static void append_files(struct bytes *to, const struct probe_sites *probe)
{
    const struct list_site **sites = memory_zeroed(probe->count, sizeof *sites);
    memcpy(sites, probe->sites, probe->count * sizeof *sites);
    qsort(sites, probe->count, sizeof *sites, by_order);
    json_open(to, "files", '[');
    for (size_t i = 0; i < probe->count; i++)
        if (i == 0 || sites[i - 1]->file != sites[i]->file)
            json_string(to, NULL, sites[i]->file);
    json_close(to, ']');
    free(sites);
}

static void append_object(struct bytes *to, const struct probe_sites *probe)
{
    json_open(to, NULL, '{');
    json_string(to, "provider", probe->sites[0]->provider);
    json_string(to, "name", probe->sites[0]->name);
    json_natural(to, "sites", probe->count);
    json_open(to, "kinds", '{');
    for (size_t at = 0, n; at < probe->count; at += n) {
        n = same_kind(probe, at);
        json_natural(to, probe->sites[at]->kind, n);
    }
    json_close(to, '}');
    append_files(to, probe);
    json_close(to, '}');
}

void list_print_summary(const struct list *list, bool is_json)
{
    static const char *const titles[] = {"PROVIDER", "NAME", "SITES", "KIND", "ARGUMENTS"};
    const struct list_site **sites = memory_zeroed(list->count + 1, sizeof *sites);
    struct table table;
    struct bytes text = {0};
    for (size_t i = 0; i < list->count; i++)
        sites[i] = &list->sites[i];
    qsort(sites, list->count, sizeof *sites, by_probe);
    table_start(&table, titles, sizeof titles / sizeof *titles);
    json_open(&text, NULL, '[');
    for (size_t i = 0, n; i < list->count; i += n) {
        for (n = 1; i + n < list->count && compare_names(sites[i], sites[i + n]) == 0; n++)
            ;
        struct probe_sites probe = {&sites[i], n};
        if (!is_json) {
            add_row(&table, &probe);
            continue;
        }
        json_line(&text, "  ");
        append_object(&text, &probe);
        json_flush(&text);
    }
    text_append(&text, list->count ? "\n]\n" : "]\n");
    if (is_json)
        json_finish(&text);
    bytes_free(&text);
    table_print(&table);
    free(sites);
}
