/* SPDX-License-Identifier: BSD-2-Clause */
#include "mark.h"

#include "base/diag.h"
#include "base/escape_append.h"
#include "print/text.h"

#include <stdio.h>

int mark_error(const char *text, size_t offset, const char *problem)
{
    struct bytes line = {0};
    if (diag_is_muted())
        return -1;
    diag_error("%s", problem);
    text_append(&line, "  ");
    escape_append(&line, (struct slice){text, offset});
    size_t column = line.size;
    escape_append(&line, slice_of(text + offset));
    fprintf(stderr, "%.*s\n%*s^\n", (int)line.size, (const char *)line.data, (int)column, "");
    bytes_free(&line);
    return -1;
}
