/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What handlers ask of an event: <sdt/runtime.h>, but for sdt_arg_double() (arg_double.c).
 *
 * This file is compiled for general registers only: handlers that promised to leave vector
 * registers alone call these with the program's own in them.
 */
#include "argument.h"
#include "site/field.h"
#include "site/record.h"

unsigned sdt_nargs(const struct sdt_event *event)
{
    if (event->fetch != fetch_unread)
        return event->fetch->count;
    const struct site *site = event_site(event);
    return site ? site->args.count : 0;
}

uint64_t sdt_arg(const struct sdt_event *event, unsigned index)
{
    const struct fetch *fetch = event->fetch;
    return index < fetch->count ? fetch->get[index](event, index, fetch) : 0;
}

/* Not all of them, or their number is not known yet. Out of line: most want all. */
static __attribute__((noinline)) unsigned fetch_some(const struct sdt_event *event, uint64_t *words,
                                                     unsigned n)
{
    unsigned count = sdt_nargs(event);
    if (count <= n)
        return event->fetch->all(event, words, event->fetch);
    for (unsigned i = 0; i < n; i++)
        words[i] = sdt_arg(event, i);
    return n;
}

unsigned sdt_args(const struct sdt_event *event, uint64_t *words, unsigned n)
{
    const struct fetch *fetch = event->fetch;
    return n < fetch->count ? fetch_some(event, words, n) : fetch->all(event, words, fetch);
}

/* False: the event has no such argument. */
static bool find_field(const struct sdt_event *event, unsigned index, struct field *field)
{
    const struct site *site = event_site(event);
    if (!site || index >= site->args.count)
        return false;
    *field = field_at(&site->args, (const char *)record_target(&site->record->args), index);
    return true;
}

const char *sdt_arg_name(const struct sdt_event *event, unsigned index)
{
    struct field field;
    return find_field(event, index, &field) ? field.name : "";
}

const char *sdt_arg_type(const struct sdt_event *event, unsigned index)
{
    struct field field;
    return find_field(event, index, &field) ? field_type(&field) : "";
}

const char *sdt_provider(const struct sdt_event *event)
{
    const struct site *site = event_site(event);
    return site ? site->probe->provider : "";
}

const char *sdt_name(const struct sdt_event *event)
{
    const struct site *site = event_site(event);
    return site ? site->probe->name : "";
}

const char *sdt_function(const struct sdt_event *event)
{
    const struct site *site = event_site(event);
    const char *function = site ? site_function(site) : NULL;
    return function ? function : "";
}

const char *sdt_module(const struct sdt_event *event)
{
    const struct site *site = event_site(event);
    return site ? site_module(site) : "";
}

const void *sdt_pc(const struct sdt_event *event)
{
    const struct site *site = event_site(event);
    return site ? site_pc(site) : NULL;
}
