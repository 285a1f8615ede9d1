/* SPDX-License-Identifier: BSD-2-Clause */
#include "freestanding.h"

#include "base/diag.h"
#include "orc.h"
#include "plan_print.h"

#include <stdlib.h>

static int refuse(const struct plan *plan, const struct planned_site *planned)
{
    const struct object *o = plan->object;
    const struct arch_refusal *refusal = o->arch->freestanding_got;
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
    diag_refuse(&place, refusal->problem, found, refusal->expected, refusal->remedy);
    free(function);
    return -1;
}

int freestanding_check(const struct plan *plan)
{
    const struct tool_arch *arch = plan->object->arch;
    int result = orc_check(plan->object);
    for (uint32_t i = 0; arch->freestanding && i < plan->count; i++)
        if (!arch->freestanding(plan->sites[i].site->kind, false).kind)
            result = refuse(plan, &plan->sites[i]);
    return result;
}
