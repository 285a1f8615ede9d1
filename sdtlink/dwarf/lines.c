/* SPDX-License-Identifier: BSD-2-Clause */
/* See lines.h. */
#include "lines.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <string.h>

/* PATH without the directory of the compilation, the first of FILES. */
static const char *relative_path(const char *path, Dwarf_Files *files)
{
    const char *const *directories;
    size_t count;
    if (dwarf_getsrcdirs(files, &directories, &count) != 0 || !count || !directories[0])
        return path;
    size_t length = strlen(directories[0]);
    bool is_below = length && !strncmp(path, directories[0], length) && path[length] == '/';
    return is_below ? path + length + 1 : path;
}

/* The row from LINE up to NEXT, another row or the end of a part of the code. */
static bool read_row(Dwarf_Line *line, Dwarf_Line *next, Dwarf_Files *files, struct dwarf_row *row)
{
    bool is_end;
    int number;
    const char *path = dwarf_linesrc(line, NULL, NULL);
    if (!path || !*path || dwarf_lineendsequence(line, &is_end) != 0 || is_end ||
        dwarf_lineno(line, &number) != 0 || number <= 0 || dwarf_lineaddr(line, &row->begin) != 0 ||
        dwarf_lineaddr(next, &row->end) != 0)
        return false;
    row->file = relative_path(path, files);
    row->line = (unsigned)number;
    return row->begin < row->end;
}

void dwarf_read_lines(const struct dwarf *dwarf,
                      void (*take)(const struct dwarf_row *row, void *data), void *data)
{
    Dwarf_Off next = 0;
    Dwarf_CU *unit = NULL;
    Dwarf_Files *files;
    Dwarf_Lines *lines;
    struct dwarf_row row;
    size_t count;
    while (dwarf->information && dwarf_next_lines(dwarf->information, next, &next, &unit, &files,
                                                  NULL, &lines, &count) == 0)
        for (size_t i = 0; i + 1 < count; i++)
            if (read_row(dwarf_onesrcline(lines, i), dwarf_onesrcline(lines, i + 1), files, &row))
                take(&row, data);
}
