/* SPDX-License-Identifier: BSD-2-Clause */
/* A page is made as the other exports are: what a slice or a counter is, export.c decides. */
#include "export.h"
#include "report.h"

int report_page(struct report *report)
{
    struct export export = {.directories = report->directories,
                            .path = report->page,
                            .filter_text = report->filter_text,
                            .writer = &export_html,
                            .limit = report->limit,
                            .pairs = report->pairs,
                            .match = report->match,
                            .output = {.fd = -1}};
    report->match = (struct match){0};
    report->pairs = (struct pairs){0}; /* they are the export's now */
    int status = export_run(&export);
    export_free(&export);
    return status;
}
