/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csvsum COLUMN: add up one column (counted from 1) of the comma-separated values on standard
 * input. Its own probe `csvsum:skipped(row, text)` says which rows had no number there.
 *
 * With CSVSUM_REPORT in the environment it ends with what the probes, its own and the library's,
 * have counted.
 */
#include "csv.h"

#include <inttypes.h>
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdlib.h>

static void report(void)
{
    printf("csv:row %" PRIu64 "\n", sdt_hits("csv:row"));
    printf("csv:error %" PRIu64 "\n", sdt_hits("csv:error"));
    printf("csvsum:skipped %" PRIu64 "\n", sdt_hits("csvsum:skipped"));
}

int main(int argc, char **argv)
{
    int column = argc == 2 ? atoi(argv[1]) : 0;
    int status;
    double sum = 0;
    struct csv csv;

    if (column < 1) {
        fprintf(stderr, "usage: csvsum COLUMN <FILE\n");
        return 2;
    }
    if (getenv("CSVSUM_REPORT") && sdt_enable("csv,csvsum", SDT_COUNT, NULL) < 0) {
        fprintf(stderr, "csvsum: cannot turn the probes on\n");
        return 1;
    }
    csv_open(&csv, stdin);
    while ((status = csv_next(&csv)) > 0) {
        const char *text = column <= csv.count ? csv.fields[column - 1] : "";
        char *end;
        double value = strtod(text, &end);
        if (end == text || *end)
            SDT_PROBE(csvsum, skipped, csv.row, text);
        else
            sum += value;
    }
    if (status < 0) {
        fprintf(stderr, "csvsum: row %lu is malformed\n", csv.row + 1);
        return 1;
    }
    printf("%g\n", sum);
    if (getenv("CSVSUM_REPORT"))
        report();
    return 0;
}
