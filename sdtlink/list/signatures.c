/* SPDX-License-Identifier: BSD-2-Clause */
/* See signatures.h. */
#include "signatures.h"

#include "base/status.h"
#include "dwarf/signatures.h"

#include <stdio.h>
#include <string.h>

static void put_argument(char key, const struct dwarf_argument *argument)
{
    bool is_line = argument->name && *argument->name && !strpbrk(argument->name, "\n");
    printf("%c %u %s %s\n", key, argument->type, argument->place, is_line ? argument->name : "-");
}

static void put_signature(const struct dwarf_signature *signature, void *data)
{
    (void)data;
    if (strchr(signature->symbol, '\n'))
        return;
    printf("f %s\n", signature->symbol);
    for (unsigned i = 0; i < signature->count; i++)
        put_argument('a', &signature->arguments[i]);
    if (signature->has_result)
        put_argument('r', &signature->result);
}

int signatures_main(const char *path)
{
    struct dwarf dwarf;
    dwarf_open_object(&dwarf, path);
    dwarf_read_signatures(&dwarf, put_signature, NULL);
    dwarf_close(&dwarf);
    return STATUS_DONE;
}
