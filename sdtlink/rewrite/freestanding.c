/* SPDX-License-Identifier: BSD-2-Clause */
#include "freestanding.h"

#include "base/diag.h"
#include "orc.h"
#include "plan_print.h"

#include <string.h>

static int refuse_earlier(const struct object *o, uint32_t section, uint64_t offset, bool is_wanted)
{
    const struct diag_place place = {
        .file = o->path, .section = o->sections[section].name, .offset = offset};
    diag_refuse(&place,
                is_wanted ? "the site of this record was processed for user space"
                          : "the site of this record was processed for a kernel",
                NULL, "an object as the compiler made it, or of the same sort",
                is_wanted ? "process the compiler's object: sdtlink --freestanding -o OUT IN"
                          : "process it with --freestanding, or the compiler's object without");
    return -1;
}

int freestanding_check_earlier(const struct object *o, bool is_wanted)
{
    for (uint32_t i = 1; i < o->input_sections; i++) {
        const struct section *s = &o->sections[i];
        struct sdt_site record;
        if (!section_holds_sites(s) || !s->data)
            continue;
        for (uint64_t at = 0; s->size - at >= sizeof record; at += sizeof record) {
            memcpy(&record, s->data + at, sizeof record);
            bool is_freestanding = record.flags & SDT_SITE_FREESTANDING;
            if (is_freestanding != is_wanted)
                return refuse_earlier(o, i, at, is_wanted);
        }
    }
    return 0;
}

int freestanding_check(const struct plan *plan)
{
    const struct tool_arch *arch = plan->object->arch;
    int result = orc_check(plan->object);
    for (uint32_t i = 0; arch->freestanding && i < plan->count; i++)
        if (!arch->freestanding(plan->sites[i].site->kind).kind)
            result = plan_refuse(plan, &plan->sites[i], arch->freestanding_got, true);
    return result;
}
