/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One row at a time, character by character. Probes of provider `csv`:
 *
 *   row(number, fields)        a row was read
 *   error(number, byte)        the row is malformed; byte is where, from its start
 */
#include "csv.h"

#include <sdt/probe.h>

void csv_open(struct csv *csv, FILE *stream)
{
    csv->stream = stream;
    csv->row = 0;
    csv->count = 0;
}

static int row_error(struct csv *csv, int byte)
{
    SDT_PROBE(csv, error, csv->row + 1, byte);
    return -1;
}

/* Append C to the row's bytes at *USED; false if there is no room. */
static int put(struct csv *csv, int *used, int c)
{
    if (*used == CSV_BYTES)
        return 0;
    csv->bytes[(*used)++] = (char)c;
    return 1;
}

/*
 * Read a field up to its comma, newline or end of file, which is returned; -2 for a field that does
 * not fit or does not end.
 */
static int read_field(struct csv *csv, int *used)
{
    int quoted = 0;
    for (;;) {
        int c = getc(csv->stream);
        if (c == '"' && quoted) {
            /* The end of the quoted part, or a doubled quote. */
            c = getc(csv->stream);
            if (c != '"')
                quoted = 0;
        } else if (c == '"') {
            quoted = 1;
            continue;
        }
        if (c == EOF && quoted)
            return -2;
        if (!quoted && (c == ',' || c == '\n' || c == EOF))
            return put(csv, used, '\0') ? c : -2;
        if (!put(csv, used, c))
            return -2;
    }
}

int csv_next(struct csv *csv)
{
    int used = 0, end;
    csv->count = 0;
    do {
        if (csv->count == CSV_FIELDS)
            return row_error(csv, used);
        csv->fields[csv->count] = csv->bytes + used;
        end = read_field(csv, &used);
        if (end == -2)
            return row_error(csv, used);
        csv->count++;
    } while (end == ',');
    if (end == EOF && csv->count == 1 && used == 1)
        return 0;
    csv->row++;
    SDT_PROBE(csv, row, csv->row, csv->count);
    return 1;
}
