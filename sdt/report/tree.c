/* SPDX-License-Identifier: BSD-2-Clause */
/* `sdt report --tree`: two passes over the events, and what is printed of the tree. */
#include "base/diag.h"
#include "graph/print.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

#define USUAL_SHARE 0.001 /* of the time, as in sdt tree */

/* Call VISIT for each event that is asked for. */
static void each_event(struct report *report,
                       void (*visit)(struct call_tree *tree, const struct event *event,
                                     const struct paired *paired, uint64_t number))
{
    const struct snapshot *only = snapshots_get(&report->snapshots, report->only);
    struct pairing pairing;
    struct merge merge;
    struct event event;
    uint64_t number = 0;
    pairing_start(&pairing, &report->pairs);
    merge_start(&merge, &report->recording);
    while (number < report->limit && merge_next(&merge, &event)) {
        if (!filter_passes(&report->filter, &event) || (only && !snapshots_has(only, &event)))
            continue;
        struct paired paired = pairing_take(&pairing, &event, number);
        visit(&report->tree, &event, &paired, number++);
        report->start = event.time;
    }
    merge_end(&merge);
    pairing_end(&pairing);
}

static void print(struct report *report)
{
    const struct tree_node *whole = &report->tree.whole;
    struct bytes text = {0};
    if (report->printer == &report_json)
        tree_json(&text, whole, report->start, false);
    else if (report->is_folded)
        tree_folded(&text, whole);
    else
        tree_print(whole, report->least >= 0 ? report->least : USUAL_SHARE, false);
    if (text.size)
        fwrite(text.data, 1, text.size, stdout);
    bytes_free(&text);
    fflush(stdout);
}

static void print_notes(const struct report *report)
{
    char *notes[CALL_TREE_NOTES];
    size_t count = call_tree_notes(&report->tree, notes);
    const char *roots = report->tree.asked.roots;
    for (size_t i = 0; i < count; i++) {
        diag_warn(&(struct diag_place){.file = report->directories[0]}, notes[i], NULL);
        free(notes[i]);
    }
    if (roots && !report->tree.whole.count)
        diag_warn(&(struct diag_place){.file = report->directories[0]},
                  "no slice has the name of --tree", "all of them are shown by --tree alone");
    pairs_warn(&report->pairs, &report->recording);
}

void report_tree(struct report *report)
{
    struct call_tree_request asked = report->tree.asked;
    call_tree_start(&report->tree, &asked, &report->pairs);
    each_event(report, call_tree_look);
    call_tree_again(&report->tree);
    each_event(report, call_tree_take);
    call_tree_end(&report->tree);
    print(report);
    print_notes(report);
}
