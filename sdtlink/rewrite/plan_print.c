/* SPDX-License-Identifier: BSD-2-Clause */
/* The plan for people and programs, a line or an object for each site: --dry-run. */
#include "plan_print.h"

#include "base/diag.h"
#include "base/escape.h"
#include "base/json.h"
#include "base/probe_label.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

void plan_format_bytes(const uint8_t *bytes, size_t count, char *text)
{
    *text = '\0';
    for (size_t i = 0; i < count; i++)
        text += sprintf(text, "%s%02x", i ? " " : "", bytes[i]);
}

/* Types and places only: what a tab at the end announces is left out. */
static struct slice types_and_places(const struct planned_site *s)
{
    struct slice args = slice_of(s->args);
    args.length -= args.length + 1 < s->args_size;
    return args;
}

/* ":" joins the parts of a name, as in DTrace. */
static void print_name(const struct plan *plan, const struct planned_site *s)
{
    const struct probe *probe = plan_probe(plan, s);
    const struct slice parts[] = {probe->provider, s->module, s->function, probe->name};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (i)
            putchar(':');
        bool is_probe = i == 0 || i == sizeof parts / sizeof parts[0] - 1;
        (is_probe ? probe_part_print : escape_print)(stdout, parts[i]);
    }
}

static void print_text(const struct plan *plan, const struct planned_site *s)
{
    char before[SDT_SITE_MAX * 3], after[SDT_SITE_MAX * 3];
    plan_format_bytes(s->before, s->site->length, before);
    plan_format_bytes(s->after, s->site->length, after);
    escape_print(stdout, slice_of(plan->object->sections[s->site->place.section].name));
    printf("+0x%llx ", (unsigned long long)s->site->place.offset);
    print_name(plan, s);
    printf(" %s [%s] -> [%s] args \"", s->form->name, before, after);
    escape_print(stdout, types_and_places(s)); /* <sys/sdt.h>'s are what its file says */
    printf("\"%s\n", s->flags & SDT_SITE_UNTYPED ? " untyped" : "");
}

static void append_json(struct bytes *to, const struct plan *plan, const struct planned_site *s)
{
    char before[SDT_SITE_MAX * 3], after[SDT_SITE_MAX * 3];
    const struct probe *probe = plan_probe(plan, s);
    plan_format_bytes(s->before, s->site->length, before);
    plan_format_bytes(s->after, s->site->length, after);
    json_open(to, NULL, '{');
    json_natural(to, "offset", s->site->place.offset);
    json_key(to, "untyped");
    text_append(to, s->flags & SDT_SITE_UNTYPED ? "true" : "false");
    json_slice(to, "provider", probe->provider);
    json_slice(to, "name", probe->name);
    json_slice(to, "module", s->module);
    json_slice(to, "function", s->function);
    json_string(to, "section", plan->object->sections[s->site->place.section].name);
    json_string(to, "kind", s->form->name);
    json_string(to, "before", before);
    json_string(to, "after", after);
    json_slice(to, "args", types_and_places(s));
    json_close(to, '}');
}

void plan_print(const struct plan *plan, bool as_json)
{
    if (!as_json) {
        for (uint32_t i = 0; i < plan->count; i++)
            print_text(plan, &plan->sites[i]);
        return;
    }
    struct bytes text = {0};
    json_open(&text, NULL, '[');
    for (uint32_t i = 0; i < plan->count; i++) {
        json_line(&text, "  ");
        append_json(&text, plan, &plan->sites[i]);
        json_flush(&text);
    }
    text_append(&text, "\n]\n");
    json_finish(&text);
}

int plan_refuse(const struct plan *plan, const struct planned_site *planned,
                const struct arch_refusal *refusal, bool has_bytes)
{
    const struct object *o = plan->object;
    const struct site *site = planned->site;
    char found[SDT_SITE_MAX * 3];
    char *function = memory_format("%.*s", (int)planned->function.length, planned->function.text);
    const struct diag_place place = {
        .file = o->path,
        .section = o->sections[site->place.section].name,
        .offset = site->place.offset,
        .function = *function ? function : NULL,
        .symbol = object_symbol_name(o, site_symbol(plan->found, site)->symbol)};
    plan_format_bytes(planned->before, site->length, found);
    diag_refuse(&place, refusal->problem, has_bytes ? found : NULL, refusal->expected,
                refusal->remedy);
    free(function);
    return -1;
}
