/* SPDX-License-Identifier: BSD-2-Clause */
/* See dwarf.h: built without libdw. */
#include "dwarf.h"
#include "enums.h"
#include "lines.h"
#include "signatures.h"

#include <stddef.h>

void dwarf_open(struct dwarf *dwarf, const char *path)
{
    (void)path;
    *dwarf = (struct dwarf){0};
}

void dwarf_open_object(struct dwarf *dwarf, const char *path)
{
    dwarf_open(dwarf, path);
}

const char *dwarf_problem(const struct dwarf *dwarf)
{
    (void)dwarf;
    return NULL;
}

void dwarf_close(struct dwarf *dwarf)
{
    (void)dwarf;
}

void dwarf_read_lines(const struct dwarf *dwarf,
                      void (*take)(const struct dwarf_row *row, void *data), void *data)
{
    (void)dwarf;
    (void)take;
    (void)data;
}

void dwarf_find_enums(struct dwarf *dwarf, struct dwarf_wish *wishes, size_t count)
{
    (void)dwarf;
    (void)wishes;
    (void)count;
}

void dwarf_read_signatures(const struct dwarf *dwarf,
                           void (*take)(const struct dwarf_signature *signature, void *data),
                           void *data)
{
    (void)dwarf;
    (void)take;
    (void)data;
}
