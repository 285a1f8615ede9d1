/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See inspect.h. Two records at one address (identical functions that the linker folded) are shown
 * as two sites with one state: that of the record which is responsible for the address.
 */
#include "inspect.h"

#include "hit/counters.h"
#include "process/lock.h"
#include "registry/registry.h"
#include "shared/pattern.h"
#include "site/field.h"
#include "site/record.h"
#include "subscribe.h"
#include "subscription.h"

#include <string.h>

static struct sdt_probe_info describe(const struct site *site)
{
    int mode = atomic_load(&site->mode);
    const struct probe *probe = site->probe;
    struct sdt_probe_info info = {
        .size = sizeof info,
        .provider = probe ? probe->provider : "",
        .module = probe ? site_module(site) : "",
        .function = probe ? site_function(site) : NULL,
        .name = probe ? probe->name : "",
        .pc = site_pc(site),
        .kind = site->record->kind,
        .nargs = site->args.count,
        .mode = mode == SITE_TRAP   ? SDT_MODE_TRAP
                : mode == SITE_JUMP ? SDT_MODE_JUMP
                : site->error       ? SDT_MODE_BLOCKED
                                    : SDT_MODE_OFF,
        .args = "",
        .file = "",
    };
    if (info.mode == SDT_MODE_BLOCKED || info.mode == SDT_MODE_TRAP)
        info.error = site->error;
    if (!probe)
        return info;
    const char *text = (const char *)record_target(&site->record->args);
    info.args = text ? text : "";
    if (!site->is_bad && site_file(site)) {
        info.file = site_file(site);
        info.line = site->record->line;
    }
    for (unsigned i = 0; i < site->args.count && !site->is_bad; i++) {
        struct field field = field_at(&site->args, text, i);
        info.arg_names[i] = field.name;
        info.arg_types[i] = field_type(&field);
    }
    return info;
}

/* Visit the sites of OBJECT that match. */
static int visit_object(const struct object *object, const struct pattern *pattern,
                        inspect_visitor *visit, void *data)
{
    const struct site *responsible = NULL;
    int result = 0;
    for (size_t i = 0; i < object->n && result == 0; i++) {
        const struct site *site = &object->sites[i];
        if (!site->is_alias)
            responsible = site;
        if (site->probe && !site_matches(site, pattern))
            continue;
        struct sdt_probe_info info = describe(site);
        if (site->is_alias && responsible) {
            struct sdt_probe_info shared = describe(responsible);
            info.mode = shared.mode;
            info.error = shared.error;
        }
        result = visit(site, &info, data);
    }
    return result;
}

int inspect_sites(const char *pattern, inspect_visitor *visit, void *data)
{
    int result = 0;
    struct pattern *parsed = pattern_parse(pattern, strlen(pattern), &result);
    if (!parsed)
        return result;
    result = subscribe_begin();
    if (result == 0) {
        for (struct object *o = registry_objects(); o && result == 0; o = o->next)
            result = visit_object(o, parsed, visit, data);
        lock_release();
    }
    pattern_free(parsed);
    return result;
}

struct public_visit {
    int (*visit)(const struct sdt_probe_info *site, void *data);
    void *data;
};

static int visit_publicly(const struct site *site, const struct sdt_probe_info *info, void *data)
{
    const struct public_visit *public = data;
    (void)site;
    return public->visit(info, public->data);
}

int inspect_foreach(const char *pattern,
                    int (*visit)(const struct sdt_probe_info *site, void *data), void *data)
{
    struct public_visit public = {visit, data};
    return inspect_sites(pattern, visit_publicly, &public);
}

static bool has_matching_site(const struct probe *probe, const struct pattern *pattern)
{
    for (size_t i = 0; i < probe->site_count; i++)
        if (site_matches(probe->sites[i], pattern))
            return true;
    return false;
}

static uint64_t hits_of(const struct object *object, const struct pattern *pattern)
{
    uint64_t hits = 0;
    for (size_t i = 0; i < object->probe_count; i++) {
        const struct probe *probe = &object->probes[i];
        if (pattern_may_match(pattern, probe->provider, probe->name) &&
            has_matching_site(probe, pattern))
            hits += counters_sum(probe->state);
    }
    return hits;
}

int inspect_hits(const char *pattern, uint64_t *hits)
{
    int error = 0;
    struct pattern *parsed = pattern_parse(pattern, strlen(pattern), &error);
    *hits = 0;
    if (!parsed)
        return error;
    error = subscribe_begin();
    if (error == 0) {
        for (struct object *o = registry_objects(); o; o = o->next)
            *hits += hits_of(o, parsed);
        lock_release();
    }
    pattern_free(parsed);
    return error;
}
