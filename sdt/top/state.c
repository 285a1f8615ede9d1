/* SPDX-License-Identifier: BSD-2-Clause */
/* See state.h. */
#include "state.h"

#include "base/memory.h"
#include "compile/site_arguments.h"
#include "print/label.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct top_switch *top_switch_of(struct top *top, const char *label)
{
    for (size_t i = 0; i < top->switch_count; i++)
        if (!strcmp(top->switches[i].label, label))
            return &top->switches[i];
    return NULL;
}

void top_note(struct top *top, const char *text)
{
    snprintf(top->note, sizeof top->note, "%s", text);
}

void top_learn_site(struct top *top, const struct live_site *site)
{
    char *label = label_of(site->provider, site->name);
    struct top_row *row = top_row_of(&top->model, label);
    if (!row->is_seen)
        row->sites = 0;
    row->is_seen = true;
    row->sites++;
    if (!row->arguments) {
        char *brief = site_arguments_short(site->arguments);
        row->arguments = memory_format("  %s", brief);
        free(brief);
    }
    struct top_switch *known = top_switch_of(top, label);
    if (!known) {
        top->switches = memory_resize(top->switches, top->switch_count + 1, sizeof *top->switches);
        top->switches[top->switch_count++] =
            (struct top_switch){.label = label,
                                .pattern = memory_format("%s:%s", site->provider, site->name),
                                .function = memory_format("%s", site->function)};
        return;
    }
    free(label);
    if (known->function && strcmp(known->function, site->function) != 0) {
        free(known->function);
        known->function = NULL;
    }
}
