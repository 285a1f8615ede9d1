/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading comma-separated values: quoted fields, doubled quotes, commas and newlines in quotes. */
#ifndef CSV_H
#define CSV_H

#include <stdio.h>

enum { CSV_FIELDS = 64, CSV_BYTES = 4096 };

struct csv {
    FILE *stream;
    unsigned long row;        /* rows read so far */
    int count;                /* fields of the current row */
    char *fields[CSV_FIELDS]; /* NUL-terminated, in bytes */
    char bytes[CSV_BYTES];
};

void csv_open(struct csv *csv, FILE *stream);
/* 1: a row was read; 0: end of the file; -1: the row is too long, or a quote is missing. */
int csv_next(struct csv *csv);

#endif
