/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probes of an object that sdtlink has not processed yet, found exactly as processing would
 * find them, refusals included: what is listed here is what will be a site.
 */
#include "base/diag.h"
#include "probes/args.h"
#include "probes/fields.h"
#include "probes/functions.h"
#include "probes/sites.h"
#include "probes/sites_find.h"
#include "site.h"

#include <stdlib.h>
#include <string.h>

/* Of strings one after the other, which are all there. */
static const char *next_string(void *data)
{
    const char **at = data;
    *at += strlen(*at) + 1;
    return *at;
}

static void add_call(const struct object *object, const struct sites *sites,
                     const struct site *site, struct list *list)
{
    const struct probe_name *name = &site_symbol(sites, site)->name;
    struct list_site *item = list_add(list, object->path);
    struct list_strings *strings = &list->strings;
    struct bytes text = {0};
    unsigned nargs = args_append_text(&text, object->arch, site);
    struct source_place source = fields_place(site->arguments.spelling);
    item->is_unprocessed = true;
    item->kind = object->arch->form(site->kind)->name;
    item->provider = list_strings_add(strings, name->provider);
    item->name = list_strings_add(strings, name->name);
    item->module = name->module.length ? list_strings_add(strings, name->module)
                                       : list_string(list, basename(object->path));
    if (name->function.length)
        item->function = list_strings_add(strings, name->function);
    else if (site->function)
        item->function = list_strings_add(strings, function_name(object, site->function));
    item->section = list_string(list, object->sections[site->place.section].name);
    item->home = site->place.section;
    item->offset = site->place.offset;
    const char *at = list_strings_keep(strings, (char *)text.data);
    list_take_args(list, item, at, nargs, next_string, &at);
    list_take_place(list, item, source.file, source.line);
    if (nargs && !site->arguments.is_given)
        item->flags |= SDT_SITE_UNTYPED;
}

int list_read_calls(const char *path, struct list *list)
{
    struct object object;
    struct sites sites;
    int result = -1;
    if (object_open(&object, path) != 0)
        return -1;
    if (sites_find(&sites, &object, false, NULL) == 0) {
        for (uint32_t i = 0; i < sites.count; i++)
            add_call(&object, &sites, &sites.items[i], list);
        sites_free(&sites);
        result = 0;
    }
    object_close(&object);
    return result;
}
