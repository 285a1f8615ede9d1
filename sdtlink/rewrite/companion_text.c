/* SPDX-License-Identifier: BSD-2-Clause */
#include "companion_text.h"

#include "base/text.h"
#include "companion_base.h"
#include "probes/fields.h"

static void append_slice(struct bytes *text, struct slice slice)
{
    bytes_append(text, slice.text, slice.length);
}

/* A string of C that the assembler reads as well; of that its octal escapes are the same. */
static void append_string(struct bytes *text, const char *string, size_t length)
{
    text_char(text, '"');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)string[i];
        if (c >= ' ' && c < 0x7f && c != '"' && c != '\\' && c != '?') {
            text_char(text, (char)c);
        } else {
            char escape[5] = {'\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)),
                              (char)('0' + (c & 7)), '\0'};
            text_append(text, escape);
        }
    }
    text_char(text, '"');
}

/* What is in a comment must not end it. */
static void append_remark(struct bytes *text, const char *remark)
{
    for (; *remark; remark++)
        text_char(text, *remark == '*' || *remark < ' ' ? '?' : *remark);
}

/* vfs___open */
static void append_probe(struct bytes *text, const struct probe *probe, const char *between)
{
    append_slice(text, probe->provider);
    text_append(text, between);
    append_slice(text, probe->name);
}

static void append_head(struct bytes *text, const struct plan *plan)
{
    text_append(text, "/* sdtlink --companion made this of ");
    append_remark(text, plan->object->path);
    text_append(text, ": what its calls of probes lead to,\n * and where they are. */\n"
                      "#include <sdt/companion.h>\n");
}

static void append_stubs(struct bytes *text, const struct plan *plan)
{
    const struct sites *found = plan->found;
    for (uint32_t i = 0; i < found->probe_count; i++) {
        text_append(text, "\nSDT_COMPANION_PROBE(");
        append_probe(text, &found->probes[i], "___");
        text_append(text, ")\n");
        for (uint32_t k = 0; k < found->symbol_count; k++) {
            if (found->symbols[k].probe != i)
                continue;
            text_append(text, "SDT_COMPANION_STUB(");
            append_probe(text, &found->probes[i], "___");
            text_append(text, ", ");
            text_append(text, object_symbol_name(plan->object, found->symbols[k].symbol));
            text_append(text, ")\n");
        }
    }
}

/* The symbol BASE, and how far it is from there to the call. */
static void append_place(struct bytes *text, const struct plan *plan, uint32_t base,
                         const struct site *site)
{
    uint64_t from = plan->object->symbols[base].st_value, to = site->place.offset;
    text_append(text, object_symbol_name(plan->object, base));
    text_append(text, to < from ? " - " : " + ");
    text_hex(text, to < from ? from - to : to - from);
}

static void append_site(struct bytes *text, const struct plan *plan,
                        const struct planned_site *planned, uint32_t base)
{
    const struct site *site = planned->site;
    const struct probe *probe = &plan->found->probes[site->probe];
    const struct source_place source = fields_place(site->arguments.spelling);
    text_append(text, "SDT_COMPANION_SITE(");
    append_probe(text, probe, "___");
    text_append(text, ", ");
    text_append(text, object_symbol_name(plan->object, plan->found->symbols[site->symbol].symbol));
    text_append(text, ", ");
    append_place(text, plan, base, site);
    text_append(text, ",\n                   \"");
    append_probe(text, probe, ":");
    text_append(text, "\", ");
    append_string(text, planned->function.text, planned->function.length);
    text_append(text, ", ");
    text_natural(text, planned->nargs);
    text_append(text, ", ");
    text_hex(text, planned->flags);
    text_append(text, ", ");
    append_string(text, planned->args, planned->args_size ? planned->args_size - 1 : 0);
    text_append(text, ", ");
    append_string(text, source.file.text, source.file.length);
    text_append(text, ", ");
    text_natural(text, source.line);
    text_append(text, ")\n");
}

void companion_text(const struct plan *plan, struct bytes *text)
{
    struct companion_bases bases = companion_bases(plan->object);
    append_head(text, plan);
    append_stubs(text, plan);
    for (uint32_t t = 0; t < plan->text_count; t++) {
        const struct planned_text *of = &plan->texts[t];
        text_append(text, "\n/* ");
        append_remark(text, plan->object->sections[of->section].name);
        text_append(text, " */\n");
        for (uint32_t i = of->first; i < of->first + of->count; i++)
            append_site(text, plan, &plan->sites[i],
                        companion_base(&bases, of->section, plan->sites[i].site->place.offset));
    }
    companion_bases_free(&bases);
}
