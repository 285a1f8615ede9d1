/* SPDX-License-Identifier: BSD-2-Clause */
/* See dwarf.h: built without libdw. */
#include "dwarf.h"
#include "enums.h"
#include "lines.h"
#include "members.h"
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

void dwarf_look(const struct dwarf_type *type, struct dwarf_view *view)
{
    (void)type;
    *view = (struct dwarf_view){.shape = DWARF_OTHER};
}

bool dwarf_target(const struct dwarf_type *type, struct dwarf_type *target)
{
    (void)type;
    (void)target;
    return false;
}

size_t dwarf_labels(const struct dwarf_type *type, struct dwarf_label *labels)
{
    (void)type;
    (void)labels;
    return 0;
}

enum dwarf_answer dwarf_find_variable(const struct dwarf *dwarf, const char *function,
                                      const char *name, bool is_parameter, struct dwarf_type *type)
{
    (void)dwarf;
    (void)function;
    (void)name;
    (void)is_parameter;
    (void)type;
    return DWARF_NONE;
}

enum dwarf_answer dwarf_find_member(const struct dwarf *dwarf, const struct dwarf_type *type,
                                    const char *name, struct dwarf_member *member)
{
    (void)dwarf;
    (void)type;
    (void)name;
    (void)member;
    return DWARF_NONE;
}

void dwarf_each_member(const struct dwarf *dwarf, const struct dwarf_type *type,
                       void (*take)(const char *name, void *data), void *data)
{
    (void)dwarf;
    (void)type;
    (void)take;
    (void)data;
}

bool dwarf_is_incomplete(const struct dwarf *dwarf, const struct dwarf_type *type)
{
    (void)dwarf;
    (void)type;
    return true;
}
