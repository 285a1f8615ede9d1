/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Judging one use of a probe's symbol: calling the machine's part of it, and reporting what is
 * wrong. What compilers make of calls, and what is a site, is in arch/.
 */
#include "reference.h"

#include "base/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t type_of(const struct reference *r)
{
    return ELF64_R_TYPE(r->relocation->r_info);
}

/* What the architecture sees of it. */
static struct arch_use use_of(const struct reference *r)
{
    const struct section *s = &r->object->sections[r->section];
    return (struct arch_use){.use = r->use,
                             .is_text = section_is_text(s),
                             .data = s->data,
                             .size = s->size,
                             .offset = r->relocation->r_offset,
                             .type = type_of(r),
                             .addend = r->relocation->r_addend};
}

enum arch_verdict reference_judge(const struct reference *r, struct arch_site *site)
{
    const struct arch_use use = use_of(r);
    return r->object->arch->judge(&use, site);
}

/* ---- words ---- */

static struct diag_place place_of(const struct reference *r)
{
    const struct object *o = r->object;
    struct diag_place place = {.file = o->path,
                               .section = o->sections[r->section].name,
                               .offset = r->relocation->r_offset,
                               .symbol = object_symbol_name(o, ELF64_R_SYM(r->relocation->r_info)),
                               .relocation = o->arch->relocation_name(type_of(r))};
    return place;
}

/* The name of the function around, to be freed; NULL if unknown. */
static char *function_of(const struct reference *r, struct functions *functions)
{
    uint32_t symbol = functions_find(functions, r->section, r->relocation->r_offset);
    if (!symbol)
        return NULL;
    struct slice name = function_name(r->object, symbol);
    return memory_format("%.*s", (int)name.length, name.text);
}

/* Some bytes before the field, and the field: "ff 15 [00 00 00 00], addend -4". */
static void format_bytes(const struct arch_use *use, int before, char *text, size_t size)
{
    size_t at = 0;
    for (int i = -before; i < 4 && at < size; i++) {
        uint64_t place = use->offset + (uint64_t)(int64_t)i;
        const char *open = i == 0 ? "[" : "", *close = i == 3 ? "]" : " ";
        if (!use->data || place >= use->size)
            at += (size_t)snprintf(text + at, size - at, "%s--%s", open, close);
        else
            at += (size_t)snprintf(text + at, size - at, "%s%02x%s", open, use->data[place], close);
    }
    if (at < size)
        snprintf(text + at, size - at, ", addend %lld", (long long)use->addend);
}

int reference_refuse(const struct reference *r)
{
    const struct tool_arch *arch = r->object->arch;
    const struct arch_use use = use_of(r);
    const struct arch_refusal *refusal = arch->explain(&use);
    char found[64];
    struct place here = {r->section, r->relocation->r_offset};
    struct functions *functions = functions_index(r->object, &here, 1);
    char *function = function_of(r, functions);
    struct diag_place place = place_of(r);
    place.function = function;
    format_bytes(&use, arch->context, found, sizeof found);
    diag_refuse(&place, refusal->problem, found, refusal->expected, refusal->remedy);
    free(function);
    functions_free(functions);
    return -1;
}

void reference_warn(const struct reference *r, struct functions *functions)
{
    char *function =
        section_is_text(&r->object->sections[r->section]) ? function_of(r, functions) : NULL;
    struct diag_place place = place_of(r);
    place.function = function;
    diag_warn(&place, "the probe's address is taken here; calls through the pointer are not seen",
              "call the probe directly; its symbol stays callable and does nothing");
    free(function);
}
